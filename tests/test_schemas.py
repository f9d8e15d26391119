from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.cases.test_schema import ANNOTATED, CHOICES, DANGLING, REFERRING

from trimtab.jsonbytes import rewrite
from trimtab.schemas import ONE, Level, compacted, schemas

PROSE = {"description": "Which one. Must exist.", "title": "Which", "$comment": "see there"}
EXAMPLES = {"examples": [{"description": "x"}], "example": "x"}


def apply(schema: Any, level: Level = Level.DESCRIPTIONS) -> Any:
    return json.loads(rewrite(json.dumps(schema).encode(), list(compacted(schema, level))))


def test_descriptions_of_parameters_go_and_everything_needed_to_call_stays() -> None:
    branch = {"type": "string", "pattern": "^[a-z]+$", "minLength": 1}
    bare = {
        "type": "object",
        "properties": {
            "branch": branch,
            "mode": {"enum": ["fast", "safe"], "default": "safe"},
            "files": {"type": "array", "items": {"type": "object", "properties": {"path": {"type": "string"}}}},
            "by": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["branch"],
        "additionalProperties": False,
    }
    told = json.loads(json.dumps(bare))
    told["description"] = "What to do."
    for one in (
        *told["properties"].values(),
        told["properties"]["files"]["items"],
        *told["properties"]["by"]["anyOf"],
    ):
        one["description"] = "The name of the branch to create. Must be a valid git ref string."
    assert apply(told) == bare
    assert apply(bare) == bare


def test_SCH_01_a_property_named_description_survives() -> None:
    bare = {
        "type": "object",
        "properties": {"description": {"type": "string"}, "title": {"type": "string", "title": "Title"}},
        "required": ["description"],
    }
    assert apply(ANNOTATED) == bare
    assert apply(ANNOTATED, Level.ANNOTATIONS)["properties"]["title"] == {"type": "string"}


def test_a_property_named_description_survives_in_a_schema_that_leaves_out_properties() -> None:
    sloppy = {"description": {"type": "string"}, "title": {"type": "string"}}
    assert apply(sloppy, Level.ANNOTATIONS) == sloppy


@pytest.mark.parametrize("schema", [REFERRING, CHOICES, DANGLING, {}, True, None, "x", []], ids=str)
def test_SCH_04_SCH_06_SCH_07_references_enums_and_what_is_no_schema_stay(schema: Any) -> None:
    assert apply(schema, Level.ANNOTATIONS) == schema


def test_SCH_04_descriptions_within_definitions_go_and_recursion_ends() -> None:
    node = {"description": "A node.", "properties": {"next": {"$ref": "#/$defs/node", "description": "The next."}}}
    assert apply({"$ref": "#/$defs/node", "$defs": {"node": node}}) == {
        "$ref": "#/$defs/node",
        "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}},
    }


def test_SCH_04_what_a_reference_points_to_stays() -> None:
    schema = {
        "properties": {
            "a/b": {"examples": [{"type": "string"}], "title": "A"},
            "c": {"$ref": "#/properties/a~1b/examples/0"},
        }
    }
    assert apply(schema, Level.ANNOTATIONS) == {
        "properties": {"a/b": {"examples": [{"type": "string"}]}, "c": {"$ref": "#/properties/a~1b/examples/0"}}
    }


@pytest.mark.parametrize("key", ["const", "default", "enum", "x-own", "required"])
def test_what_stands_in_a_value_is_no_annotation(key: str) -> None:
    schema = {key: [{"description": "text", "properties": {"a": {"description": "text"}}}]}
    assert apply(schema, Level.ANNOTATIONS) == schema


def test_levels() -> None:
    schema = {"type": "string", **PROSE, **EXAMPLES}
    assert apply(schema, Level.OFF) == schema
    assert apply(schema, Level.DESCRIPTIONS) == {
        key: value for key, value in schema.items() if key != "description"
    }
    assert apply(schema, Level.ANNOTATIONS) == {"type": "string"}


Pair = tuple[Any, Any]
names = st.sampled_from(["description", "title", "examples", "$ref ", "a/b", "items", ""])
leaves = st.sampled_from(
    [{"type": "string"}, {"enum": ["a", {"description": "x"}]}, {"const": {"title": "x"}}, {}, True]
)
prose: st.SearchStrategy[dict[str, Any]] = st.sampled_from([{}, PROSE, EXAMPLES, {**PROSE, **EXAMPLES}])


def noted(pairs: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    def note(drawn: tuple[Pair, dict[str, Any]]) -> Pair:
        (bare, told), more = drawn
        return (bare, {**told, **more} if isinstance(told, dict) else told)

    return st.tuples(pairs, prose).map(note)


def wrapped(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    """A keyword with one schema, a list of them, or schemas by names."""
    listed = st.sampled_from(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
    one = st.tuples(st.sampled_from(sorted(ONE)), inner).map(lambda drawn: pair(drawn[0], drawn[1]))
    many = st.tuples(listed, st.lists(inner, min_size=1, max_size=3)).map(
        lambda drawn: pair(drawn[0], ([bare for bare, _ in drawn[1]], [told for _, told in drawn[1]]))
    )
    named = st.tuples(st.sampled_from(["properties", "$defs"]), st.dictionaries(names, inner)).map(
        lambda drawn: pair(
            drawn[0], ({n: p[0] for n, p in drawn[1].items()}, {n: p[1] for n, p in drawn[1].items()})
        )
    )
    return noted(st.one_of(one, many, named))


def pair(key: str, values: Pair) -> Pair:
    return {"type": "x", key: values[0]}, {"type": "x", key: values[1]}


@given(st.recursive(noted(leaves.map(lambda leaf: (leaf, leaf))), wrapped, max_leaves=8))
def test_what_was_noted_on_any_schema_goes_and_nothing_else(drawn: Pair) -> None:
    bare, told = drawn
    assert apply(told, Level.ANNOTATIONS) == bare
    assert apply(bare, Level.ANNOTATIONS) == bare


def test_deep_schemas_end() -> None:
    schema: Any = {"description": "x"}
    for _ in range(900):  # deeper ones no JSON reader takes
        schema = {"items": schema}
    assert len(list(compacted(schema, Level.DESCRIPTIONS))) == 1


GEMINI = [{"name": "a", "parameters": 1}, {"name": "b", "parametersJsonSchema": 2}, {"name": "c"}]


@pytest.mark.parametrize(
    ("wire", "fields", "found"),
    [
        ("anthropic", {"tools": [{"input_schema": 1}, {"type": "web_search"}, {"input_schema": 2}]}, [1, 2]),
        ("openai_chat", {"tools": [{"function": {"parameters": 1}}], "functions": [{"parameters": 2}]}, [1, 2]),
        (
            "openai_responses",
            {"tools": [{"parameters": 1}, {"type": "namespace", "tools": [{"parameters": 2}]}]},
            [1, 2],
        ),
        ("gemini", {"tools": [{"functionDeclarations": GEMINI}, {"googleSearch": {}}]}, [1, 2]),
        ("gemini", {"tools": {"function_declarations": [{"parameters_json_schema": 1}]}}, [1]),
        ("gemini", {"config": {"tools": [{"function_declarations": GEMINI}]}}, [1, 2]),
        (
            "bedrock",
            {"toolConfig": {"tools": [{"toolSpec": {"inputSchema": {"json": 1}}}, {"cachePoint": {}}]}},
            [1],
        ),
        ("bedrock", {"tools": [{"toolSpec": {"inputSchema": {"json": 1}}}]}, [1]),
        (
            "langchain",
            {"tools": [{"function": {"parameters": 1}}, {"input_schema": 2}, {"parameters": 3}]},
            [1, 2, 3],
        ),
        ("anthropic", {"tools": None}, []),
        ("of another", {"tools": [{"input_schema": 1}]}, []),
    ],
)
def test_where_each_wire_has_its_schemas(wire: str, fields: dict[str, Any], found: list[int]) -> None:
    places = list(schemas(wire, fields))
    assert sorted(value for _, value in places) == found
    for path, value in places:
        held: Any = fields
        for step in path:
            held = held[step]
        assert held == value
