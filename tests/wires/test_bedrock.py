from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.wires.apply import apply
from tests.wires.bedrock_requests import (
    DONE,
    PNG,
    POINT,
    SEALED,
    SPEC,
    THOUGHT,
    USER,
    assistant,
    broken,
    result,
    text,
    use,
    user,
)

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
    Transcript,
)
from trimtab.wires.bedrock import BEDROCK

INSIDE = ("content", 0, "toolResult", "content")
PAGE = {"document": {"format": "txt", "name": "a", "source": {"text": "words"}}}
PDF = {"document": {"format": "pdf", "name": "a", "source": {"bytes": "JVBE"}}}
ROWS = {"json": {"rows": [1, "é"]}}


def medium(media_type: str, data: str, *path: str | int, call_id: str | None = None) -> Media:
    return Media(media_type, data, image_tokens("bedrock", media_type, data), call_id, path)


@pytest.mark.parametrize(
    ("item", "parts"),
    [
        (text("a"), [Text("a", ("content", 0, "text"))]),
        (THOUGHT, [Reasoning("t", True, ("content", 0))]),
        ({"reasoningContent": {"reasoningText": {"text": "t"}}}, [Reasoning("t", False, ("content", 0))]),
        (SEALED, [Reasoning("", True, ("content", 0))]),
        (use("c", {"a": [1, "é"]}), [ToolCall("c", "read", '{"a":[1,"é"]}', ("content", 0, "toolUse", "input"))]),
        (result("c"), [ToolResult("c", "text", path=(*INSIDE, 0))]),
        (result("c", status="error"), [ToolResult("c", "text", True, (*INSIDE, 0))]),
        (result("c", status="success"), [ToolResult("c", "text", path=(*INSIDE, 0))]),
        (result("c", ROWS), [ToolResult("c", '{"rows":[1,"é"]}', path=(*INSIDE, 0))]),
        (result("c", text("a"), PNG, text("b"), PDF),
         [ToolResult("c", "a", path=(*INSIDE, 0)),
          medium("image/png", "AAAA", *INSIDE, 1, call_id="c"),
          ToolResult("c", "b", path=(*INSIDE, 2)),
          medium("application/pdf", "JVBE", *INSIDE, 3, call_id="c")]),
        (result("c", PAGE), [ToolResult("c", "words", path=(*INSIDE, 0, "document", "source", "text"))]),
        (result("c", {"searchResult": {}}),
         [ToolResult("c", "", path=("content", 0)),
          Opaque("searchResult", '{"searchResult":{}}', (*INSIDE, 0))]),
        ({"toolResult": {"toolUseId": "c", "content": []}}, [ToolResult("c", "", path=("content", 0))]),
        ({"toolResult": {"toolUseId": "c"}}, [ToolResult("c", "", path=("content", 0))]),
        ({"toolResult": {"toolUseId": "c", "content": 5}},
         [ToolResult("c", "", path=("content", 0)), Opaque("number", "5", INSIDE)]),
        (PNG, [medium("image/png", "AAAA", "content", 0)]),
        ({"image": {"format": "gif", "source": {"s3Location": {"uri": "s3://a"}}}},
         [medium("image/gif", "", "content", 0)]),
        ({"video": {"format": "mp4", "source": {"bytes": "AAAA"}}}, [medium("video/mp4", "AAAA", "content", 0)]),
        ({"audio": {"source": {"bytes": "AAAA"}}}, [medium("audio/*", "AAAA", "content", 0)]),
        (PAGE, [Text("words", ("content", 0, "document", "source", "text"))]),
        (POINT, []),
    ],
)  # fmt: skip
def test_parts(item: dict[str, Any], parts: list[Part]) -> None:
    assert BEDROCK.message(user(item)) == Message(Role.USER, tuple(parts))


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ({"guardContent": {"text": {"text": "a"}}}, "guardContent"),
        ({"citationsContent": {"content": []}}, "citationsContent"),
        ({"document": {**PDF["document"], "citations": {"enabled": True}}}, "document"),
        ({"document": {"source": {"content": [text("a")]}}}, "document"),
        ({"reasoningContent": {"novel": 1}}, "reasoningContent"),
        (use("s", type="server_tool_use"), "toolUse"),
        (result("s", type="web_search_tool_result"), "toolResult"),
        ({"toolAddition": {"tool": {}}}, "toolAddition"),
        ({"ofTomorrow": 1}, "ofTomorrow"),
        ({}, "object"),
        ("bare", "string"),
    ],
)
def test_other_items_are_kept_whole(item: Any, kind: str) -> None:
    (part,) = BEDROCK.message(assistant(item)).parts
    assert isinstance(part, Opaque)
    assert (part.kind, part.path) == (kind, ("content", 0))


def test_roles() -> None:
    assert BEDROCK.message({"role": "system", "content": [text("s")]}).role is Role.SYSTEM
    assert BEDROCK.message({"role": "user", "content": "a"}) == Message(Role.USER, (Text("a", ("content",)),))
    odd = BEDROCK.message({"role": "tool", "content": []})
    assert odd == Message(Role.USER, (Opaque("tool", '{"role":"tool","content":[]}'),))


@pytest.mark.parametrize("source", [None, "hello", [], {"content": []}, {"role": 1}])
def test_what_is_no_message_is_named(source: Any) -> None:
    with pytest.raises(WireError, match="expected a message"):
        BEDROCK.message(source)


NAMES = (
    *("text", "toolUse", "toolUseId", "toolResult", "content", "json", "status", "input", "image", "document"),
    *("source", "bytes", "reasoningContent", "reasoningText", "signature", "cachePoint", "format", "type"),
)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["png", "error", "AAAA", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=14,
)


@given(st.sampled_from(["system", "user", "assistant", "odd"]), JSON_VALUES)
def test_any_content_is_read_without_a_crash_or_a_change(role: str, content: Any) -> None:
    source = {"role": role, "content": content}
    before = deepcopy(source)
    message = BEDROCK.message(source)
    list(BEDROCK.check(Transcript("bedrock", Frame(), (message,))))
    list(BEDROCK.check_source({"messages": [], "toolConfig": content}, [source]))
    BEDROCK.frame({"system": content, "toolConfig": {"tools": content}, "inferenceConfig": content})
    assert len(message.parts) == len(BEDROCK.message(BEDROCK.canonical(source)).parts) or role == "odd"
    for part in message.parts:
        assert BEDROCK.overlay(source, part, part) == [] or isinstance(part, Media)
    assert source == before


def test_canonical_ignores_cache_points_and_nothing_else() -> None:
    plain = assistant(THOUGHT, text("a"), use("d", {"cachePoint": 1}))
    marked = assistant(POINT, THOUGHT, text("a"), POINT, use("d", {"cachePoint": 1}), POINT)
    before = deepcopy(marked)
    assert BEDROCK.canonical(marked) == plain == BEDROCK.canonical(plain)
    assert marked == before
    assert BEDROCK.canonical({"role": "user", "content": "a"}) == user(text("a"))


def test_parts_are_numbered_as_if_there_were_no_cache_points() -> None:
    parts = BEDROCK.message(user(POINT, text("a"), POINT, text("b"))).parts
    assert parts == (Text("a", ("content", 1, "text")), Text("b", ("content", 3, "text")))


@pytest.mark.parametrize(
    ("item", "new", "expected"),
    [
        (text("long"), Text("s"), text("s")),
        (result("c", text("long"), status="error"), ToolResult("c", "s", True),
         result("c", text("s"), status="error")),
        (result("c", ROWS), ToolResult("c", "s"), result("c", text("s"))),
        (result("c", PNG), ToolResult("c", "[i]"), result("c", text("[i]"))),
        (result("c", PAGE), ToolResult("c", "s"),
         result("c", {"document": {"format": "txt", "name": "a", "source": {"text": "s"}}})),
        (PDF, Text("[i]"), text("[i]")),
        (use("c", {"a": "long", "b": [1, {"c": "long"}]}), ToolCall("c", "read", '{"a":"s","b":[1,{"c":"t"}]}'),
         use("c", {"a": "s", "b": [1, {"c": "t"}]})),
    ],
)  # fmt: skip
def test_overlay_changes_one_value_and_keeps_its_siblings(item: Any, new: Part, expected: Any) -> None:
    source = user(text("before"), POINT, item)
    old = BEDROCK.message(source).parts[1]
    assert apply(source, BEDROCK.overlay(source, old, new)) == user(text("before"), POINT, expected)


@given(JSON_VALUES, JSON_VALUES)
def test_overlay_of_arguments_arrives_at_what_was_wanted(old: Any, new: Any) -> None:
    source, wanted = assistant(use("c", {"a": old})), assistant(use("c", {"a": new}))
    (before,), (after,) = BEDROCK.message(source).parts, BEDROCK.message(wanted).parts
    arrived = apply(source, BEDROCK.overlay(source, before, after))
    assert json.dumps(arrived, sort_keys=True) == json.dumps(wanted, sort_keys=True)


@pytest.mark.parametrize(
    ("source", "new"),
    [
        (assistant(THOUGHT), Reasoning("u", True)),
        (user({"toolResult": {"toolUseId": "c"}}), ToolResult("c", "x")),
        (assistant(use("c", {"a": 1})), ToolCall("c", "read", "[]")),
        (user(PNG), ToolCall("c", "read", "{}")),
    ],
)
def test_overlay_refuses_what_cannot_be_edited(source: Any, new: Part) -> None:
    (old,) = BEDROCK.message(source).parts
    with pytest.raises(WireError):
        BEDROCK.overlay(source, old, new)


def test_THINK_04_reasoning_goes_as_a_whole() -> None:
    source = assistant(THOUGHT, POINT, text("a"), SEALED)
    first, kept, second = BEDROCK.message(source).parts
    ops = [*BEDROCK.drop(source, first), *BEDROCK.drop(source, second)]
    assert apply(source, ops) == assistant(POINT, text("a"))
    with pytest.raises(WireError, match="only reasoning"):
        BEDROCK.drop(source, kept)


def test_PAIR_26_a_note_is_a_user_message() -> None:
    note = BEDROCK.note("so far")
    assert BEDROCK.message(note) == Message(Role.USER, (Text("so far", ("content", 0, "text")),))
    assert broken(note, DONE, USER) == []


def test_frame() -> None:
    spec = '{"toolSpec":{"name":"read","inputSchema":{"json":{"type":"object"}}}}'
    fields: dict[str, Any] = {
        "modelId": "us.anthropic.claude-sonnet-4-5-v1:0",
        "system": [text("s"), POINT, {"guardContent": {}}],
        "toolConfig": {"tools": [SPEC, POINT]},
        "inferenceConfig": {"maxTokens": 9},
    }
    assert BEDROCK.frame(fields) == Frame(fields["modelId"], ("s", '{"guardContent":{}}'), (spec,), 9)
    assert BEDROCK.frame({"model": "m", "system": "s", "tools": [SPEC]}) == Frame("m", ("s",), (spec,))
    assert BEDROCK.frame({"outputConfig": {"textFormat": {"type": "json_schema"}}}).structured
    assert not BEDROCK.frame({"outputConfig": {"effort": "low"}}).structured
