"""Reported bugs of those who shorten tool schemas. trimtab sends tools as they came: here is what that saves."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.cases.transcripts import log
from tests.wires import (
    anthropic_requests as a,
    bedrock_requests as b,
    gemini_requests as g,
    openai_requests as c,
    responses_items as r,
)

from trimtab import Compactor, validate
from trimtab.testing import memory_store

ANNOTATED = {
    "type": "object",
    "description": "What to say.",
    "properties": {
        "description": {"type": "string", "description": "text"},
        "title": {"type": "string", "title": "Title"},
    },
    "required": ["description"],
}
REFERRING = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "tree": {"$ref": "#/$defs/node"},
        "colour": {"$ref": "#/definitions/colour"},
    },
    "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
    "definitions": {"colour": {"type": "string", "enum": ["red", "green"]}},
}
CHOICES = {"type": "object", "properties": {"table": {"type": "string", "enum": [f"T{n}" for n in range(500)]}}}
DANGLING = {"type": "object", "properties": {"a": {"$ref": "#/$defs/Missing"}}}
SMALL = {"type": "object", "properties": {"path": {"type": "string"}}}
LARGE = {
    "type": "object",
    "properties": {f"field_{n}": {"type": "string", "description": log(4, f"field {n}")} for n in range(60)},
}

Made = tuple[dict[str, Any], list[Any]]


def anthropic(schemas: list[Any], exchanges: list[tuple[Any, str]]) -> Made:
    tools = [{"name": f"t{n}", "input_schema": schema} for n, schema in enumerate(schemas)]
    spoken = [
        one
        for n, (given, text) in enumerate(exchanges)
        for one in (a.assistant(a.use(f"c{n}", given)), a.user(a.result(f"c{n}", text)))
    ]
    return {"model": "claude-sonnet-4-5", "tools": tools, "messages": [a.USER, *spoken]}, tools


def chat(schemas: list[Any], exchanges: list[tuple[Any, str]]) -> Made:
    tools = [
        {"type": "function", "function": {"name": f"t{n}", "parameters": one}} for n, one in enumerate(schemas)
    ]
    spoken = [
        one
        for n, (given, text) in enumerate(exchanges)
        for one in (c.assistant(c.made(f"c{n}", json.dumps(given))), c.tool(f"c{n}", text))
    ]
    return {"model": "gpt-4o", "tools": tools, "messages": [c.USER, *spoken]}, tools


def responses(schemas: list[Any], exchanges: list[tuple[Any, str]]) -> Made:
    tools = [{"type": "function", "name": f"t{n}", "parameters": one} for n, one in enumerate(schemas)]
    spoken = [
        one
        for n, (given, text) in enumerate(exchanges)
        for one in (r.call(f"c{n}", json.dumps(given)), r.output(f"c{n}", text))
    ]
    return {"model": "gpt-5", "tools": tools, "input": [r.USER, *spoken]}, tools


def gemini(schemas: list[Any], exchanges: list[tuple[Any, str]]) -> Made:
    declared = [{"name": f"t{n}", "parametersJsonSchema": one} for n, one in enumerate(schemas)]
    spoken = [
        one
        for n, (given, text) in enumerate(exchanges)
        for one in (g.model(g.call("t0", f"c{n}", given)), g.user(g.answer("t0", f"c{n}", {"output": text})))
    ]
    tools = [{"functionDeclarations": declared}]
    return {"model": "gemini-2.5-pro", "tools": tools, "contents": [g.USER, *spoken]}, tools


def bedrock(schemas: list[Any], exchanges: list[tuple[Any, str]]) -> Made:
    tools = [{"toolSpec": {"name": f"t{n}", "inputSchema": {"json": one}}} for n, one in enumerate(schemas)]
    spoken = [
        one
        for n, (given, text) in enumerate(exchanges)
        for one in (b.assistant(b.use(f"c{n}", given)), b.user(b.result(f"c{n}", b.text(text))))
    ]
    return {"modelId": "amazon.nova-pro", "toolConfig": {"tools": tools}, "messages": [b.USER, *spoken]}, tools


wires = pytest.mark.parametrize("make", [anthropic, chat, responses, gemini, bedrock])
Make = Callable[[list[Any], list[tuple[Any, str]]], Made]


@wires
@pytest.mark.parametrize(
    "schemas",
    [
        pytest.param([ANNOTATED], id="SCH_01"),
        pytest.param([REFERRING], id="SCH_04"),
        pytest.param([CHOICES, CHOICES], id="SCH_06"),
        pytest.param([SMALL, DANGLING, SMALL, SMALL], id="SCH_07"),
        pytest.param([SMALL, SMALL, LARGE], id="SCH_09"),
    ],
)
def test_SCH_01_SCH_04_SCH_06_SCH_07_SCH_09_tools_go_out_as_they_came(make: Make, schemas: list[Any]) -> None:
    exchanges = [({"path": f"{n}.py"}, log(120, f"part {n}")) for n in range(6)]
    given, tools = make(schemas, exchanges)
    body = json.dumps(given).encode()
    result = Compactor(store=memory_store()).compact(body, force=True)
    assert result.report.outcome == "applied"
    assert json.dumps(tools).encode() in result.payload
    assert validate(result.payload) == []
    assert Compactor(store=memory_store()).compact(given, force=True).payload.get("tools") is given.get("tools")


@wires
def test_SCH_01_arguments_keep_the_keys_that_are_named_like_annotations(make: Make) -> None:
    arguments = {
        "description": log(80),
        "title": "t",
        "type": log(80, "kind"),
        "$ref": log(80, "ref"),
        "required": [],
    }
    given, _ = make([ANNOTATED], [(arguments, log(120, f"part {n}")) for n in range(6)])
    result = Compactor(store=memory_store()).compact(given, force=True)
    sent = [one for one in objects(result.payload) if "description" in one and "$ref" in one]
    assert [list(one) for one in sent] == [list(arguments)] * 6
    assert any(one != arguments for one in sent)
    assert all(one["title"] == "t" and one["required"] == [] for one in sent)


def objects(value: Any) -> list[dict[str, Any]]:
    """Every object of a payload, those in arguments given as text too."""
    if isinstance(value, str) and value.startswith("{"):
        value = json.loads(value)
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if isinstance(value, dict) else []), *(one for held in inside for one in objects(held))]
