"""What structured outputs take of a schema."""

from __future__ import annotations

import copy
from typing import Any

from anthropic import transform_schema

from trimtab.writers.anthropic import bare

NOTE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "task": {"type": "string", "maxLength": 300, "minLength": 1},
        "maximum": {"type": "integer", "minimum": 0, "maximum": 9},
        "state": {"enum": ["open", "done"]},
        "files": {"type": "array", "maxItems": 8, "items": {"$ref": "#/$defs/file"}},
        "next": {"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]},
    },
    "required": ["task", "files"],
    "$defs": {"file": {"type": "object", "properties": {"path": {"type": "string", "maxLength": 99}}}},
}


def described(schema: Any) -> Any:
    """The schema without descriptions, into which the SDK puts the bounds."""
    if isinstance(schema, dict):
        return {key: described(value) for key, value in schema.items() if key != "description"}
    return [described(one) for one in schema] if isinstance(schema, list) else schema


def test_bounds_go_as_the_sdk_takes_them_out_and_names_stay() -> None:
    given = copy.deepcopy(NOTE)
    assert bare(given) == described(transform_schema(copy.deepcopy(NOTE)))
    assert given == NOTE
