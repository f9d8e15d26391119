"""`trimtab handoff`: the note on standard output, in a file, as JSON, of a request and of a session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.sessions.samples import mini_swe_agent

from trimtab.stubs import HANDLE


def test_the_note_of_a_request_and_its_handles(cli: Cli, request_file: Path) -> None:
    done = cli("handoff", str(request_file), "--tokens", "900")
    assert done.code == 0
    note = done.out.decode()
    assert "## The task, word for word\n\nFind the error and mend it.\n" in note
    assert note.count("read({") == 8
    assert "- src/part_3.py: read t:" in note
    assert "8 calls, 8 files" in done.err
    for handle in HANDLE.findall(note):
        assert cli("recall", handle).code == 0


def test_the_same_request_gives_the_same_note(cli: Cli, request_file: Path) -> None:
    assert cli("handoff", str(request_file)).out == cli("handoff", str(request_file)).out


def test_json_and_output(cli: Cli, request_file: Path, tmp_path: Path) -> None:
    told = cli("handoff", str(request_file), "--json").json
    assert told["task"] == "Find the error and mend it."
    assert len(told["calls"]) == len(told["files"]) == 8
    assert told["waiting"] == []
    done = cli("handoff", str(request_file), "--output", str(tmp_path / "note.md"))
    assert done.out == b""
    assert (tmp_path / "note.md").read_text(encoding="utf-8").startswith("Handoff note, made by trimtab")


def test_of_a_session_the_last_call_counts(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    file.write_text(json.dumps(mini_swe_agent()))
    last, first = cli("handoff", str(file), "--json").json, cli("handoff", str(file), "--call", "1", "--json").json
    assert [one["tool"] for one in last["calls"]] == ["bash"]
    assert first["calls"] == []
    assert first["task"] == last["task"] == "How many?"


@pytest.mark.parametrize("data", [b"", b"{}", b'{"messages": 3}', b"no json"])
def test_bad_input_is_told(cli: Cli, data: bytes) -> None:
    done = cli("handoff", "-", stdin=data)
    assert done.code == 2
    assert done.err.startswith("trimtab: standard input: ")


def test_nothing_to_hand_on(cli: Cli) -> None:
    done = cli(
        "handoff", "-", stdin=b'{"model": "gpt-4o", "messages": [{"role": "system", "content": "Be brief."}]}'
    )
    assert done.code == 1
    assert "nothing to hand on" in done.err
