"""Recorded sessions of agents: all is read, and what was sent is what its provider takes."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import pytest
from tests.sessions.reading import findings

import trimtab
from trimtab import sessions
from trimtab.composition import composition
from trimtab.sessions.base import Session

pytestmark = pytest.mark.corpus

FORMATS = {
    "claude-code-jsonl": "claude-code",
    "codex-rollout-jsonl": "codex",
    "pi-session-jsonl": "pi",
    "copilot-cli-events-jsonl": "copilot-cli",
    "gemini-cli-session-json": "gemini-cli",
}
NAMED = {
    "intercode-json": "InterCode",
    "inspect-eval-log": "inspect log",
    "moatless-tree(anthropic-messages)": "moatless search tree",
}
RECORDED_SO = {"A8", "A20", "G2"}
"""Blank texts of the model, and answers in a row between which the client noted nothing, stand in the files."""
CALLS = {"tool_use", "function_call", "custom_tool_call", "tool_search_call", "web_search_call"}

FOLDER = Path(os.environ.get("TRIMTAB_CORPUS", "."))
INDEX = FOLDER / "index.csv"
ROWS = list(csv.DictReader(INDEX.read_text().splitlines())) if INDEX.is_file() else []
OURS = [pytest.param(row, id=row["file"][-40:]) for row in ROWS if row["format"] in FORMATS]
OTHERS = [pytest.param(row, id=row["file"][-40:]) for row in ROWS if row["format"] in NAMED]


def messages(found: list[Session]) -> list[Any]:
    """The messages of all sessions, each once: forks share theirs, and some come again behind a compaction."""
    return list({id(message): message for session in found for message in session.messages}.values())


def tool_calls(message: dict[str, Any]) -> int:
    inside = [message, *(message.get("content") or ()), *(message.get("parts") or ())]
    marked = [
        one for one in inside if isinstance(one, dict) and (one.get("type") in CALLS or "functionCall" in one)
    ]
    return len(marked) + len(message.get("tool_calls") or ())


@pytest.mark.parametrize("row", OURS or [pytest.param({}, id="none")])
def test_a_recorded_session_is_read_whole(row: dict[str, str]) -> None:
    found = list(sessions.read(FOLDER / row["file"]))
    assert {session.format for session in found} == {FORMATS[row["format"]]}
    assert found[0].damage == ()
    said = messages(found)
    made = sum(map(tool_calls, said))
    assert abs(made - int(row["tool_calls"])) <= int(row["tool_calls"]) * 0.1 + 2
    assert int(row["messages"]) * 0.4 <= len(said) <= int(row["messages"]) * 1.1
    assert all(call.at and call.model for session in found for call in session.calls)


@pytest.mark.parametrize("row", OURS or [pytest.param({}, id="none")])
def test_recorded_calls_are_valid_requests_and_can_be_compacted(row: dict[str, str]) -> None:
    for session in sessions.read(FOLDER / row["file"]):
        calls = session.calls[:: len(session.calls) // 8 + 1] + session.calls[-1:]
        assert {one.rule for call in calls for one in findings(session, call)} <= RECORDED_SO
        last = session.request(session.calls[-1])
        compactor = trimtab.Compactor(store="memory:", budget=composition(last, None).tokens // 2)
        try:
            compacted = compactor.compact(last)
        except trimtab.BudgetError:
            continue
        assert {one.rule for one in trimtab.validate(compacted.payload)} <= RECORDED_SO


@pytest.mark.parametrize("row", OTHERS or [pytest.param({}, id="none")])
def test_what_is_not_read_is_named(row: dict[str, str]) -> None:
    with pytest.raises(trimtab.WireError, match=NAMED[row["format"]]):
        list(sessions.read(FOLDER / row["file"]))
