"""Which paths may be the same, and what a call may change by its name and arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from trimtab.effects import ANYWHERE, EVERYWHERE, MOST_PLACES, changed, looked_at, meet, place

STEPS = st.lists(st.sampled_from(["src", "a.py", "b.py", "deep", "é"]), max_size=4)


@given(steps=STEPS, start=st.sampled_from(["/", ""]), data=st.data())
def test_a_path_is_the_same_in_every_spelling(steps: list[str], start: str, data: st.DataObject) -> None:
    spelled = start
    for step in steps:
        spelled += data.draw(st.sampled_from(["", "./", ".//", ".\\"]))
        spelled += data.draw(st.sampled_from([step, step.upper(), step.replace("é", "e\u0301")]))
        spelled += data.draw(st.sampled_from(["/", "//", "\\"]))
    assert place(spelled) == place(start + "/".join(steps))


@given(one=STEPS, other=STEPS)
def test_paths_meet_where_one_lies_in_the_other(one: list[str], other: list[str]) -> None:
    shorter = min(len(one), len(other))
    assert meet(place("/" + "/".join(one)), place("/" + "/".join(other))) == (one[:shorter] == other[:shorter])


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("src/a.py", "/repo/src/a.py", True),  # who knows the host's folder
        ("src/a.py", "/tmp/b.py", True),
        ("C:\\repo\\a.py", "c:/repo/A.py", True),
        ("C:/repo/a.py", "D:/repo/a.py", True),  # another name of one drive, for all that is known
        ("/mnt/c/repo", "c:/repo", True),
        ("/repo/a.py", "/repo/a.pyc", False),
        (".", "src/a.py", True),
        ("", "src/a.py", True),
        ("..", "/etc", True),
        ("src/../b.py", "/x", True),
        ("~/a.py", "/home/u/a.py", True),
        ("$HOME/a", "b", True),
        ("a.py:10-20", "a.py", True),
        ("src/**/*.py", "src/deep/b.py", True),
        ("src/*.py", "docs/a.md", False),
        ("a.py,b.py", "b.py", True),
        ("file:///repo/a.py", "/repo/a.py", True),
        ("~", "https://a.example/x", True),
        ("https://a.example/x", "/a.example/x", False),
        ("https://a.example/x", "a.example", False),
        ("https://a.example/x", "http://A.example/x/y", True),
        ("https://a.example/x", "https://a.example/y?q=x:1", False),
    ],
)
def test_in_doubt_paths_are_the_same(one: str, other: str, may: bool) -> None:
    assert meet(place(one), place(other)) is may
    assert meet(place(other), place(one)) is may


A = place("a")
B = place("b")


@pytest.mark.parametrize(
    ("name", "arguments", "places"),
    [
        ("write_file", {"path": "a", "content": "/b"}, {A}),
        ("write_file", '{"path": "a", "content": "/b"}', {A}),
        ("writeFile", {"filePath": "a", "file_text": "/b"}, {A}),
        ("mcp__fs__write", {"target_file": "a"}, {A}),
        ("MultiEdit", {"edits": [{"file_path": "a"}, {"file_name": "b"}]}, {A, B}),
        ("delete", {"paths": ["a", "b"]}, {A, B}),
        ("move", {"source": "a", "destination": "b"}, {A, B}),
        ("rename", {"path": "a", "to": "b"}, {A, B}),
        ("save", {"path": Path("a")}, {A}),
        ("my_own_tool", {"path": "a"}, {A}),
        ("my_own_tool", {"text": "a"}, {ANYWHERE}),
        ("apply_patch", "*** Begin Patch\n*** Update File: a", {ANYWHERE}),
        ("write_file", {"path": 7}, {ANYWHERE}),
        ("write_file", {"path": ""}, {place(".")}),
        ("Bash", {"command": "ls", "cwd": "a"}, {ANYWHERE}),
        ("run_shell_command", {"path": "a"}, {ANYWHERE}),
        ("read_and_delete", {"path": "a"}, {A}),
        ("get_run_logs", {"path": "a"}, {ANYWHERE}),
        ("read_file", {"path": "a"}, set()),
        ("mcp__fs__listFiles", {}, set()),
        ("LS", {}, set()),
        ("git_status", {}, set()),
        ("send_mail", {"to": "a"}, set()),
        ("wait_for_job", {}, set()),
        ("", {}, {ANYWHERE}),
        ("書く", {"path": "a"}, {A}),
    ],
)
def test_what_a_call_changes_is_told_by_its_name_and_arguments(
    name: str, arguments: Any, places: set[Any]
) -> None:
    assert set(changed(name, arguments)) == places


def test_what_was_looked_at_is_everything_unless_a_path_is_named() -> None:
    assert looked_at({"path": "a"}) == (A,)
    assert looked_at({"pattern": "x", "target": "a"}) == EVERYWHERE
    assert looked_at("not JSON") == EVERYWHERE


def test_hostile_arguments_have_an_end() -> None:
    circle: dict[str, Any] = {"path": "a"}
    circle["inner"] = [circle, circle]
    assert looked_at(circle) == (A,)
    assert looked_at({"paths": [f"p{n}" for n in range(MOST_PLACES)]}) != EVERYWHERE
    assert looked_at({"paths": [f"p{n}" for n in range(MOST_PLACES + 1)]}) == EVERYWHERE
    assert looked_at("[" * 100_000) == EVERYWHERE
    assert changed("a" * 1_000_000, {}) == EVERYWHERE
