from __future__ import annotations

import json

from tests.wires.openai_requests import USER, assistant, broken, made, tool


def test_a_sound_request_has_no_findings() -> None:
    assert broken(USER, assistant(made("a"), made("b")), tool("b"), tool("a"), USER) == []
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    assert broken(USER, call, {"role": "function", "name": "f", "content": "x"}, USER) == []
    assert broken(USER, assistant(made("a", ""), content="")) == []
    surrogate = "\ud83d"
    assert broken(USER, assistant(made("a", json.dumps({"a": surrogate}, ensure_ascii=False)))) == []


def test_PAIR_01_C2_a_result_without_its_call() -> None:
    assert broken(tool("c1"), USER) == [("C2", "messages[0].content")]
    assert broken(USER, {"role": "function", "name": "f", "content": "x"}) == [("C2", "messages[1].content")]


def test_PAIR_22_C1_a_call_without_its_result() -> None:
    assert broken(USER, assistant(made("c1")), USER) == [("C1", "messages[1].tool_calls[0]")]


def test_PAIR_21_an_open_call_may_end_the_request() -> None:
    assert broken(USER, assistant(made("z"))) == []


def test_PAIR_23_C3_nothing_may_be_empty() -> None:
    assert broken({"role": "assistant", "content": None}) == [("C3", "messages[0]")]
    assert broken({"role": "assistant", "content": "a", "tool_calls": []}) == [("C3", "messages[0].tool_calls")]
    assert broken(USER, assistant(made("a")), tool("a", None)) == [("C3", "messages[2]")]
    assert broken({"role": "assistant", "content": None, "refusal": "no"}) == []


def test_C3_a_result_is_text() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    parts = [{"type": "text", "text": "a"}, image]
    assert broken(assistant(made("a")), tool("a", parts)) == [("C3", "messages[1].content[1]")]
    assert broken({"role": "user", "content": parts}) == []


def test_C4_a_sound_needs_its_id() -> None:
    assert broken({"role": "assistant", "audio": {"id": "audio_1"}}) == []
    assert broken({"role": "assistant", "audio": {"data": "AAAA"}}) == [("C4", "messages[0].audio")]


def test_C4_a_function_result_needs_a_name() -> None:
    call = {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}
    assert broken(call, {"role": "function", "content": "x"}) == [("C4", "messages[1]")]


def test_C5_too_many_tools() -> None:
    assert broken(USER, tools=[{}] * 128) == []
    assert broken(USER, tools=[{}] * 129) == [("C5", "tools")]
    assert broken(USER, functions=[{}] * 129) == [("C5", "functions")]


def test_CONT_08_C9_arguments_must_stay_json() -> None:
    whole = json.dumps({"path": "a.md", "content": "x" * 3000})
    assert broken(assistant(made("a", whole))) == []
    assert broken(assistant(made("a", whole[:500]))) == [("C9", "messages[0].tool_calls[0].function.arguments")]
    assert broken(assistant({"id": "a", "type": "custom", "custom": {"name": "sh", "input": "ls {"}})) == []
    old = {"role": "assistant", "function_call": {"name": "f", "arguments": whole[:500]}}
    assert broken(old) == [("C9", "messages[0].function_call.arguments")]
