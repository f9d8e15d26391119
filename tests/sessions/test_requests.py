from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sessions import samples
from tests.sessions.reading import read, stops

from trimtab.errors import WireError
from trimtab.sessions.base import Usage
from trimtab.sessions.requests import REQUESTS

FIRST, SECOND = samples.requests()
CLAUDE = {"model": "claude-sonnet-4-5", "max_tokens": 9, "system": "Hi.", "messages": [samples.USER]}
RESPONSES = {"model": "m", "input": [{"type": "message", "role": "user", "content": "Hi."}]}


def test_requests_that_extend_one_another_are_one_session() -> None:
    (session,) = read(REQUESTS, samples.json_lines([FIRST, SECOND]))
    assert list(session.messages) == samples.CHAT[:4]
    assert session.fields == {"model": "m", "tools": samples.TOOLS}
    assert stops(session) == [2, 4]
    assert session.partial == "the last answer"


def test_a_bare_list_of_messages() -> None:
    (session,) = read(REQUESTS, samples.CHAT)
    assert list(session.messages) == samples.CHAT
    assert stops(session) == [2, 4, 5]


def test_conversations_may_alternate() -> None:
    first, second = read(REQUESTS, [FIRST, CLAUDE, SECOND])
    assert (first.wire, stops(first)) == ("openai_chat", [2, 4])
    assert (second.wire, stops(second)) == ("anthropic", [1])
    assert (first.name, second.name) == ("1", "2")


def test_a_moved_cache_mark_changes_nothing() -> None:
    marked = {"type": "text", "text": "How many?", "cache_control": {"type": "ephemeral"}}
    again = [{"role": "user", "content": [marked]}, samples.SAYS, samples.USER]
    (session,) = read(REQUESTS, [CLAUDE, {**CLAUDE, "messages": again}])
    assert stops(session) == [1, 3]


def test_a_shorter_or_other_beginning_is_another_session() -> None:
    assert len(read(REQUESTS, [SECOND, FIRST])) == 2
    other = {**FIRST, "messages": [samples.SYSTEM, {"role": "user", "content": "Else?"}]}
    assert len(read(REQUESTS, [FIRST, other])) == 2


@pytest.mark.parametrize("key", ["request", "request_params", "body"])
def test_wrapped_requests_with_their_responses(key: str) -> None:
    pairs = ((FIRST, samples.ASKS), (SECOND, samples.SAYS))
    entries = [{key: body, "response": samples.response(said)} for body, said in pairs]
    (session,) = read(REQUESTS, samples.json_lines(entries))
    assert list(session.messages) == samples.CHAT
    assert session.calls[1].usage == Usage(input=20, read=12, output=5)
    assert session.calls[1].at == 1700000000
    assert session.partial == ""


def test_requests_and_responses_as_text() -> None:
    entry = {"request": json.dumps(SECOND), "response": json.dumps(samples.response(samples.SAYS))}
    (session,) = read(REQUESTS, samples.json_lines([entry]))
    assert list(session.messages) == samples.CHAT


def test_a_response_beside_the_messages() -> None:
    (session,) = read(REQUESTS, {**SECOND, "response": samples.response(samples.SAYS), "timestamp": 1700000009})
    assert list(session.messages) == samples.CHAT
    assert "timestamp" not in session.fields
    assert session.calls[-1].at == 1700000009


def test_a_response_in_the_next_line() -> None:
    entries = [
        {"type": "request", "timestamp": "2025-11-03T03:37:19", "request_params": SECOND},
        {"type": "response", "response": samples.response(samples.SAYS)},
    ]
    (session,) = read(REQUESTS, samples.json_lines(entries))
    assert list(session.messages) == samples.CHAT
    assert session.calls[-1].at == 1762141039.0
    assert session.damage == ()


def test_anthropic_is_told_by_its_response() -> None:
    answer = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Two."}]}
    used = {"input_tokens": 3, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 7, "output_tokens": 2}
    entry = {"request": {**CLAUDE, "model": "x", "system": None}, "response": {**answer, "usage": used}}
    (session,) = read(REQUESTS, samples.json_lines([entry]))
    assert session.wire == "anthropic"
    assert session.messages[1] == {"role": "assistant", "content": answer["content"]}
    assert session.calls[0].usage == Usage(input=50, read=40, written=7, output=2)


def test_responses_of_openai() -> None:
    output = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Two."}]}]
    entry = {"request": RESPONSES, "response": {"object": "response", "created_at": 1700000000, "output": output}}
    (session,) = read(REQUESTS, samples.json_lines([entry]))
    assert session.wire == "openai_responses"
    assert list(session.messages) == [*RESPONSES["input"], *output]
    assert session.calls[0].at == 1700000000


def test_what_the_provider_holds_is_said() -> None:
    (session,) = read(REQUESTS, {**RESPONSES, "previous_response_id": "r0"})
    assert "previous_response_id" in session.partial


def test_a_text_instead_of_messages() -> None:
    (session,) = read(REQUESTS, samples.json_lines([{"request": {"model": "m", "input": "Hi."}}]))
    assert session.messages == ({"role": "user", "content": "Hi."},)


def test_damaged_lines_are_told_and_a_torn_end_is_normal() -> None:
    whole = samples.json_lines([FIRST, {"note": 1}]) + b"{oops\n" + samples.json_lines([SECOND])
    (session,) = read(REQUESTS, whole + b'{"model": "m", "mess')
    assert stops(session) == [2, 4]
    assert sorted(one.line for one in session.damage) == [2, 3]


def test_an_empty_file_holds_nothing() -> None:
    assert not REQUESTS.sniff(b"")
    assert list(REQUESTS.read(b"")) == []


@pytest.mark.parametrize("data", [b"{oops\n", b'{"a": 1}', b"[1]", b'{"messages": ["a"]}', b'{"input": ["text"]}'])
def test_nothing_readable_is_an_error(data: bytes) -> None:
    assert not REQUESTS.sniff(data)
    with pytest.raises(WireError, match="no request"):
        list(REQUESTS.read(data))


def test_deep_nesting_is_damage() -> None:
    deep: Any = "x"
    for _ in range(400):
        deep = [deep]
    tail = [samples.SAYS, {"role": "user", "content": deep}]
    (session,) = read(REQUESTS, samples.json_lines([FIRST, {**FIRST, "messages": [*samples.CHAT[:2], *tail]}]))
    assert stops(session)[0] == 2


def test_an_answer_of_several_items_was_one_call() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "c1", "output": "a"}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]}
    (session,) = read(REQUESTS, {**RESPONSES, "input": [*RESPONSES["input"], said, call, result]})
    assert stops(session) == [1, 4]
