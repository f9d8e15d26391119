from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.test_recall import put

from trimtab.journal import Kind


@pytest.fixture
def handles(cli: Cli, request_file: Path) -> list[str]:
    """The handles of a compacted request."""
    return re.findall(r"t:[0-9a-f]{16}", cli("compact", str(request_file), "--force").out.decode())


def test_lines_come_best_first_and_recall_brings_them_back(
    cli: Cli, request_file: Path, handles: list[str]
) -> None:
    text = cli("recall", handles[0]).out.decode().splitlines()[4]
    for file in ([], [str(request_file)]):
        done = cli("search", text, *file)
        assert done.code == 0
        best = done.out.decode().splitlines()[0]
        handle, option, asked = best.split()[:3]
        assert (handle, option, asked) == (handles[0], "--lines", "5")
        assert text[:100] in best
    assert cli("recall", handle, option, asked).out.decode().startswith(text)


def test_json_has_all_of_a_hit(cli: Cli, handles: list[str]) -> None:
    hits = cli("search", "line", "--json", "-n", "3").json
    assert len(hits) == 3
    assert set(hits[0]) == {"handle", "label", "line", "bytes", "text", "score"}
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_nothing_found_is_told(cli: Cli, request_file: Path, handles: list[str]) -> None:
    done = cli("search", "zebra", str(request_file))
    assert (done.code, done.out) == (1, b"")
    assert "nothing that was cut" in done.err
    assert cli("search", "zebra", "--json").json == []


def test_a_request_of_which_nothing_was_cut_has_nothing_to_search(
    cli: Cli, tmp_path: Path, handles: list[str]
) -> None:
    other = tmp_path / "other.json"
    other.write_text('[{"role": "user", "content": "part line"}]')
    assert cli("search", "line", str(other)).code == 1


@pytest.mark.parametrize(
    "arguments", [[], ["x", "missing.json"], ["x", "--count", "0"], ["x", "--store", "ftp://x"]]
)
def test_what_is_wrong_is_told_in_one_line(cli: Cli, arguments: list[str]) -> None:
    done = cli("search", *arguments)
    assert done.code == 2
    assert done.err.startswith("trimtab: ")
    assert done.err.count("\n") == 1


def test_a_file_that_is_no_request(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no request")
    assert cli("search", "x", "text").code == 2


def test_text_of_others_cannot_move_the_cursor(cli: Cli, tmp_path: Path) -> None:
    handle = put(tmp_path / "store.db", "\x1b[2J needle \u202e\n".encode(), Kind.TEXT)
    done = cli("search", "needle")
    assert done.out.decode() == f"{handle} --lines 1  : ␛[2J needle \ufffd\n"
