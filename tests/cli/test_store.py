from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.running import on_terminal
from tests.stores.making import decide, original

from trimtab.stores import SqliteStore

DAY = 86_400.0


def fill(store: Path, root: bytes, age_days: float = 0.0, namespace: str = "default") -> None:
    import time

    place = SqliteStore(store, clock=lambda: time.time() - age_days * DAY)
    data = root.hex().encode() * 1000
    place.commit(namespace, [decide(root, original(data, f"t:{root.hex()}", root), root=root)])
    place.close()


@pytest.fixture
def roots(store: Path) -> list[str]:
    for root, age in ((b"\xaa\x11", 0), (b"\xaa\x22", 20), (b"\xbb\x33", 50)):
        fill(store, root, age)
    return ["aa11", "aa22", "bb33"]


def kept(cli: Cli) -> set[str]:
    return {one["root"] for one in cli("store", "show", "--json").json}


def test_show_is_the_default(cli: Cli, roots: list[str], store: Path) -> None:
    shown = cli("store").out.decode()
    assert cli("store", "show").out.decode() == shown
    assert "3 conversations" in shown
    assert str(store) in shown
    for word in (*roots, "50 d ago", "now"):
        assert word in shown


def test_show_one_namespace(cli: Cli, roots: list[str], store: Path) -> None:
    fill(store, b"\xcc", namespace="other")
    assert kept(cli) == {*roots, "cc"}
    assert [one["root"] for one in cli("store", "show", "--json", "--namespace", "other").json] == ["cc"]


def test_a_store_that_is_not_there_is_empty(cli: Cli, store: Path) -> None:
    assert "0 conversations" in cli("store").out.decode()
    assert not store.exists()


@pytest.mark.parametrize("to", [[], ["--to", "out.jsonl"]])
def test_export_by_a_prefix(cli: Cli, roots: list[str], to: list[str]) -> None:
    done = cli("store", "export", "BB", *to)
    data = Path("out.jsonl").read_bytes() if to else done.out
    lines = [json.loads(line) for line in data.splitlines()]
    assert [line["type"] for line in lines] == ["decision", "artifact"]
    assert lines[1]["handle"] == "t:bb33"


@pytest.mark.parametrize("root", ["aa", "", "zz", "%", "aa113", "a22"])
def test_a_root_that_is_none_or_several(cli: Cli, roots: list[str], root: str) -> None:
    for command in (["export", root], ["delete", root, "--yes"]):
        done = cli("store", *command)
        assert done.code == 2
        assert done.out == b""
    assert kept(cli) == set(roots)


def test_delete_forgets_one(cli: Cli, roots: list[str]) -> None:
    done = cli("store", "delete", "aa1", "-y")
    assert done.code == 0
    assert "freed" in done.err
    assert kept(cli) == {"aa22", "bb33"}
    assert cli("recall", "t:aa11").code == 2
    assert cli("recall", "t:aa22").code == 0


def test_delete_asks_and_nobody_answers(cli: Cli, roots: list[str]) -> None:
    done = cli("store", "delete", "bb33")
    assert done.code == 2
    assert "--yes" in done.err
    assert kept(cli) == set(roots)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_delete_asks_on_a_terminal(roots: list[str], cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    import os
    import pty
    import subprocess

    from tests.cli.running import PROGRAM

    ours, theirs = pty.openpty()
    os.write(ours, b"n\n")
    done = subprocess.run([*PROGRAM, "store", "delete", "bb33"], stdin=theirs, capture_output=True, check=False)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 1
    assert b"1 original" in done.stderr
    assert b"nothing was deleted" in done.stderr
    assert kept(cli) == set(roots)


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ([], {"aa11", "aa22"}),
        (["--max-age-days", "10"], {"aa11"}),
        (["--max-age-days", "90"], {"aa11", "aa22", "bb33"}),
        (["--max-age-days", "90", "--max-size-gb", "0"], {"aa11"}),
    ],
)
def test_prune(cli: Cli, roots: list[str], options: list[str], left: set[str]) -> None:
    assert cli("store", "prune", *options).code == 0
    assert kept(cli) == left


def test_a_negative_age_is_refused(cli: Cli, roots: list[str]) -> None:
    assert cli("store", "prune", "--max-age-days", "-1").code == 2
    assert kept(cli) == set(roots)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_sizes_are_drawn(roots: list[str]) -> None:
    code, seen = on_terminal("store")
    assert code == 0
    assert "█" in seen
