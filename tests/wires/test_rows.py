"""The tables of the wires tell what the code does: each row is held against examples."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.wires.apply import apply
from tests.wires.row_examples import EXAMPLES

from trimtab.errors import WireError
from trimtab.guard import unfit
from trimtab.jsonbytes import Set
from trimtab.transcript import Media, Part, Reasoning, Text, ToolCall, ToolResult
from trimtab.wires import WIRES, by_name
from trimtab.wires.base import Fate, Row, Wire

STUB = "[cut]"


def bare(parts: Any) -> list[Part]:
    """Parts without their places, which an edit beside them may move."""
    return [replace(part, path=()) for part in parts]


def parts_of(wire: Wire, row: Row, source: Any) -> list[tuple[int, Part]]:
    assert row.part is not None
    found = [(n, one) for n, one in enumerate(wire.message(source).parts) if isinstance(one, row.part)]
    assert found, f"no {row.part.__name__} in {source}"
    return found


def cut(part: Part) -> Part:
    """The part as a stub: arguments keep their shape."""
    match part:
        case ToolCall():
            return replace(part, arguments=json.dumps(shortened(json.loads(part.arguments))))
        case Text() | ToolResult():
            return replace(part, text=STUB)
    return Text(STUB)


def shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shortened(held) for key, held in value.items()}
    if isinstance(value, list):
        return [shortened(one) for one in value]
    return STUB if isinstance(value, str) else value


def edited(wire: Wire, row: Row, source: Any) -> None:
    for n, part in parts_of(wire, row, source):
        new = cut(part)
        assert unfit(part, new) is None
        ops = wire.overlay(source, part, new)
        after = apply(source, ops)
        made = wire.message(after).parts
        assert countable(made[n]) == countable(new)
        others = [*wire.message(source).parts[:n], *wire.message(source).parts[n + 1 :]]
        assert bare([*made[:n], *made[n + 1 :]]) == bare(others)
        assert all(isinstance(op, Set) for op in ops)
        assert beside(source, ops) == beside(after, ops)


def countable(part: Part) -> Any:
    return json.loads(part.arguments) if isinstance(part, ToolCall) else getattr(part, "text", None)


def beside(source: Any, ops: Any) -> Any:
    """The message but for what the edits set."""
    return apply(source, [Set(op.path, None) for op in ops])


def replaced(wire: Wire, row: Row, source: Any) -> None:
    marks = ("cache_control", "prompt_cache_breakpoint", "thoughtSignature")
    for n, part in parts_of(wire, row, source):
        assert unfit(part, Text(STUB)) is None
        after = apply(source, wire.overlay(source, part, Text(STUB)))
        made = wire.message(after).parts[n]
        assert isinstance(made, Text | ToolResult)
        assert made.text == STUB
        assert isinstance(part, Media)
        assert getattr(made, "call_id", None) == part.call_id
        assert all((mark in json.dumps(source)) == (mark in json.dumps(after)) for mark in marks)


def dropped(wire: Wire, row: Row, source: Any) -> None:
    for _, part in parts_of(wire, row, source):
        assert unfit(part, Text(STUB)) == "this part is kept whole"
        with pytest.raises(WireError):
            wire.overlay(source, part, Text(STUB))
        left = wire.message(apply(source, wire.drop(source, part))).parts
        assert bare(left) == bare(one for one in wire.message(source).parts if not isinstance(one, Reasoning))


def kept(wire: Wire, row: Row, source: Any) -> None:
    for _, part in parts_of(wire, row, source):
        new = replace(part, arguments=STUB) if isinstance(part, ToolCall) else Text(STUB)
        assert unfit(part, new) is not None
        with pytest.raises(WireError):
            wire.drop(source, part)
    for one in wire.message(source).parts:  # nor is there another way to it
        if isinstance(one, Text | ToolResult) and one.text:
            pytest.fail(f"{one} may be edited")


def alone(wire: Wire, row: Row, fields: Any) -> None:
    assert wire.frame(fields).hands_off
    assert not wire.frame({}).hands_off


def same(wire: Wire, row: Row, pair: Any) -> None:
    one, other = pair
    assert one != other
    assert wire.canonical(one) == wire.canonical(other)


def counts(wire: Wire, row: Row, pair: Any) -> None:
    one, other = pair
    assert wire.canonical(one) != wire.canonical(other)


PROOFS: dict[Fate, Callable[[Wire, Row, Any], None]] = {
    Fate.EDITED: edited,
    Fate.REPLACED: replaced,
    Fate.DROPPED: dropped,
    Fate.KEPT: kept,
    Fate.ALONE: alone,
    Fate.SAME: same,
    Fate.COUNTS: counts,
}
ROWS = [(wire, row) for wire in WIRES for row in wire.rows]


@pytest.mark.parametrize(("wire", "row"), ROWS, ids=lambda one: getattr(one, "name", None) or one.what)
def test_a_row_tells_what_the_code_does(wire: Wire, row: Row) -> None:
    for example in EXAMPLES[wire.name][row.what]:
        PROOFS[row.fate](wire, row, example)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_there_are_examples_of_every_row_and_of_no_other(wire: Wire) -> None:
    names = [row.what for row in wire.rows]
    assert sorted(names) == sorted(EXAMPLES[wire.name])
    assert all(EXAMPLES[wire.name].values())
    assert all((row.part is None) == (row.fate in (Fate.ALONE, Fate.SAME, Fate.COUNTS)) for row in wire.rows)


def test_a_row_that_lies_is_found_out() -> None:
    wire, lie = by_name("anthropic"), Row("a `search_result`", Fate.EDITED, ToolResult)
    with pytest.raises(AssertionError):
        edited(wire, lie, EXAMPLES["anthropic"][lie.what][0])
