from __future__ import annotations

from typing import Any

from tests.sessions.agents import Lines, codex, jsonl
from tests.sessions.reading import read, stops

from trimtab.sessions.base import Damage, Session, Usage
from trimtab.sessions.codex import CODEX


def session(lines: Lines) -> Session:
    (only,) = read(CODEX, jsonl(lines))
    return only


def kinds(session: Session) -> list[str]:
    return [item.get("role") or item["type"] for item in session.messages]


def line(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:09Z", "type": kind, "payload": payload}


def said(role: str, words: str) -> dict[str, Any]:
    content = [{"type": "output_text" if role == "assistant" else "input_text", "text": words}]
    return line("response_item", type="message", role=role, content=content)


def asked(words: str) -> Lines:
    return [said("user", words), line("event_msg", type="user_message", message=words)]


def test_items_stand_as_they_were_sent() -> None:
    only = session(codex())
    calls = ["function_call", "custom_tool_call", "function_call_output", "custom_tool_call_output"]
    assert kinds(only) == ["developer", "user", "reasoning", *calls, "assistant"]
    assert only.messages[5]["output"] == "Wall time: 0.1 seconds\nOutput:\na.py"
    assert only.messages[2] == codex()[5]["payload"]
    assert (only.name, only.wire, only.damage) == ("s1", "openai_responses", ())
    assert only.fields == {"model": "gpt-5.4", "instructions": "You count files."}
    assert only.partial == "the tools"


def test_an_answer_of_several_items_is_one_call_and_its_usage_is_told_behind_it() -> None:
    only = session(codex())
    assert stops(only) == [2, 7]
    assert [call.usage for call in only.calls] == [Usage(input=30, read=20, output=4), None]
    assert {call.model for call in only.calls} == {"gpt-5.4"}


def test_a_replacement_history_is_what_is_sent_from_there_on() -> None:
    history = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "How many?"}]},
        {"type": "compaction", "encrypted_content": "c2VhbGVk"},
    ]
    zero = {"last_token_usage": {"input_tokens": 0, "output_tokens": 0, "total_tokens": 900}}
    lines = [
        *codex(),
        line("compacted", message="", replacement_history=history),
        line("event_msg", type="token_count", info=zero),
        said("user", "On."),
        said("assistant", "Onwards."),
    ]
    only = session(lines)
    assert only.compactions == (8,)
    assert only.messages[8:10] == tuple(history)
    assert (only.calls[-1].start, only.calls[-1].stop) == (8, 11)
    assert [call.usage for call in only.calls[1:]] == [None, None]


def test_without_a_replacement_history_the_summary_is_left_and_the_rest_is_told_to_be_lost() -> None:
    only = session([*codex(), line("compacted", message="We counted."), *asked("On."), said("assistant", "Yes.")])
    assert only.messages[8]["content"] == [{"type": "input_text", "text": "We counted."}]
    assert only.compactions == (8,)
    assert "kept beside a summary" in only.partial


def test_an_empty_compaction_is_told() -> None:
    only = session([*codex(), line("compacted", message="")])
    assert only.compactions == ()
    assert only.damage == (Damage(14, "a compaction that does not say what it left"),)


def test_turns_rolled_back_are_a_session_of_their_own() -> None:
    lines = [
        *codex(),
        *asked("Wrong?"),
        said("assistant", "Wrong."),
        *asked("Worse?"),
        said("assistant", "Worse."),
        line("event_msg", type="thread_rolled_back", num_turns=2),
        *asked("Right?"),
        said("assistant", "Right."),
    ]
    main, back = read(CODEX, jsonl(lines))
    told = [item["content"][0]["text"] for item in main.messages if "content" in item]
    assert told == ["Be brief.", "How many files?", "One.", "Right?", "Right."]
    assert [item["content"][0]["text"] for item in back.messages[8:]] == ["Wrong?", "Wrong.", "Worse?", "Worse."]
    assert (stops(main), stops(back)) == ([2, 7, 9], [9, 11])


def test_two_answers_in_a_row_are_told_apart_by_their_usage() -> None:
    used = {"last_token_usage": {"input_tokens": 40, "output_tokens": 1}}
    counted = line("event_msg", type="token_count", info=used)
    only = session([*codex(), counted, said("assistant", "And so."), counted])
    assert stops(only) == [2, 7, 8]
    assert [call.usage.input if call.usage else None for call in only.calls] == [30, 40, 40]


def test_rollouts_from_before_lines_had_envelopes_are_read() -> None:
    lines: Lines = [
        {"id": "s0", "timestamp": "2025-06-01T00:00:00Z", "instructions": "Be brief.", "git": {}},
        {"record_type": "state"},
        *(one["payload"] for one in codex() if one["type"] == "response_item"),
    ]
    only = session(lines)
    assert len(only.messages) == 8
    assert (only.name, only.fields, stops(only)) == ("s0", {"instructions": "Be brief."}, [2, 7])


def test_items_that_codex_keeps_for_itself_are_left_out() -> None:
    lines = [*codex(), line("response_item", type="ghost_snapshot"), line("of_tomorrow", what={})]
    assert len(session(lines).messages) == 8


def test_a_forked_rollout_keeps_its_own_header() -> None:
    older = line("session_meta", id="s0", base_instructions={"text": "Old."})
    assert session([*codex()[:1], older, *codex()[1:]]).name == "s1"
