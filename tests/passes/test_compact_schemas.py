from __future__ import annotations

import json
from typing import Any

import pytest
from tests.cases.test_schema import ANNOTATED, Make, wires

from trimtab import Compactor, validate
from trimtab.passes.base import FrameView
from trimtab.passes.compact_schemas import CompactSchemas
from trimtab.presets.four_places import FourPlaces
from trimtab.schemas import Level, schemas
from trimtab.testing import memory_store
from trimtab.wires import sniff

BARE = {
    "type": "object",
    "properties": {"description": {"type": "string"}, "title": {"type": "string", "title": "Title"}},
    "required": ["description"],
}


def compactor() -> Compactor:
    return Compactor(preset=FourPlaces(), store=memory_store())


def tools(payload: dict[str, Any]) -> list[Any]:
    """The schemas in a payload, whatever its wire."""
    listed = next(value for key, value in payload.items() if key in ("messages", "input", "contents"))
    return [schema for _, schema in schemas(sniff(payload, listed).name, payload)]


@wires
def test_SCH_01_the_schemas_of_every_wire_lose_their_descriptions_and_undo_gives_them_back(make: Make) -> None:
    given, _ = make([ANNOTATED, ANNOTATED], [({"path": "a"}, "ok")])
    body = json.dumps(given, indent=1).encode()
    made = compactor()
    result = made.compact(body)
    assert tools(json.loads(result.payload)) == [BARE, BARE]
    assert validate(result.payload) == []
    assert made.undo(result.payload) == body
    assert result.report.tokens_after < result.report.tokens_before


@wires
def test_bytes_are_spliced_and_dicts_are_not_touched(make: Make) -> None:
    given, listed = make([ANNOTATED], [({"path": "a"}, "ok")])
    kept = json.dumps(given)
    sent = compactor().compact(given).payload
    assert json.dumps(given) == kept
    assert tools(sent) == [BARE]
    body = kept.encode().replace(b'"type": "object"', b'"type" :\t"object"')
    assert b'"type" :\t"object"' in compactor().compact(body).payload
    assert listed


@wires
def test_a_second_run_changes_nothing(make: Make) -> None:
    given, _ = make([ANNOTATED], [({"path": "a"}, "ok")])
    made = compactor()
    once = made.compact(json.dumps(given).encode()).payload
    assert made.compact(once).payload is once


@pytest.mark.parametrize("level", list(Level))
def test_the_task_makes_no_difference(level: Level) -> None:
    fields = {"tools": [{"name": "a", "description": "Of the tool.", "input_schema": ANNOTATED}]}
    views = (FrameView("anthropic", fields, {}, task, b"") for task in ("a", "b"))
    one, two = (list(CompactSchemas(level).shape(view)) for view in views)
    assert one == two
    assert len(one) == {"off": 0, "descriptions": 2, "annotations": 3}[level]
