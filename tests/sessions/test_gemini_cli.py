from __future__ import annotations

import json
from typing import Any

from tests.sessions.agents import Lines, gemini_call, gemini_cli, gemini_records, jsonl
from tests.sessions.reading import read, stops

from trimtab.sessions.base import Session, Usage
from trimtab.sessions.gemini_cli import GEMINI_CLI


def session(lines: Lines) -> Session:
    (only,) = read(GEMINI_CLI, jsonl(lines))
    return only


def words(session: Session) -> list[str]:
    return [part.get("text", next(iter(part))) for message in session.messages for part in message["parts"]]


def record(name: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": kind, "content": content, "timestamp": "2026-01-01T00:00:09Z", **more}


def test_records_become_contents() -> None:
    only = session(gemini_cli())
    question, answer, results, last = only.messages
    assert question == {"role": "user", "parts": [{"text": "How many files?"}]}
    said, *calls = answer["parts"]
    assert said == {"text": "I look."}
    assert [call["functionCall"]["id"] for call in calls] == ["c1", "c2"]
    assert calls[0]["functionCall"]["args"] == {"file_path": "c1"}
    assert results == {
        "role": "user",
        "parts": [gemini_call("c1", "a.py")["result"][0], gemini_call("c2")["result"][0]],
    }
    assert last == {"role": "model", "parts": [{"text": "One."}]}
    assert (only.name, only.wire, only.damage) == ("s1", "gemini", ())


def test_the_layout_of_one_object_says_the_same() -> None:
    whole = {"sessionId": "s1", "projectHash": "abc", "messages": gemini_records()}
    (only,) = read(GEMINI_CLI, json.dumps(whole, indent=2).encode())
    assert only == session(gemini_cli())


def test_a_record_that_comes_again_is_one_call_with_its_usage() -> None:
    only = session(gemini_cli())
    assert stops(only) == [1, 3]
    assert only.calls[0].usage == Usage(input=30, read=20, output=7)
    assert only.fields == {"model": "gemini-2.5-pro"}


def test_a_rewind_takes_a_record_and_all_after_it_back() -> None:
    lines = [
        *gemini_cli(),
        record("r5", "user", "Wrong?"),
        record("r6", "gemini", "Wrong."),
        {"$rewindTo": "r5"},
        record("r5", "user", ["Right?", {"text": ""}]),
        record("r6", "gemini", "Right."),
    ]
    main, other = read(GEMINI_CLI, jsonl(lines))
    assert (words(main)[-2:], words(other)[-2:]) == (["Right?", "Right."], ["Wrong?", "Wrong."])
    assert (stops(main), stops(other)) == ([1, 3, 5], [5])


def test_a_rewind_to_nowhere_clears_all() -> None:
    lines = [
        *gemini_cli(),
        {"$rewindTo": "nowhere"},
        record("r9", "user", "New?"),
        record("r10", "gemini", "New."),
    ]
    main, other = read(GEMINI_CLI, jsonl(lines))
    assert words(main) == ["New?", "New."]
    assert len(other.messages) == 4


def test_messages_set_anew_are_a_compaction() -> None:
    summary = [record("n1", "user", "We counted."), record("n2", "gemini", "Got it.")]
    lines = [
        *gemini_cli(),
        {"$set": {"messages": summary}},
        {"$set": {"summary": "Counting"}},
        record("r9", "user", "On?"),
        record("r10", "gemini", "On."),
    ]
    only = session(lines)
    assert only.compactions == (4,)
    assert words(only)[-4:] == ["We counted.", "Got it.", "On?", "On."]
    assert [(call.start, call.stop) for call in only.calls] == [(0, 1), (0, 3), (4, 7)]


def test_messages_set_to_the_first_of_those_that_stand_are_a_step_back() -> None:
    lines = [
        *gemini_cli(),
        record("r5", "user", "Wrong?"),
        record("r6", "gemini", "Wrong."),
        {"$set": {"messages": gemini_records()}},
        record("r9", "user", "Right?"),
        record("r10", "gemini", "Right."),
    ]
    main, other = read(GEMINI_CLI, jsonl(lines))
    assert main.compactions == ()
    assert (words(main)[-2:], words(other)[-2:]) == (["Right?", "Right."], ["Wrong?", "Wrong."])


def test_messages_in_the_header_are_the_beginning() -> None:
    header = {"sessionId": "s1", "projectHash": "abc", "messages": gemini_records()}
    only = session([header, record("r9", "user", "On?"), record("r10", "gemini", "On.")])
    assert (stops(only), only.compactions) == ([1, 3, 5], ())
