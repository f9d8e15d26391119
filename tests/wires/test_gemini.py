from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.wires.apply import apply
from tests.wires.gemini_requests import (
    DONE,
    PNG,
    SIGNED,
    USER,
    answer,
    broken,
    call,
    inline,
    model,
    text,
    user,
    words,
)

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
from trimtab.wires.gemini import GEMINI

MEMBER = ("parts", 0, "functionResponse", "response")
INSIDE = ("parts", 0, "functionResponse", "parts")


def medium(media_type: str, data: str, *path: str | int, call_id: str | None = None) -> Media:
    return Media(media_type, data, image_tokens("gemini", media_type, data), call_id, path)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([text("a")], [Text("a", ("parts", 0, "text"))]),
        ([text("")], [Text("", ("parts", 0, "text"))]),
        ([text("a", **SIGNED)], [Text("a", ("parts", 0, "text"))]),
        ([text("t", thought=True)], [Reasoning("t", False, ("parts", 0))]),
        ([text("t", thought=True, **SIGNED)], [Reasoning("t", True, ("parts", 0))]),
        ([text("t", thought=True, thought_signature="x")], [Reasoning("t", True, ("parts", 0))]),
        ([call("read", "c", {"a": [1, "é"]}, **SIGNED)],
         [ToolCall("c", "read", '{"a":[1,"é"]}', ("parts", 0, "functionCall", "args"))]),
        ([call("read", given={"a": 1})], [ToolCall("", "read", '{"a":1}', ("parts", 0, "functionCall", "args"))]),
        ([{"function_call": {"name": "f", "args": {}}}],
         [ToolCall("", "f", "{}", ("parts", 0, "function_call", "args"))]),
        ([{"functionCall": {"name": "f"}}], [ToolCall("", "f", "", ("parts", 0, "functionCall", "args"))]),
        ([{"functionCall": {"name": "f", "args": {}}, "text": None, "inlineData": None}],
         [ToolCall("", "f", "{}", ("parts", 0, "functionCall", "args"))]),
        ([answer("f", "c")], [ToolResult("c", "text", path=(*MEMBER, "output"))]),
        ([answer("f", "", {"error": "no"})], [ToolResult("", "no", True, (*MEMBER, "error"))]),
        ([answer("f", "c", {"result": {"rows": [1]}, "stderr": "s", "code": 0})],
         [ToolResult("c", '{"rows":[1]}', path=(*MEMBER, "result")),
          ToolResult("c", "s", path=(*MEMBER, "stderr")),
          ToolResult("c", "0", path=(*MEMBER, "code"))]),
        ([answer("f", "c", {})], [ToolResult("c", "", path=MEMBER[:3])]),
        ([{"functionResponse": {"name": "f"}}], [ToolResult("", "", path=MEMBER[:3])]),
        ([answer("f", "c", ["odd"])],
         [ToolResult("c", "", path=MEMBER[:3]), Opaque("array", '["odd"]', MEMBER)]),
        ([{"function_response": {"name": "f", "response": {"output": "x"}}}],
         [ToolResult("", "x", path=("parts", 0, "function_response", "response", "output"))]),
        ([answer("f", "c", {}, [inline(), words("hi"), {"fileData": {"fileUri": "u", "mimeType": "image/png"}}])],
         [medium("image/png", PNG, *INSIDE, 0, call_id="c"),
          ToolResult("c", "hi", path=(*INSIDE, 1)),
          medium("image/png", "", *INSIDE, 2, call_id="c")]),
        ([answer("f", "c", {}, [{"novel": 1}])],
         [ToolResult("c", "", path=MEMBER[:3]), Opaque("object", '{"novel":1}', (*INSIDE, 0))]),
        ([inline(), text("see")], [medium("image/png", PNG, "parts", 0), Text("see", ("parts", 1, "text"))]),
        ([{"inline_data": {"mime_type": "audio/mp3", "data": "AAA="}}], [medium("audio/mp3", "AAA=", "parts", 0)]),
        ([words("page", "text/csv")], [Text("page", ("parts", 0))]),
        ([inline("////", "text/plain")], [medium("text/plain", "////", "parts", 0)]),
        ([{"file_data": {"file_uri": "u"}}], [medium("application/octet-stream", "", "parts", 0)]),
        ([answer("a", "1"), inline(), answer("b", "2"), text("x"), inline()],
         [ToolResult("1", "text", path=(*MEMBER, "output")),
          medium("image/png", PNG, "parts", 1, call_id="1"),
          ToolResult("2", "text", path=("parts", 2, "functionResponse", "response", "output")),
          Text("x", ("parts", 3, "text")),
          medium("image/png", PNG, "parts", 4, call_id="2")]),
    ],
)  # fmt: skip
def test_parts(parts: list[Any], expected: list[Part]) -> None:
    assert GEMINI.message(user(*parts)) == Message(Role.USER, tuple(expected))


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ({"executableCode": {"language": "PYTHON", "code": "1"}}, "executableCode"),
        ({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}, "codeExecutionResult"),
        ({"toolCall": {"id": "s", "toolType": "GOOGLE_SEARCH_WEB"}}, "toolCall"),
        ({"toolResponse": {"id": "s", "response": {"output": "x"}}}, "toolResponse"),
        ({"thought": True}, "thought"),
        ({"ofTomorrow": 1, **SIGNED}, "ofTomorrow"),
        ({}, "object"),
        ("bare", "string"),
    ],
)
def test_other_parts_are_kept_whole(part: Any, kind: str) -> None:
    (found,) = GEMINI.message(model(part)).parts
    assert isinstance(found, Opaque)
    assert (found.kind, found.path) == (kind, ("parts", 0))


def test_roles() -> None:
    assert GEMINI.message(DONE).role is Role.ASSISTANT
    assert GEMINI.message({"parts": [text("a")]}) == GEMINI.message(user(text("a")))
    assert GEMINI.message({"role": None, "parts": []}) == Message(Role.USER, ())
    assert GEMINI.message({"role": "function", "parts": [answer()]}) == GEMINI.message(user(answer()))
    odd = GEMINI.message({"role": "system", "parts": []})
    assert odd == Message(Role.USER, (Opaque("system", '{"role":"system","parts":[]}'),))


@pytest.mark.parametrize("source", [None, "hello", [], {"role": 1, "parts": []}])
def test_what_is_no_content_is_named(source: Any) -> None:
    with pytest.raises(WireError, match="expected a content"):
        GEMINI.message(source)


NAMES = (
    *("text", "thought", "thoughtSignature", "functionCall", "args", "function_response", "functionResponse"),
    *("response", "parts", "inlineData", "inline_data", "mimeType", "data", "id", "name", "error", "role"),
)
WORDS = st.sampled_from(["text/plain", "image/png", "aGk=", "x", ""])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=14,
)


@given(st.sampled_from(["user", "model", "odd", None]), JSON_VALUES)
def test_any_content_is_read_without_a_crash_or_a_change(role: str | None, content: Any) -> None:
    source = {"role": role, "parts": content}
    before = deepcopy(source)
    message = GEMINI.message(source)
    list(GEMINI.check(Transcript("gemini", Frame(), (message,))))
    list(GEMINI.check_source({"model": "gemini-3-pro"}, [source]))
    GEMINI.frame({"systemInstruction": content, "tools": content, "generation_config": content, "config": content})
    assert len(message.parts) == len(GEMINI.message(GEMINI.canonical(source)).parts)
    for part in message.parts:
        assert GEMINI.overlay(source, part, part) == [] or isinstance(part, Media)
    assert source == before


def test_canonical_is_the_same_however_the_client_spells() -> None:
    snake = {"parts": [
        {"text": "a", "thought_signature": "s"},
        {"inline_data": {"mime_type": "image/png", "data": "AA"}},
        {"function_response": {"name": "f", "response": {"mime_type": 1},
                               "parts": [{"file_data": {"file_uri": "u"}}]}},
        {"function_call": {"name": "f", "args": {"file_data": 1}}},
    ]}  # fmt: skip
    camel = {"role": "user", "parts": [
        {"text": "a", "thoughtSignature": "s"},
        {"inlineData": {"mimeType": "image/png", "data": "AA"}},
        {"functionResponse": {"name": "f", "response": {"mime_type": 1},
                              "parts": [{"fileData": {"fileUri": "u"}}]}},
        {"functionCall": {"name": "f", "args": {"file_data": 1}}},
    ]}  # fmt: skip
    before = deepcopy(snake)
    assert GEMINI.canonical(snake) == camel == GEMINI.canonical(camel)
    assert snake == before


def test_canonical_keeps_a_field_that_stands_there_twice() -> None:
    both = user({"inlineData": {"data": "A"}, "inline_data": {"data": "B"}})
    assert GEMINI.canonical(both) == both


@pytest.mark.parametrize(
    ("part", "new", "expected"),
    [
        (text("long", **SIGNED), Text("s"), text("s", **SIGNED)),
        (answer("f", "c", {"output": "long", "n": 1}), ToolResult("c", "s"),
         answer("f", "c", {"output": "s", "n": 1})),
        (answer("f", "c", {"result": {"a": [1]}}), ToolResult("c", "s"), answer("f", "c", {"result": "s"})),
        (answer("f", "c", {}, [words("long")]), ToolResult("c", "s"), answer("f", "c", {}, [words("s")])),
        (answer("f", "c", {}, [inline()]), Text("[i]"), answer("f", "c", {}, [words("[i]")])),
        (answer("f", "c", {}, [{"fileData": {"fileUri": "u"}}]), Text("[i]"),
         answer("f", "c", {}, [words("[i]")])),
        (words("long"), Text("s"), words("s")),
        (inline(), Text("[i]"), text("[i]")),
        ({**inline(), "videoMetadata": {"fps": 1}, **SIGNED}, Text("[i]"), text("[i]", **SIGNED)),
        (call("f", "c", {"a": "long", "b": [1, {"c": "long"}]}, **SIGNED),
         ToolCall("c", "f", '{"a":"s","b":[1,{"c":"t"}]}'),
         call("f", "c", {"a": "s", "b": [1, {"c": "t"}]}, **SIGNED)),
    ],
)  # fmt: skip
def test_overlay_changes_one_value_and_keeps_its_siblings(part: Any, new: Part, expected: Any) -> None:
    source = user(text("before"), part)
    old = GEMINI.message(source).parts[1]
    assert apply(source, GEMINI.overlay(source, old, new)) == user(text("before"), expected)


def test_overlay_keeps_the_spelling_of_the_client() -> None:
    blob = {"mime_type": "image/png", "data": PNG, "display_name": "a"}
    source = user({"function_response": {"name": "f", "response": {}, "parts": [{"inline_data": blob}]}})
    (old,) = GEMINI.message(source).parts
    place = ("parts", 0, "function_response", "parts", 0, "inline_data")
    assert GEMINI.overlay(source, old, Text("hi")) == [
        Set((*place, "mime_type"), "text/plain"),
        Set((*place, "data"), "aGk="),
    ]


@given(JSON_VALUES, JSON_VALUES)
def test_overlay_of_arguments_arrives_at_what_was_wanted(old: Any, new: Any) -> None:
    source, wanted = model(call(given={"a": old})), model(call(given={"a": new}))
    (before,), (after,) = GEMINI.message(source).parts, GEMINI.message(wanted).parts
    arrived = apply(source, GEMINI.overlay(source, before, after))
    assert json.dumps(arrived, sort_keys=True) == json.dumps(wanted, sort_keys=True)


@pytest.mark.parametrize(
    ("source", "new"),
    [
        (model(text("t", thought=True)), Reasoning("u")),
        (user(answer("f", "c", {})), ToolResult("c", "x")),
        (model(call("f", "c", {"a": 1})), ToolCall("c", "f", "[]")),
        (model({"functionCall": {"name": "f"}}), ToolCall("", "f", "{}")),
        (user(inline()), ToolCall("", "f", "{}")),
    ],
)
def test_overlay_refuses_what_cannot_be_edited(source: Any, new: Part) -> None:
    (old,) = GEMINI.message(source).parts
    with pytest.raises(WireError):
        GEMINI.overlay(source, old, new)


def test_THINK_04_a_thought_goes_with_its_signature_or_stays() -> None:
    source = model(text("long", thought=True, thoughtSignature="abc"), text("a"), call("f", **SIGNED))
    thought, said, made = GEMINI.message(source).parts
    assert apply(source, GEMINI.drop(source, thought)) == model(text("a"), call("f", **SIGNED))
    with pytest.raises(WireError, match="cannot become"):
        GEMINI.overlay(source, thought, Reasoning("...", True))
    for part in (said, made):
        with pytest.raises(WireError, match="only reasoning"):
            GEMINI.drop(source, part)


def test_PAIR_26_a_note_is_a_user_turn() -> None:
    note = GEMINI.note("so far")
    assert GEMINI.message(note) == Message(Role.USER, (Text("so far", ("parts", 0, "text")),))
    assert broken(note, model(call()), user(answer())) == []


def test_frame() -> None:
    tools = [{"functionDeclarations": [{"name": "f"}]}]
    fields = {
        "systemInstruction": {"role": "user", "parts": [{"text": "s"}, {"text": "t"}]},
        "tools": tools,
        "generationConfig": {"maxOutputTokens": 9, "responseMimeType": "application/json"},
    }
    declared = '{"functionDeclarations":[{"name":"f"}]}'
    assert GEMINI.frame(fields) == Frame(None, ("s", "t"), (declared,), 9, structured=True)
    assert GEMINI.frame({"model": "models/gemini-2.5-pro"}).model == "gemini-2.5-pro"
    assert GEMINI.frame({"tools": tools[0]}).tools == (declared,)
    assert GEMINI.frame({"generation_config": {"response_schema": {"type": "OBJECT"}}}).structured
    assert not GEMINI.frame({"generationConfig": {"responseMimeType": "text/plain"}}).structured


@pytest.mark.parametrize("system", ["s", ["s"], {"text": "s"}, {"parts": [{"text": "s"}]}, [{"text": "s"}]])
def test_frame_of_the_sdks_arguments(system: Any) -> None:
    config = {"system_instruction": system, "max_output_tokens": 9, "response_json_schema": {"type": "object"}}
    frame = GEMINI.frame({"model": "gemini-3-pro", "config": config})
    assert (frame.model, frame.max_output, frame.structured) == ("gemini-3-pro", 9, True)
    assert frame.system == ("s",)


@pytest.mark.parametrize(
    "fields", [{"cachedContent": "cachedContents/a"}, {"cached_content": "c"}, {"config": {"cached_content": "c"}}]
)
def test_G6_a_cached_beginning_is_left_alone(fields: dict[str, Any]) -> None:
    assert "cachedContent" in GEMINI.frame(fields).hands_off
    assert not GEMINI.frame({"cachedContent": None}).hands_off
    assert broken(USER) == []
