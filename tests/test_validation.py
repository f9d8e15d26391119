"""The rules on thinking, which one request alone does not show to be broken."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from tests.strategies import BINDING
from tests.wires.anthropic_requests import DONE, HOUR, MARK, USER, assistant, result, system, text, use, user
from tests.wires.bedrock_requests import POINT, SPEC

from trimtab import WireError, validate

SEALED = {"type": "redacted_thinking", "data": "ZW5j"}


def thought(words: str = "t", signature: str = "s") -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": signature}


def request(*messages: Any, model: str = BINDING, **fields: Any) -> dict[str, Any]:
    tools = [{"name": "read", "input_schema": {"type": "object"}}]
    return {"model": model, "max_tokens": 9, "tools": tools, "messages": deepcopy(list(messages)), **fields}


def broken(now: dict[str, Any], before: dict[str, Any]) -> list[tuple[str, str]]:
    found = [(one.rule, one.place) for one in validate(now, before=before)]
    assert found == [(one.rule, one.place) for one in validate(json.dumps(now).encode(), before=before)]
    return found


OPEN = (USER, assistant(thought("a", "1"), SEALED, text("I look"), use("a")), user(result("a")))
OVER = (*OPEN, assistant(thought("b", "2"), text("so")), user(text("go on")))


def changed(messages: Any, index: int, content: Any) -> list[Any]:
    made = deepcopy(list(messages))
    made[index]["content"] = content
    return made


@pytest.mark.parametrize("messages", [OPEN, OVER, (USER,), (*OPEN, DONE, USER)])
def test_the_same_request_breaks_nothing(messages: Any) -> None:
    assert broken(request(*messages), request(*messages)) == []


@pytest.mark.parametrize(
    "thinking",
    [
        [],
        [SEALED],
        [SEALED, thought("a", "1")],
        [thought("a", "1"), SEALED, SEALED],
        [thought("a ", "1"), SEALED],
        [thought("a", "other"), SEALED],
    ],
)
@pytest.mark.parametrize("model", [BINDING, "claude-sonnet-4-5"])
def test_A4_thinking_of_an_open_exchange_stays_as_it_is(thinking: list[Any], model: str) -> None:
    now = request(*changed(OPEN, 1, [*thinking, text("I look"), use("a")]), model=model)
    assert ("A4", "messages[1]") in broken(now, request(*OPEN, model=model))


def test_A4_when_a_user_has_spoken_thinking_may_go_as_a_whole() -> None:
    now = request(*changed(OVER, 3, [text("so")]), model="claude-sonnet-4-5")
    assert broken(now, request(*OVER, model="claude-sonnet-4-5")) == []
    now = request(*changed(OVER, 3, [thought("c", "2"), text("so")]), model="claude-sonnet-4-5")
    assert broken(now, request(*OVER, model="claude-sonnet-4-5")) == [("A4", "messages[3]")]


def test_A4_an_answer_that_came_since_is_no_change() -> None:
    grown = request(*OVER, assistant(thought("c", "3"), text("done")), USER, model="claude-sonnet-4-5")
    assert broken(grown, request(*OVER, model="claude-sonnet-4-5")) == []


@pytest.mark.parametrize(
    "messages",
    [
        changed(OVER, 0, "go"),
        changed(OVER, 2, [result("a", "cut")]),
        changed(OVER, 1, [thought("a", "1"), SEALED, text("I look"), use("a", {"path": "b"})]),
        changed(OVER, 1, [text("I look"), use("a")]),
        [*OVER[:1], *OVER[3:]],
        [OVER[0], system("s"), *OVER[1:]],
        [{**OVER[0], "x_unknown": 1}, *OVER[1:]],
    ],
)
def test_A5_signed_thinking_does_not_outlive_what_stood_before_it(messages: Any) -> None:
    found = broken(request(*messages), request(*OVER))
    assert ("A5", f"messages[{len(messages) - 2}]") in found
    assert broken(request(*messages, model="claude-sonnet-4-5"), request(*OVER, model="claude-sonnet-4-5")) == []


def test_A5_thinking_before_the_change_stands() -> None:
    cut = changed(OVER, 1, [thought("a", "1"), SEALED, text("I see"), use("a")])
    assert broken(request(*cut), request(*OVER)) == [("A5", "messages[3]")]
    cut = changed(cut, 3, [text("so")])
    assert broken(request(*cut), request(*OVER)) == []
    assert broken(request(*changed(OVER, 0, "go")), request(*OVER)) == [("A5", "messages[1]")] * 2 + [
        ("A5", "messages[3]")
    ]


@pytest.mark.parametrize("frame", [{"system": "s"}, {"tools": []}, {"system": [text("other")]}])
def test_A5_thinking_stands_over_system_and_tools_too(frame: dict[str, Any]) -> None:
    found = broken(request(*OPEN, **frame), request(*OPEN))
    assert found == [("A5", "messages[1]")] * 2


def test_A5_cache_marks_and_forms_of_a_text_are_no_change() -> None:
    marked = [user(text("go on", **MARK)), *OPEN[1:2], user(result("a", [text("text", **MARK)]))]
    tools = [{"name": "read", "input_schema": {"type": "object"}, **HOUR}]
    assert broken(request(*marked, tools=tools), request(*OPEN)) == []


def test_A5_thinking_without_a_signature_is_bound_to_nothing() -> None:
    plain = [USER, assistant({"type": "thinking", "thinking": "t"}, text("a")), USER]
    assert broken(request(*changed(plain, 0, "go")), request(*plain)) == []


def test_A5_who_asks_the_provider_to_drop_it_may_send_it() -> None:
    dropping = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    assert broken(request(*changed(OVER, 0, "go"), thinking=dropping), request(*OVER)) == []


def test_A4_A5_hold_for_bedrock_too() -> None:
    signed = {"reasoningContent": {"reasoningText": {"text": "t", "signature": "s"}}}
    use_, answered = {"toolUse": {"toolUseId": "a", "name": "read", "input": {}}}, {"toolUseId": "a"}

    def made(task: str, thinking: Any, *after: Any) -> dict[str, Any]:
        messages = [
            user({"text": task}),
            assistant(*thinking, use_),
            user({"toolResult": {**answered, "content": [{"text": "x"}]}}, *after),
        ]
        model = "us.anthropic.claude-opus-5-5-v1:0"
        return {"modelId": model, "toolConfig": {"tools": [SPEC]}, "messages": messages}

    before = made("go", [signed])
    assert broken(made("go", [signed], POINT), before) == []
    assert broken(made("went", [signed]), before) == [("A5", "messages[1]")]
    assert broken(made("go", []), before) == [("A4", "messages[1]")]


def test_other_wires_have_no_such_rules() -> None:
    before = {"messages": [USER, {"role": "assistant", "content": "a", "reasoning_content": "t"}, USER]}
    now = {"messages": [USER, {"role": "assistant", "content": "a"}, USER]}
    assert broken(now, before) == []


def test_what_was_before_must_be_a_request() -> None:
    with pytest.raises(WireError):
        validate(request(*OPEN), before={"messages": 3})
