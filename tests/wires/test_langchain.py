"""LangChain messages as parts: what each becomes, what names it, and that all places of a call change together."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    message_chunk_to_message,
    message_to_dict,
)
from msgspec.structs import replace
from tests.wires.apply import apply
from tests.wires.row_examples_langchain import ARGS, MEDIA, PARSED, RAW, ai, human, raw, tool, use

from trimtab import WireError, validate
from trimtab.body import open_body
from trimtab.jsonbytes import Set
from trimtab.transcript import Media, Message, Opaque, Part, Reasoning, Role, Text, ToolCall, ToolResult
from trimtab.wires import sniff
from trimtab.wires.langchain import LANGCHAIN

TASK = HumanMessage("Fix it.")
CALL = AIMessage("", tool_calls=[{"id": "c", "name": "read", "args": ARGS}])
RESULT = ToolMessage("text", tool_call_id="c")


def read(*messages: Any) -> list[Message]:
    body = open_body(list(messages))
    assert sniff(body.fields(), [body.source(n) for n in range(body.size)]) is LANGCHAIN
    return [LANGCHAIN.message(body.source(n)) for n in range(body.size)]


def parts(message: Any) -> tuple[Part, ...]:
    return LANGCHAIN.message(open_body([message]).source(0)).parts


def named(message: Any) -> Any:
    return LANGCHAIN.canonical(open_body([message]).source(0))


def test_each_class_has_its_role() -> None:
    given: list[BaseMessage] = [
        SystemMessage("be brief"),
        TASK,
        CALL,
        RESULT,
        FunctionMessage(name="f", content="r"),
        ChatMessage(role="assistant", content="so"),
        ChatMessage(role="developer", content="so"),
        ChatMessage(role="narrator", content="once"),
        RemoveMessage(id="1"),
        AIMessageChunk(content="so"),
    ]
    roles = [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL, Role.TOOL, Role.ASSISTANT, Role.SYSTEM, Role.USER]
    found = read(*given)
    assert [one.role for one in found] == [*roles, Role.SYSTEM, Role.ASSISTANT]
    assert isinstance(found[7].parts[0], Opaque)
    assert found[8].parts == (Opaque("remove"),)


def test_a_result_carries_its_call_and_whether_it_failed_but_not_its_artifact() -> None:
    given = ToolMessage(["one", {"type": "text", "text": "two"}, MEDIA[2]], tool_call_id="c", status="error")
    one, two, picture = parts(given)
    assert one == ToolResult("c", "one", True, ("content", 0))
    assert two == ToolResult("c", "two", True, ("content", 1, "text"))
    assert isinstance(picture, Media)
    assert picture.call_id == "c"
    assert parts(ToolMessage("r", tool_call_id="c", artifact={"rows": "x" * 9_999})) == (
        ToolResult("c", "r", path=("content",)),
    )
    assert parts(ToolMessage([], tool_call_id="c")) == (ToolResult("c", ""),)


def test_an_answer_is_reasoning_then_words_then_each_call_once() -> None:
    given = AIMessage(
        [{"type": "thinking", "thinking": "t", "signature": "s"}, {"type": "text", "text": "so"}, use(input=ARGS)],
        tool_calls=[PARSED],
        additional_kwargs={**raw(), "reasoning_content": "deep"},
    )
    assert [replace(one, path=()) for one in parts(given)] == [
        Reasoning("deep", True),
        Reasoning("t", True),
        Text("so"),
        ToolCall("c", "read", '{"path":"a.py","n":1}'),
    ]


@pytest.mark.parametrize(
    ("block", "bound"),
    [
        ({"type": "thinking", "thinking": "t"}, False),
        ({"type": "thinking", "thinking": "t", "signature": "s"}, True),
        ({"type": "reasoning", "reasoning": "t"}, False),
        ({"type": "reasoning", "reasoning": "t", "extras": {"signature": "s"}}, True),
        ({"type": "reasoning", "id": "rs_1", "summary": []}, True),
        ({"type": "reasoning", "id": "lc_1", "reasoning": "t", "encrypted_content": "e"}, True),
        ({"type": "redacted_thinking", "data": "e"}, True),
    ],
)
def test_signed_reasoning_is_bound(block: Any, bound: bool) -> None:
    (found,) = parts(AIMessage([block]))
    assert isinstance(found, Reasoning)
    assert found.bound is bound


def test_a_call_that_only_one_place_holds_is_a_call() -> None:
    for given in (ai(use(input=ARGS)), ai(additional_kwargs=raw()), ai(use(input={}, partial_json=RAW))):
        (call,) = [one for one in LANGCHAIN.message(given).parts if isinstance(one, ToolCall)]
        assert (call.id, call.name, json.loads(call.arguments)) == ("c", "read", ARGS)


def test_calls_of_one_id_are_told_apart_by_order() -> None:
    made = [{**PARSED, "args": {"path": name}} for name in ("a.py", "b.py")]
    given = ai(*({**use(), "input": one["args"]} for one in made), tool_calls=made)
    first, second = LANGCHAIN.message(given).parts
    after = apply(given, LANGCHAIN.overlay(given, second, replace(second, arguments='{"path": "cut"}')))
    assert [one["args"]["path"] for one in after["tool_calls"]] == ["a.py", "cut"]
    assert [one["input"]["path"] for one in after["content"]] == ["a.py", "cut"]
    assert first.path == ("tool_calls", 0, "args")


def test_places_that_have_drifted_apart_say_the_same_after_an_edit() -> None:
    given = ai(use(input={"path": "old.py", "more": []}), tool_calls=[PARSED], additional_kwargs=raw("{}"))
    (call,) = LANGCHAIN.message(given).parts
    after = apply(given, LANGCHAIN.overlay(given, call, replace(call, arguments='{"path": "cut", "n": 1}')))
    cut = {"path": "cut", "n": 1}
    assert after["tool_calls"][0]["args"] == after["content"][0]["input"] == cut
    assert json.loads(after["additional_kwargs"]["tool_calls"][0]["function"]["arguments"]) == cut


def test_an_empty_place_says_nothing_and_stays() -> None:
    given = ai(use(input={}, partial_json=RAW), tool_calls=[PARSED])
    (call,) = LANGCHAIN.message(given).parts
    ops = LANGCHAIN.overlay(given, call, replace(call, arguments='{"path": "cut", "n": 1}'))
    assert ops == [
        Set(("tool_calls", 0, "args", "path"), "cut"),
        Set(("content", 0, "partial_json"), '{"path": "cut", "n": 1}'),
    ]


def test_what_does_not_fit_is_refused() -> None:
    given = ai({"type": "custom_tool_call", "call_id": "c", "name": "read", "input": "ls"}, tool_calls=[PARSED])
    (call,) = LANGCHAIN.message(given).parts
    with pytest.raises(WireError, match="do not fit"):
        LANGCHAIN.overlay(given, call, replace(call, arguments='{"path": "cut", "n": 1}'))
    with pytest.raises(WireError, match="must stay JSON"):
        LANGCHAIN.overlay(given, call, replace(call, arguments="ls"))
    with pytest.raises(WireError, match="only reasoning"):
        LANGCHAIN.drop(given, call)


def test_long_base64_in_what_is_kept_whole_is_not_counted_as_text() -> None:
    shown = [parts(AIMessage([{"type": "image_generation_call", "result": "iVBOR" * n}])) for n in (999, 99_999)]
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    "message", [TASK, CALL, RESULT, SystemMessage("s"), FunctionMessage(name="f", content="r")]
)
def test_every_form_has_the_same_parts_and_the_same_name(message: BaseMessage) -> None:
    forms = [message, message.model_dump(), message_to_dict(message), dumpd(message)]
    assert all(named(one) == named(message) for one in forms)
    shown = [[replace(part, path=()) for part in read(one)[0].parts] for one in forms]
    assert all(one == shown[0] for one in shown)


def test_a_checkpoint_renames_nothing() -> None:
    chunk = AIMessageChunk(
        content="so",
        tool_call_chunks=[{"id": "c", "name": "read", "args": RAW, "index": 0}],
        chunk_position="last",
        id="run-1",
        response_metadata={"finish_reason": "stop"},
        usage_metadata={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    )
    kept = message_chunk_to_message(chunk)
    assert named(kept) == named(chunk) == named(kept.model_copy(update={"id": None, "usage_metadata": None}))
    assert named(kept) != named(kept.model_copy(update={"name": "planner"}))
    assert named(kept) != named(kept.model_copy(update={"tool_calls": []}))


def test_unanswered_calls_and_orphans_are_found() -> None:
    assert validate([TASK, CALL, RESULT, AIMessage("done"), TASK]) == []
    assert validate([TASK, CALL]) == []
    assert [(one.rule, one.place) for one in validate([TASK, CALL, TASK])] == [("L1", "messages[1].tool_calls[0]")]
    assert [(one.rule, one.place) for one in validate([TASK, RESULT])] == [("L2", "messages[1].content")]
    assert [one.rule for one in validate([TASK, CALL, AIMessage("so"), RESULT])] == ["L1", "L2"]
    inside = human({"type": "tool_result", "tool_use_id": "c", "content": "text"})
    assert validate([{"type": "human", "content": "go"}, ai(tool_calls=[PARSED]), inside]) == []


@pytest.mark.parametrize(
    ("fields", "messages"),
    [
        ({}, [TASK]),
        (
            {"model": "claude-sonnet-4-5", "max_tokens": 9, "tools": [{"name": "f", "input_schema": {}}]},
            [TASK, CALL],
        ),
        ({"tools": [{"type": "function", "function": {"name": "f"}}], "seed": 1}, [CALL, RESULT]),
        ({}, [ChatMessage(role="system", content="so"), TASK]),
        ({}, [tool(), human("a")]),
        ({}, [{"type": "human", "data": {"content": "a"}}]),
        ({}, [dumpd(TASK)]),
    ],
)
def test_messages_of_langchain_are_recognised(fields: dict[str, Any], messages: list[Any]) -> None:
    for payload in ({**fields, "messages": messages}, *([messages] if not fields else [])):
        body = open_body(payload)
        assert sniff(body.fields(), [body.source(n) for n in range(body.size)]) is LANGCHAIN


@pytest.mark.parametrize(
    "message",
    [
        {"type": "message", "role": "user", "content": "a"},
        {"type": "user", "content": "a"},
        {"type": "human"},
        {"type": "human", "data": "a"},
        {"type": "human", "role": "user", "content": "a"},
        {"type": ["human"], "content": "a"},
        ["a", "b"],
        ["human", "a", "b"],
        "human",
    ],
)
def test_what_looks_alike_is_not_claimed(message: Any) -> None:
    assert LANGCHAIN.sniff({}, [message]) == 0


def test_templates_and_strangers_among_messages_are_refused_in_words() -> None:
    with pytest.raises(WireError, match="convert_to_messages"):
        validate([("human", "Fix it."), ("ai", "so")])
    with pytest.raises(WireError, match="convert_to_messages"):
        validate([TASK, ("ai", "so")])
    with pytest.raises(WireError, match="expected a LangChain message"):
        validate([TASK, {"role": "user", "content": "so"}])


def test_the_frame_is_what_stands_beside_the_messages() -> None:
    fields = {"model": "m", "system": "be brief", "tools": [{"name": "f"}], "max_tokens": 9, "response_format": {}}
    frame = LANGCHAIN.frame(fields)
    assert (frame.model, frame.system, frame.tools) == ("m", ("be brief",), ('{"name":"f"}',))
    assert (frame.max_output, frame.structured) == (9, True)
