from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.wires.anthropic_requests import (
    DONE,
    HOUR,
    MARK,
    PNG,
    USER,
    assistant,
    broken,
    result,
    system,
    text,
    use,
    user,
)
from tests.wires.apply import apply

from trimtab.errors import WireError
from trimtab.images import image_tokens
from trimtab.jsonbytes import Set
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
    Transcript,
)
from trimtab.wires.anthropic import ANTHROPIC


def medium(media_type: str, data: str, *path: str | int, call_id: str | None = None) -> Media:
    return Media(media_type, data, image_tokens("anthropic", media_type, data), call_id, path)


@pytest.mark.parametrize(
    ("block", "parts"),
    [
        (text("a"), [Text("a", ("content", 0, "text"))]),
        (text("a", citations=None, **MARK), [Text("a", ("content", 0, "text"))]),
        ({"type": "thinking", "thinking": "", "signature": "s"}, [Reasoning("", True, ("content", 0))]),
        ({"type": "thinking", "thinking": "t"}, [Reasoning("t", False, ("content", 0))]),
        ({"type": "redacted_thinking", "data": "x"}, [Reasoning("", True, ("content", 0))]),
        (use("c", {"a": [1, "é"]}), [ToolCall("c", "read", '{"a":[1,"é"]}', ("content", 0, "input"))]),
        (result("c"), [ToolResult("c", "text", path=("content", 0, "content"))]),
        (result("c", is_error=True), [ToolResult("c", "text", True, ("content", 0, "content"))]),
        (result("c", ""), [ToolResult("c", "", path=("content", 0, "content"))]),
        (result("c", []), [ToolResult("c", "", path=("content", 0))]),
        ({"type": "tool_result", "tool_use_id": "c"}, [ToolResult("c", "", path=("content", 0))]),
        (result("c", [text("a"), {"type": "image", "source": PNG}, text("b")], is_error=True),
         [ToolResult("c", "a", True, ("content", 0, "content", 0, "text")),
          medium("image/png", "AAAA", "content", 0, "content", 1, call_id="c"),
          ToolResult("c", "b", True, ("content", 0, "content", 2, "text"))]),
        (result("c", [{"type": "tool_reference", "tool_name": "t"}]),
         [ToolResult("c", "", path=("content", 0)),
          Opaque("tool_reference", '{"type":"tool_reference","tool_name":"t"}',
                 ("content", 0, "content", 0))]),
        (result("c", 5),
         [ToolResult("c", "", path=("content", 0)), Opaque("number", "5", ("content", 0, "content"))]),
        ({"type": "image", "source": {"type": "url", "url": "u"}}, [medium("image/*", "", "content", 0)]),
        ({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}},
         [medium("application/pdf", "JVBE", "content", 0)]),
        ({"type": "document", "source": {"type": "file", "file_id": "f"}},
         [medium("application/pdf", "", "content", 0)]),
        ({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}},
         [Text("words", ("content", 0, "source", "data"))]),
    ],
)  # fmt: skip
def test_parts(block: dict[str, Any], parts: list[Part]) -> None:
    assert ANTHROPIC.message(user(block)) == Message(Role.USER, tuple(parts))


@pytest.mark.parametrize(
    "block",
    [
        text("a", citations=[{"type": "char_location"}]),
        {"type": "document", "source": PNG, "citations": {"enabled": True}},
        {"type": "document", "source": {"type": "content", "content": []}},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
        {"type": "mcp_tool_use", "id": "m", "input": {}},
        {"type": "compaction", "content": None},
        {"type": "search_result", "content": []},
        {"type": "container_upload", "file_id": "f"},
        {"type": "tool_addition", "tool": {}},
        {"type": "of tomorrow"},
    ],
)
def test_other_blocks_are_kept_whole(block: dict[str, Any]) -> None:
    (part,) = ANTHROPIC.message(assistant(block)).parts
    assert isinstance(part, Opaque)
    assert (part.kind, part.path) == (block["type"], ("content", 0))
    if block["type"] != "server_tool_use":
        inside = ANTHROPIC.message(user(result("c", [block]))).parts
        assert inside[1] == Opaque(block["type"], part.text, ("content", 0, "content", 0))


def test_a_user_message_may_mix_results_and_text() -> None:
    message = ANTHROPIC.message(user(result("c"), text("and now")))
    assert message.role is Role.USER
    assert message.parts == (
        ToolResult("c", "text", path=("content", 0, "content")),
        Text("and now", ("content", 1, "text")),
    )


def test_roles() -> None:
    assert ANTHROPIC.message(system("s")) == Message(Role.SYSTEM, (Text("s", ("content",)),))
    assert ANTHROPIC.message({"role": "tool", "content": "x"}) == Message(
        Role.USER, (Opaque("tool", '{"role":"tool","content":"x"}'),)
    )


@pytest.mark.parametrize("source", [None, "hello", [], {"content": "a"}, {"role": 1}])
def test_what_is_no_message_is_named(source: Any) -> None:
    with pytest.raises(WireError, match="expected a message"):
        ANTHROPIC.message(source)


WORDS = st.sampled_from(["text", "image", "document", "tool_use", "tool_result", "thinking", "base64", "x"])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(
            ["type", "text", "id", "input", "content", "source", "tool_use_id", "citations", "data"]),
        inner, max_size=5),
    max_leaves=14,
)  # fmt: skip


@given(st.sampled_from(["system", "user", "assistant", "odd"]), JSON_VALUES)
def test_any_content_is_read_without_a_crash_or_a_change(role: str, content: Any) -> None:
    source = {"role": role, "content": content}
    before = deepcopy(source)
    message = ANTHROPIC.message(source)
    list(ANTHROPIC.check(Transcript("anthropic", Frame(), (message,))))
    list(ANTHROPIC.check_source({"system": content, "tools": content, "thinking": content}, [source]))
    ANTHROPIC.frame({"system": content, "tools": content, "output_config": content, "model": content})
    assert len(message.parts) == len(ANTHROPIC.message(ANTHROPIC.canonical(source)).parts)
    for part in message.parts:
        assert ANTHROPIC.overlay(source, part, part) == [] or isinstance(part, Media)
    assert source == before


def test_canonical_takes_a_string_for_one_text_part() -> None:
    assert ANTHROPIC.canonical(USER) == ANTHROPIC.canonical(user(text("go on")))
    assert ANTHROPIC.canonical(user(result("c", "a"))) == ANTHROPIC.canonical(user(result("c", [text("a")])))


def test_canonical_ignores_cache_marks_and_nothing_else() -> None:
    plain = user(result("c", [text("a")], is_error=True), use("d", dict(MARK)))
    marked = user(result("c", [text("a", **MARK)], is_error=True, **HOUR), use("d", dict(MARK), **MARK))
    before = deepcopy(marked)
    assert ANTHROPIC.canonical(marked) == plain
    assert marked == before


@pytest.mark.parametrize(
    ("block", "new", "expected"),
    [
        (text("long", **MARK), Text("s"), text("s", **MARK)),
        (result("c", "long", is_error=True, **MARK), ToolResult("c", "s", True),
         result("c", "s", is_error=True, **MARK)),
        (result("c", [text("long", **MARK)]), ToolResult("c", "s"), result("c", [text("s", **MARK)])),
        (result("c", [{"type": "image", "source": PNG, **MARK}]), ToolResult("c", "[i]"),
         result("c", [text("[i]", **MARK)])),
        ({"type": "image", "source": PNG}, Text("[i]"), text("[i]")),
        (use("c", {"a": "long", "b": [1, {"c": "long"}]}, **MARK),
         ToolCall("c", "read", '{"a":"s","b":[1,{"c":"t"}]}'),
         use("c", {"a": "s", "b": [1, {"c": "t"}]}, **MARK)),
    ],
)  # fmt: skip
def test_overlay_changes_one_value_and_keeps_its_siblings(block: Any, new: Part, expected: Any) -> None:
    source = user(text("before"), block)
    old = ANTHROPIC.message(source).parts[1]
    assert apply(source, ANTHROPIC.overlay(source, old, new)) == user(text("before"), expected)


@pytest.mark.parametrize(
    ("arguments", "ops"),
    [
        ('{"a":1,"b":{"c":"x"}}', []),
        ('{"b":{"c":"x"},"a":1}', []),
        ('{"a":1,"b":{"c":"y"}}', [Set(("content", 0, "input", "b", "c"), "y")]),
        ('{"a":true,"b":{"c":"x"}}', [Set(("content", 0, "input", "a"), True)]),
        ('{"a":1,"b":{}}', [Set(("content", 0, "input", "b"), {})]),
        ('{"a":1}', [Set(("content", 0, "input"), {"a": 1})]),
    ],
)
def test_overlay_sets_only_the_arguments_that_differ(arguments: str, ops: list[Set]) -> None:
    source = assistant(use("c", {"a": 1, "b": {"c": "x"}}))
    (old,) = ANTHROPIC.message(source).parts
    assert ANTHROPIC.overlay(source, old, ToolCall("c", "read", arguments)) == ops


@given(JSON_VALUES, JSON_VALUES)
def test_overlay_of_arguments_arrives_at_what_was_wanted(old: Any, new: Any) -> None:
    source, wanted = assistant(use("c", {"a": old})), assistant(use("c", {"a": new}))
    (before,), (after,) = ANTHROPIC.message(source).parts, ANTHROPIC.message(wanted).parts
    arrived = apply(source, ANTHROPIC.overlay(source, before, after))
    assert json.dumps(arrived, sort_keys=True) == json.dumps(wanted, sort_keys=True)


@pytest.mark.parametrize("arguments", ['{"a":', "[]", '"{}"', ""])
def test_CONT_08_arguments_stay_an_object(arguments: str) -> None:
    source = assistant(use("c", {"a": 1}))
    (old,) = ANTHROPIC.message(source).parts
    with pytest.raises(WireError, match="object"):
        ANTHROPIC.overlay(source, old, ToolCall("c", "read", arguments))


def test_overlay_refuses_what_cannot_be_edited() -> None:
    source = assistant({"type": "thinking", "thinking": "t", "signature": "s"}, result("c", []))
    thinking, empty = ANTHROPIC.message(source).parts
    for old, new in ((thinking, Reasoning("u", True)), (empty, ToolResult("c", "x"))):
        with pytest.raises(WireError, match="cannot become"):
            ANTHROPIC.overlay(source, old, new)


def test_drop_takes_the_blocks_out() -> None:
    source = assistant(
        {"type": "redacted_thinking", "data": "x"}, text("a"), {"type": "thinking", "thinking": "t"}
    )
    first, kept, second = ANTHROPIC.message(source).parts
    ops = [*ANTHROPIC.drop(source, first), *ANTHROPIC.drop(source, second)]
    assert apply(source, ops) == assistant(text("a"))
    with pytest.raises(WireError, match="only reasoning"):
        ANTHROPIC.drop(source, kept)


def test_PAIR_26_PAIR_33_a_note_is_a_user_message() -> None:
    note = ANTHROPIC.note("so far")
    assert ANTHROPIC.message(note) == Message(Role.USER, (Text("so far", ("content", 0, "text")),))
    assert broken(USER, DONE, note) == []


def test_frame() -> None:
    tools = [{"name": "read", "input_schema": {"type": "object"}}]
    fields = {"model": "claude-x", "system": "s", "tools": tools, "max_tokens": 9}
    assert ANTHROPIC.frame(fields) == Frame(
        "claude-x", ("s",), ('{"name":"read","input_schema":{"type":"object"}}',), 9
    )
    assert ANTHROPIC.frame({"system": [text("a", **MARK), text("b")]}).system == ("a", "b")
    assert ANTHROPIC.frame({"output_config": {"format": {"type": "json_schema"}}}).structured
    assert ANTHROPIC.frame({"output_format": {"type": "json_schema"}}).structured
    assert not ANTHROPIC.frame({"output_config": {"effort": "low"}}).structured
