from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.wires.apply import apply
from tests.wires.openai_requests import assistant, made, tool

from trimtab.errors import WireError
from trimtab.images import image_tokens
from trimtab.transcript import (
    Frame,
    Media,
    Message,
    Opaque,
    Part,
    Reasoning,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from trimtab.wires.openai_chat import OPENAI_CHAT

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
ARGUMENTS = ("tool_calls", 0, "function", "arguments")


def image(media_type: str, data: str, *path: str | int, call_id: str | None = None, detail: str = "auto") -> Media:
    return Media(media_type, data, image_tokens("openai_chat", media_type, data, detail), call_id, path)


@pytest.mark.parametrize(
    ("source", "role", "parts"),
    [
        ({"role": "system", "content": "s"}, Role.SYSTEM, [Text("s", ("content",))]),
        ({"role": "developer", "content": "s"}, Role.SYSTEM, [Text("s", ("content",))]),
        ({"role": "user", "content": ""}, Role.USER, [Text("", ("content",))]),
        ({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
         Role.USER,
         [Text("a", ("content", 0, "text")), Text("b", ("content", 1, "text"))]),
        ({"role": "assistant", "content": None}, Role.ASSISTANT, []),
        ({"role": "assistant"}, Role.ASSISTANT, []),
        ({"role": "assistant", "content": "a", "refusal": None, "name": "x"}, Role.ASSISTANT,
         [Text("a", ("content",))]),
        (assistant(made("c", '{"a": 1}')), Role.ASSISTANT, [ToolCall("c", "read", '{"a": 1}', ARGUMENTS)]),
        (assistant(made("c", {"a": 1})), Role.ASSISTANT, [ToolCall("c", "read", '{"a":1}', ARGUMENTS)]),
        (assistant(made("c", None)), Role.ASSISTANT, [ToolCall("c", "read", "", ARGUMENTS)]),
        (assistant({"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls -l"}}), Role.ASSISTANT,
         [ToolCall("c", "sh", "ls -l", ("tool_calls", 0, "custom", "input"))]),
        (assistant({"id": "c", "type": "new"}), Role.ASSISTANT,
         [ToolCall("c", "", "", ("tool_calls", 0)),
          Opaque("new", '{"id":"c","type":"new"}', ("tool_calls", 0))]),
        ({"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
         Role.ASSISTANT, [ToolCall("", "f", "{}", ("function_call", "arguments"))]),
        ({"role": "function", "name": "f", "content": "out"}, Role.TOOL,
         [ToolResult("", "out", path=("content",))]),
        (tool("c", "out"), Role.TOOL, [ToolResult("c", "out", path=("content",))]),
        (tool("c", [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "http://x"}}]),
         Role.TOOL,
         [ToolResult("c", "a", path=("content", 0, "text")),
          image("image/*", "", "content", 1, call_id="c")]),
        (tool("c", []), Role.TOOL, [ToolResult("c", "")]),
        (tool("c", None), Role.TOOL, [ToolResult("c", "")]),
        (tool("c", [{"type": "new"}]), Role.TOOL,
         [ToolResult("c", ""), Opaque("new", '{"type":"new"}', ("content", 0))]),
        ({"role": "user", "content": [
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "low"}},
            {"type": "image_url", "image_url": "DATA:image/png;base64,AAAA"},
            {"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE"}},
            {"type": "file", "file": {"file_id": "file-1"}},
        ]}, Role.USER,
         [image("image/png", PNG, "content", 0, detail="low"), image("image/png", "AAAA", "content", 1),
          image("audio/wav", "UklG", "content", 2), image("application/pdf", "JVBE", "content", 3),
          image("application/pdf", "", "content", 4)]),
        ({"role": "assistant", "reasoning_content": "why", "content": "a"}, Role.ASSISTANT,
         [Reasoning("why", False, ("reasoning_content",)), Text("a", ("content",))]),
        ({"role": "assistant", "content": "a", "refusal": "no", "audio": {"id": "x"}}, Role.ASSISTANT,
         [Text("a", ("content",)), Opaque("refusal", "no", ("refusal",)),
          Opaque("audio", '{"id":"x"}', ("audio",))]),
        ({"role": "assistant", "content": "a", "thinking_blocks": [{"type": "thinking", "thinking": "t"}]},
         Role.ASSISTANT, [Reasoning("t", True, ("thinking_blocks",)), Text("a", ("content",))]),
        ({"role": "assistant", "content": "a", "reasoning_details": [{"summary": "s"}, {"data": "x"}]},
         Role.ASSISTANT, [Reasoning("s", True, ("reasoning_details",)), Text("a", ("content",))]),
        ({"role": "user", "content": 7}, Role.USER, [Opaque("number", "7", ("content",))]),
        ({"role": "user", "content": ["a", {"type": "refusal", "refusal": "r"}]}, Role.USER,
         [Opaque("string", '"a"', ("content", 0)),
          Opaque("refusal", '{"type":"refusal","refusal":"r"}', ("content", 1))]),
        ({"role": "critic", "content": "a"}, Role.USER,
         [Opaque("critic", '{"role":"critic","content":"a"}')]),
    ],
)  # fmt: skip
def test_parts(source: dict[str, Any], role: Role, parts: list[Part]) -> None:
    assert OPENAI_CHAT.message(source) == Message(role, tuple(parts))


@pytest.mark.parametrize("source", [None, "hello", [], {"content": "a"}, {"role": 1}])
def test_what_is_no_message_is_named(source: Any) -> None:
    with pytest.raises(WireError, match="expected a message"):
        OPENAI_CHAT.message(source)
    with pytest.raises(WireError, match="expected a message"):
        OPENAI_CHAT.canonical(source)


def test_the_order_of_keys_moves_no_part() -> None:
    source = assistant(made("c"), content="a", reasoning_content="r")
    assert OPENAI_CHAT.message(dict(reversed(source.items()))) == OPENAI_CHAT.message(source)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(
            ["type", "text", "id", "function", "custom", "arguments", "image_url", "url", "file"]),
        inner | st.sampled_from(["text", "image_url", "file", "custom", "function"]), max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(
    st.sampled_from(["system", "user", "assistant", "tool", "function", "odd"]),
    st.dictionaries(
        st.sampled_from(
            [
                "content",
                "tool_calls",
                "function_call",
                "reasoning",
                "thinking_blocks",
                "audio",
                "tool_call_id",
            ]
        ),
        JSON_VALUES,
    ),
)
def test_any_fields_are_read_without_a_crash_or_a_change(role: str, fields: dict[str, Any]) -> None:
    source = {"role": role, **fields}
    before = deepcopy(source)
    message = OPENAI_CHAT.message(source)
    list(OPENAI_CHAT.check_source({}, [source]))
    assert len(message.parts) == len(OPENAI_CHAT.message(OPENAI_CHAT.canonical(source)).parts)
    for part in message.parts:
        assert OPENAI_CHAT.overlay(source, part, part) == [] or isinstance(part, Media)
    assert source == before


def test_canonical_takes_a_string_for_one_text_part() -> None:
    text = {"role": "tool", "tool_call_id": "c", "content": "a"}
    assert OPENAI_CHAT.canonical(text) == OPENAI_CHAT.canonical(
        {**text, "content": [{"type": "text", "text": "a"}]}
    )


def test_canonical_ignores_cache_marks_and_nothing_else() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    plain = assistant(made("c", '{"cache_control": 1}'), content=[{"type": "text", "text": "a"}])
    marked = assistant(
        {**made("c", '{"cache_control": 1}'), **mark},
        content=[{"type": "text", "text": "a", "prompt_cache_breakpoint": {}}],
        **mark,
    )
    before = deepcopy(marked)
    assert OPENAI_CHAT.canonical(marked) == OPENAI_CHAT.canonical(plain) == plain
    assert marked == before
    assert OPENAI_CHAT.canonical({**plain, "name": "n"}) != plain


@pytest.mark.parametrize(
    ("source", "number", "new", "expected"),
    [
        (tool("c", "long"), 0, ToolResult("c", "short"), tool("c", "short")),
        ({**tool("c", "long"), "name": "n", "cache_control": {}}, 0, ToolResult("c", "short"),
         {**tool("c", "short"), "name": "n", "cache_control": {}}),
        (tool("c", [{"type": "text", "text": "long", "cache_control": {}}]), 0, ToolResult("c", "s"),
         tool("c", [{"type": "text", "text": "s", "cache_control": {}}])),
        (assistant(made("a"), made("c", '{"a": "long"}'), reasoning_content="r"), 2,
         ToolCall("c", "read", '{"a":""}'),
         assistant(made("a"), made("c", '{"a":""}'), reasoning_content="r")),
        (assistant(made("c", {"a": "long", "b": 1})), 0, ToolCall("c", "read", '{"a":"s","b":1}'),
         assistant(made("c", {"a": "s", "b": 1}))),
        (assistant({"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls"}}), 0,
         ToolCall("c", "sh", "l"),
         assistant({"id": "c", "type": "custom", "custom": {"name": "sh", "input": "l"}})),
        (tool("c", [{"type": "image_url", "image_url": {"url": "u"}, "cache_control": {}}]), 0,
         ToolResult("c", "[i]"),
         tool("c", [{"type": "text", "text": "[i]", "cache_control": {}}])),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]}, 0, Text("[i]"),
         {"role": "user", "content": [{"type": "text", "text": "[i]"}]}),
    ],
)  # fmt: skip
def test_overlay_changes_one_value_and_keeps_its_siblings(
    source: dict[str, Any], number: int, new: Part, expected: dict[str, Any]
) -> None:
    old = OPENAI_CHAT.message(source).parts[number]
    assert apply(source, OPENAI_CHAT.overlay(source, old, new)) == expected


@pytest.mark.parametrize(
    ("source", "number", "new"),
    [
        (tool("c", []), 0, ToolResult("c", "x")),
        (assistant({"id": "c", "type": "new"}), 0, ToolCall("c", "", "x")),
        ({"role": "assistant", "reasoning": "r"}, 0, Reasoning("s")),
        ({"role": "assistant", "refusal": "r"}, 0, Opaque("refusal", "s")),
        (tool("c", "x"), 0, Text("x")),
    ],
)
def test_overlay_refuses_what_cannot_be_edited(source: dict[str, Any], number: int, new: Part) -> None:
    old = OPENAI_CHAT.message(source).parts[number]
    with pytest.raises(WireError, match="cannot become"):
        OPENAI_CHAT.overlay(source, old, new)


def test_drop_takes_the_reasoning_field_out() -> None:
    source = {"role": "assistant", "content": "a", "reasoning_content": "r"}
    reasoning, text = OPENAI_CHAT.message(source).parts
    assert apply(source, OPENAI_CHAT.drop(source, reasoning)) == {"role": "assistant", "content": "a"}
    with pytest.raises(WireError, match="only reasoning"):
        OPENAI_CHAT.drop(source, text)


def test_THINK_10_reasoning_beside_calls_is_bound_and_survives_edits() -> None:
    source = assistant(made("c1", '{"path": "a"}'), reasoning_content="why")
    reasoning, call = OPENAI_CHAT.message(source).parts
    assert reasoning == Reasoning("why", True, ("reasoning_content",))
    edited = apply(source, OPENAI_CHAT.overlay(source, call, ToolCall("c1", "read", '{"path":""}')))
    assert edited["reasoning_content"] == "why"


def test_PAIR_26_a_note_is_a_user_message() -> None:
    note = OPENAI_CHAT.note("so far")
    assert OPENAI_CHAT.message(note) == Message(Role.USER, (Text("so far", ("content",)),))


def test_frame() -> None:
    tools = [{"type": "function", "function": {"name": "read"}}]
    fields = {"model": "gpt-4.1", "tools": tools, "max_tokens": 5, "response_format": {"type": "json_schema"}}
    made_of = OPENAI_CHAT.frame(fields)
    assert made_of == Frame("gpt-4.1", (), ('{"type":"function","function":{"name":"read"}}',), 5, True)
    assert OPENAI_CHAT.frame({**fields, "max_completion_tokens": 7}).max_output == 7
    assert OPENAI_CHAT.frame({"response_format": {"type": "text"}, "system": "s"}) == Frame(system=("s",))
    assert OPENAI_CHAT.frame({"model": 1, "tools": {}, "max_tokens": True, "response_format": 3}) == Frame()
