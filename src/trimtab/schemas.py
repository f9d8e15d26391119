"""Tool schemas without their prose: what a model needs to make a call stays, what only explains it goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from urllib.parse import unquote

from trimtab.jsonbytes import Delete
from trimtab.transcript import JSON, Path
from trimtab.wildcards import matches


class Level(StrEnum):
    """How much of a schema goes: nothing, the descriptions, or titles, examples and comments as well."""

    OFF = "off"
    DESCRIPTIONS = "descriptions"
    ANNOTATIONS = "annotations"


TEXTS: Mapping[Level, frozenset[str]] = {
    Level.OFF: frozenset(),
    Level.DESCRIPTIONS: frozenset({"description"}),
    Level.ANNOTATIONS: frozenset({"description", "title", "$comment"}),
}
"""Keywords that do not bear on which calls are valid, where their value is a text (JSON Schema 2020-12, 9.1)."""

EXAMPLES = frozenset({"example", "examples"})
"""Those of any value, at the highest level (`example` is OpenAPI's)."""

ONE = frozenset(
    {"items", "additionalItems", "additionalProperties", "additional_properties", "unevaluatedItems"}
    | {"unevaluatedProperties", "contains", "propertyNames", "not", "if", "then", "else", "contentSchema"}
)
"""Keywords whose value is a schema (of `items`, in older drafts, a list of schemas)."""

MANY = frozenset({"allOf", "anyOf", "any_of", "oneOf", "prefixItems", "prefix_items", "items"})
"""Keywords whose value is a list of schemas, in the spelling of JSON too that Google's SDK uses."""

NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
"""Keywords whose value holds schemas by names, which may be any words."""

PLACES: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("tools/*/input_schema",),
    "openai_chat": ("tools/*/function/parameters", "functions/*/parameters"),
    "openai_responses": ("tools/*/parameters", "tools/*/tools/*/parameters"),
    "gemini": tuple(
        f"{where}tools/*/{declared}/*/{schema}"
        for where in ("", "config/")
        for declared in ("functionDeclarations", "function_declarations")
        for schema in ("parameters", "parametersJsonSchema", "parameters_json_schema")
    ),
    "bedrock": tuple(f"{where}tools/*/toolSpec/inputSchema/json" for where in ("", "toolConfig/")),
    "langchain": tuple(f"tools/*/{one}" for one in ("function/parameters", "input_schema", "parameters")),
}
"""Where each wire has the schemas of its tools (see `wildcards`)."""


def schemas(wire: str, fields: Mapping[str, JSON]) -> Iterator[tuple[Path, JSON]]:
    """The schemas of a request's tools, each with its path from the top; nothing for a wire that is not known."""
    for place in PLACES.get(wire, ()):
        yield from matches(fields, place)


def compacted(schema: JSON, level: Level) -> Iterator[Delete]:
    """What is to be taken out of a JSON schema, by paths within it: annotations, wherever a schema may stand.

    Types, enums, required names, defaults, references and every keyword that is not known here stay. A name that
    happens to be `description` is no annotation; neither is what a reference points to.
    """
    if level is Level.OFF:
        return
    found, spared = list[Path](), set[Path]()
    todo: list[tuple[Path, JSON]] = [((), schema)]
    while todo:
        path, one = todo.pop()
        if not isinstance(one, dict):
            continue
        if isinstance(reference := one.get("$ref"), str):
            spared.add(_target(reference))
        found += [(*path, key) for key, value in one.items() if _explains(key, value, level)]
        todo += [((*path, *steps), inner) for key, value in one.items() for steps, inner in _inner(key, value)]
    kept = {path[:size] for path in spared for size in range(1, len(path) + 1)}
    yield from (Delete(path) for path in found if path not in kept)


def _explains(key: str, value: JSON, level: Level) -> bool:
    if isinstance(value, str) and key in TEXTS[level]:
        return True
    return level is Level.ANNOTATIONS and key in EXAMPLES


def _inner(key: str, value: JSON) -> Iterator[tuple[Path, JSON]]:
    """The schemas in the value of a keyword, with the steps that lead to them."""
    if key in NAMED and isinstance(value, dict):
        yield from (((key, name), one) for name, one in value.items())
    elif key in MANY and isinstance(value, list):
        yield from (((key, number), one) for number, one in enumerate(value))
    elif key in ONE:
        yield (key,), value


def _target(reference: str) -> Path:
    """The keys that a reference within the schema leads through (RFC 6901); none for one that leads elsewhere."""
    pointer = unquote(reference[2:]) if reference.startswith("#/") else ""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/") if pointer)
