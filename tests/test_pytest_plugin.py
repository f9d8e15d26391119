"""The plugin, in test runs of its own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from trimtab.testing import conversation

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "no:trimtab", "-p", "trimtab.pytest_plugin", "-p", "no:cacheprovider")


def run(pytester: pytest.Pytester, code: str) -> pytest.RunResult:
    pytester.makepyfile(f"from trimtab.testing import conversation\nREQUEST = conversation(exchanges=8)\n{code}")
    return pytester.runpytest_subprocess(*PLUGIN)


def test_facts_that_outlive_the_compaction(pytester: pytest.Pytester) -> None:
    code = """
def test_it(assert_facts):
    checked = assert_facts(REQUEST, {"new": "part 7 line 3: ", "asked": "find:said"}, budget=1_600)
    assert [str(one.standing) for one in checked] == ["visible"] * len(checked)
    assert_facts(REQUEST, ["part 0 line 30: "], budget=1_600, at_least="recoverable")
    assert_facts(REQUEST, ["part 0 line 30: "], preset="none")
"""
    run(pytester, code).assert_outcomes(passed=1)


def test_a_failure_names_each_fact_and_how_it_stands(pytester: pytest.Pytester) -> None:
    code = """
def test_it(assert_facts):
    assert_facts(REQUEST, {"old": "part 0 line 30: ", "typo": "nope", "new": "part 7 line 3: "}, budget=1_600)
"""
    result = run(pytester, code)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "2 of 3 facts are not visible:",
            "  old: recoverable, trimtab recall t:* --lines 31 *",
            "  typo: not in the original",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_files_sessions_and_what_others_compacted(pytester: pytest.Pytester) -> None:
    whole = conversation(exchanges=4)
    pytester.path.joinpath("request.json").write_text(json.dumps(whole))
    pytester.path.joinpath("facts.toml").write_text('[facts]\nlast = "part 3 line 3: "\n')
    code = """
from pathlib import Path
from trimtab.sessions.base import Call, Session

def test_it(assert_facts):
    assert_facts(Path("request.json"), Path("facts.toml"))
    messages = tuple(REQUEST["messages"])
    calls = (Call(start=0, stop=1), Call(start=0, stop=len(messages)))
    session = Session(format="x", name="", wire="anthropic", messages=messages, calls=calls)
    assert_facts(session, ["part 7 line 3: "])

def test_lost(assert_facts):
    cut = {**REQUEST, "messages": [REQUEST["messages"][0], *REQUEST["messages"][3:]]}
    assert_facts(cut, ["part 0 line 3: "], original=REQUEST, at_least="recoverable")

def test_wrong_level(assert_facts):
    assert_facts(REQUEST, [], at_least="somehow")
"""
    result = run(pytester, code)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["1 of 1 facts are not visible or recoverable:", "  part 0 line 3: : lost, *"])
    result.stdout.fnmatch_lines(["*ValueError: at_least='somehow': expected one of visible, recoverable"])


def test_the_plugin_costs_nothing_until_it_is_used() -> None:
    code = "import trimtab.pytest_plugin, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("trimtab")}
    assert loaded == {"trimtab", "trimtab.pytest_plugin"}
    assert not {"msgspec", "toktok", "typer"} & set(done.stdout.split())
