from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.cutting import body, cut, session
from tests.stores.making import decide, original

import trimtab
from trimtab import Compactor, ConfigError, WireError
from trimtab.journal import Kind
from trimtab.selection import PAGE
from trimtab.testing import memory_store
from trimtab.tool import NAME, PARAMETERS, recall_tool
from trimtab.wires import WIRES

TOOL = recall_tool("anthropic")
HANDLE = "t:0123456789abcdef"


@pytest.fixture(scope="module")
def held() -> tuple[Compactor, Any, list[str]]:
    payload = session(
        "anthropic", ("a.py", body("alpha")), ("large.py", body("large", 2000)), ("a.py", body("new"))
    )
    compactor, _, handles = cut(payload)
    return compactor, payload, handles


def test_every_wire_has_a_definition_of_its_own_to_change() -> None:
    for wire in (wire.name for wire in WIRES):
        recall_tool(wire).definition.clear()
        written = json.dumps(recall_tool(wire).definition)
        assert NAME in written
        assert all(f'"{name}"' in written for name in PARAMETERS)


@pytest.mark.parametrize("wire", ["", "openai", "ANTHROPIC", "\ud800" * 100])
def test_an_unknown_wire_is_refused(wire: str) -> None:
    with pytest.raises(ConfigError, match="expected one of: anthropic"):
        recall_tool(wire)


def test_the_makers_take_the_definitions() -> None:
    from anthropic.types import ToolParam
    from google.genai.types import Tool
    from openai.types.chat import ChatCompletionFunctionToolParam
    from openai.types.responses import FunctionToolParam
    from pydantic import TypeAdapter

    for wire, kind in (
        ("anthropic", ToolParam),
        ("openai_chat", ChatCompletionFunctionToolParam),
        ("openai_responses", FunctionToolParam),
        ("gemini", Tool),
    ):
        TypeAdapter(kind).validate_python(recall_tool(wire).definition)
    (declared,) = Tool.model_validate(recall_tool("gemini").definition).function_declarations or []
    assert declared.name == NAME
    assert declared.parameters
    assert set(declared.parameters.properties or {}) == set(PARAMETERS)


def test_bedrock_and_langchain_take_theirs() -> None:
    from botocore.session import get_session  # type: ignore[import-untyped]
    from botocore.validate import ParamValidator  # type: ignore[import-untyped]
    from langchain_core.utils.function_calling import convert_to_openai_tool

    service = get_session().get_service_model("bedrock-runtime")
    shape = service.shape_for("Tool")
    assert ParamValidator().validate(recall_tool("bedrock").definition, shape).generate_report() == ""
    given = recall_tool("langchain").definition
    assert convert_to_openai_tool(given) == given


def test_a_request_with_the_tool_is_still_valid() -> None:
    payload = session("anthropic", ("a.py", body("a")))
    payload["tools"].append(TOOL.definition)
    assert trimtab.validate(payload) == []


def test_an_answer_says_what_it_is_and_how_large(held: tuple[Compactor, Any, list[str]]) -> None:
    compactor, payload, (handle, *_) = held
    answer = TOOL.answer(compactor, {"handle": handle, "lines": "2-3"}, payload)
    head, *lines = answer.splitlines()
    assert head == f'[{handle}: read {{"path":"a.py"}}, lines 2-3, about 21 tokens]'
    assert lines[:2] == body("alpha").splitlines()[1:3]
    assert lines[2].startswith("[changed since: later the same call gave another result, t:")


@pytest.mark.parametrize(
    "arguments",
    [
        '{"handle": "HANDLE", "grep": "line 7 "}',
        {"handle": "trimtab recall HANDLE", "grep": "line 7 ", "lines": "", "path": None},
        {"handle": "HANDLE", "lines": 7},
        {"handle": " HANDLE ", "search": "line 7"},
        {"handle": "UPPER", "grep": "line 7 "},
    ],
)
def test_arguments_may_be_an_object_or_its_json(held: tuple[Compactor, Any, list[str]], arguments: Any) -> None:
    compactor, payload, (handle, *_) = held
    if isinstance(arguments, str):
        arguments = arguments.replace("HANDLE", handle)
    else:
        swap = arguments["handle"].replace("HANDLE", handle).replace("UPPER", handle.upper())
        arguments = {**arguments, "handle": swap}
    assert "alpha line 7 of a file" in TOOL.answer(compactor, arguments, payload)


def test_a_large_original_is_outlined_and_then_paged(held: tuple[Compactor, Any, list[str]]) -> None:
    compactor, payload, (_, handle, _) = held
    answer = TOOL.answer(compactor, {"handle": handle}, payload)
    assert "outline of 2,000 lines" in answer
    assert 'too large to give whole; ask for a part of it: lines "1-' in answer
    part = TOOL.answer(compactor, {"handle": handle, "lines": "1-"}, payload)
    assert len(part) < PAGE + 500
    assert 'this is a part; to go on ask for lines "' in part.splitlines()[-1]


def test_search_gives_lines_with_their_handles(held: tuple[Compactor, Any, list[str]]) -> None:
    compactor, payload, (_, large, newest) = held
    first, best, *others = TOOL.answer(compactor, {"search": "new line 12"}, payload).splitlines()
    assert first == f"[{len(others) + 1} lines, best first]"
    assert best.startswith(f'{newest} line 12 (read {{"path":"a.py"}}): new line 12 of')
    only = TOOL.answer(compactor, {"search": "new line 12", "handle": large}, payload)
    assert newest not in only
    assert "nothing that was cut holds 'zebra'" in TOOL.answer(compactor, {"search": "zebra"}, payload)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "give the handle that a marker names"),
        ("", "give the handle"),
        ("{", "not valid JSON"),
        ("[1]", "expected an object with handle"),
        (None, "expected an object"),
        (3, "expected an object"),
        ({"handle": "nonsense"}, "is no handle; one looks like t:"),
        ({"handle": "t:0000000000000000"}, "nothing is stored under this handle"),
        ({"handle": ["t:0000000000000000"]}, "handle: expected a text"),
        ({"handle": "\ud800"}, "is no handle"),
        ({"handle": "t:0000000000000000", "limit": "3"}, "'limit' is unknown"),
        ({"handle": "HANDLE", "lines": "900-"}, "there are only 400"),
        ({"handle": "HANDLE", "grep": "("}, "pattern '('"),
        ({"handle": "HANDLE", "grep": "zebra"}, "no line matches"),
        ({"handle": "HANDLE", "path": "$.a"}, "not JSON"),
        ({"handle": "HANDLE", "lines": "1", "bytes": "1"}, "give one of them"),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(
    held: tuple[Compactor, Any, list[str]], arguments: Any, told: str
) -> None:
    compactor, payload, (handle, *_) = held
    if isinstance(arguments, dict):
        arguments = {key: handle if value == "HANDLE" else value for key, value in arguments.items()}
    assert told in TOOL.answer(compactor, arguments, payload)


def test_handles_of_another_conversation_do_not_come_back(held: tuple[Compactor, Any, list[str]]) -> None:
    compactor, _, (handle, *_) = held
    other = session("anthropic", ("b.py", body("b")))
    assert "belongs to another conversation" in TOOL.answer(compactor, {"handle": handle}, other)
    assert "nothing that was cut" in TOOL.answer(compactor, {"search": "alpha line"}, other)
    with pytest.raises(WireError):
        TOOL.answer(compactor, {"handle": handle}, {"no": "request"})


def test_a_lone_surrogate_is_replaced() -> None:
    compactor, _, (handle,) = cut(session("openai_chat", ("a.py", body("\ud83d"))))
    answer = recall_tool("openai_chat").answer(compactor, {"handle": handle})
    assert "\ufffd line 1 of" in answer
    answer.encode()


def test_a_medium_is_named() -> None:
    store = memory_store()
    part = b'{"data": "iVBORw0KGgoAAAANSUhEUgAAAAQ="}'
    picture = original(part, HANDLE, kind=Kind.MEDIA, media_type="image/png")
    store.commit("default", [decide(b"b", picture)])
    assert TOOL.answer(Compactor(store=store), {"handle": HANDLE}) == (
        f"[{HANDLE}: image/png, 20 bytes, which cannot be shown as text]"
    )


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.binary(max_size=3) | st.floats(),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*PARAMETERS, "x"]), inner, max_size=4)
        ),
    )
)
def test_whatever_a_model_asks_there_is_an_answer(arguments: Any) -> None:
    assert TOOL.answer(Compactor(store=memory_store()), arguments)
