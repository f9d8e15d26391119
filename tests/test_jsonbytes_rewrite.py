from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st
from tests.json_texts import BOM, TEXTS, VALUES, Fields, names_of, paths_of, tree

from trimtab.errors import WireError
from trimtab.jsonbytes import Delete, Op, Set, at, rewrite
from trimtab.transcript import Path


def planned(draw: st.DrawFn, value: Any, path: Path) -> tuple[list[Op], Any]:
    """Ops for the tree `value`, and the tree that they must lead to."""
    ops: list[Op] = []
    fates: dict[str | int, Any] = {}
    for name in names_of(value):
        fate = draw(st.sampled_from(["keep", "into", "set", "delete"]))
        here = (*path, name)
        if fate == "set":
            new = draw(VALUES)
            ops.append(Set(here, new))
            fates[name] = [tree(json.dumps(new).encode())]
        elif fate == "delete":
            ops.append(Delete(here))
            fates[name] = []
        elif fate == "into":
            old = value[name] if isinstance(name, int) else [v for key, v in value if key == name][-1]
            inner, after = planned(draw, old, here)
            ops += inner
            fates[name] = [after]
    return finished(draw, value, path, ops, fates)


def finished(
    draw: st.DrawFn, value: Any, path: Path, ops: list[Op], fates: dict[str | int, Any]
) -> tuple[list[Op], Any]:
    if isinstance(value, Fields):
        last = {key: index for index, (key, _) in enumerate(value)}
        after = Fields()
        for index, (key, old) in enumerate(value):
            fate = fates.get(key, [old])
            after += [[key, new if last[key] == index else old] for new in fate]
        for key in draw(st.lists(st.sampled_from(["new", "\ud800new"]), unique=True)):
            new = draw(VALUES)
            ops.append(Set((*path, key), new))
            after.append([key, tree(json.dumps(new).encode())])
        return ops, after
    if isinstance(value, list):
        return ops, [new for index, old in enumerate(value) for new in fates.get(index, [old])]
    return ops, value


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, list[Op], Any]:
    data = draw(TEXTS)
    ops, after = planned(draw, tree(data), ())
    return data, draw(st.permutations(ops)), after


def sorted_new(value: Any) -> Any:
    """Added members stand in the order of the ops, which are shuffled here: put them in one order."""
    if isinstance(value, Fields):
        inner = [[key, sorted_new(item)] for key, item in value]
        return Fields(sorted(inner, key=lambda pair: pair[0] if pair[0].endswith("new") else ""))
    return [sorted_new(item) for item in value] if isinstance(value, list) else value


@given(edited())
def test_rewriting_then_reading_is_reading_then_editing(case: tuple[bytes, list[Op], Any]) -> None:
    data, ops, after = case
    assert sorted_new(tree(rewrite(data, ops))) == sorted_new(after)


@given(TEXTS)
def test_no_ops_give_back_the_very_data(data: bytes) -> None:
    assert rewrite(data, []) is data


def apart(paths: Sequence[Path]) -> list[Path]:
    """Those of `paths` that lead into none of the others before them, nor they into it."""
    chosen: list[Path] = []
    for path in paths:
        if all(path[: len(other)] != other and other[: len(path)] != path for other in chosen):
            chosen.append(path)
    return chosen


@given(st.data())
def test_only_the_bytes_of_replaced_values_change(draws: st.DataObject) -> None:
    data = draws.draw(TEXTS)
    paths = apart(draws.draw(st.lists(st.sampled_from(paths_of(tree(data))), max_size=4)))
    expected = data
    for place in sorted(filter(None, (at(data, path) for path in paths)), key=lambda p: -p.start):
        expected = expected[: place.start] + b'"@"' + expected[place.stop :]
    assert rewrite(data, [Set(path, "@") for path in paths]) == expected


@pytest.mark.parametrize(
    ("before", "ops", "after"),
    [
        (" 1 ", [Set((), 2)], " 2 "),
        (BOM + " [1]\n", [Set((), {})], BOM + " {}\n"),
        (BOM + '{"a":"\\ud800"}', [Set(("a",), 1)], BOM + '{"a":1}'),
        ("[ 1 , 2 , 3 ]", [Delete((0,))], "[ 2 , 3 ]"),
        ("[ 1 , 2 , 3 ]", [Delete((1,))], "[ 1 , 3 ]"),
        ("[ 1 , 2 , 3 ]", [Delete((2,))], "[ 1 , 2 ]"),
        ("[\n  1,\n  2\n]", [Delete((1,))], "[\n  1\n]"),
        ("[\n  1,\n  2\n]", [Delete((0,))], "[\n  2\n]"),
        ("[1,2,3]", [Delete((2,)), Delete((0,))], "[2]"),
        ("[1,2,3]", [Delete((1,)), Delete((0,))], "[3]"),
        ("[1,2,3]", [Delete((0,)), Delete((1,)), Delete((2,))], "[]"),
        ("[1,2,3]", [Delete((0,)), Set((1,), "x")], '["x",3]'),
        ('{"a": 1, "b": 2}', [Delete(("a",))], '{"b": 2}'),
        ('{"a":1,"b":2,"a":3}', [Delete(("a",))], '{"b":2}'),
        ('{"a":1,"b":2,"a":3}', [Set(("a",), 4)], '{"a":1,"b":2,"a":4}'),
        ('{"a":[0],"a":[1]}', [Set(("a", 0), 4)], '{"a":[0],"a":[4]}'),
        ('{"a": 1}', [Set(("b",), [2, 3]), Set(("c",), 4)], '{"a": 1, "b": [2,3], "c": 4}'),
        ('{"a":1}', [Set(("b",), 2)], '{"a":1,"b":2}'),
        ("{ }", [Set(("b",), 2)], '{ "b":2}'),
        ('{"a":1 , "c":0 }', [Delete(("c",)), Set(("b",), 2)], '{"a":1,"b":2 }'),
        ('{"a":1}', [Delete(("a",)), Set(("b",), 2)], '{"b":2}'),
        ('{"a":1}', [Delete(("b",))], '{"a":1}'),
        ('{"a":1}', [Set(("a",), 2), Set(("a",), 3)], '{"a":3}'),
        ('{"a":1}', [Set(("a",), {"b": msgspec.Raw(b"[ 1e999 ]")})], '{"a":{"b":[ 1e999 ]}}'),
        ('{"":[{}]}', [Set(("", 0, ""), "\ud800")], '{"":[{"":"\\ud800"}]}'),
    ],
)
def test_rewrite_leaves_one_comma_and_the_layout(before: str, ops: list[Op], after: str) -> None:
    assert rewrite(before.encode(), ops).decode() == after


@pytest.mark.parametrize(
    ("data", "ops"),
    [
        (b"[1]", [Delete(())]),
        (b"[1]", [Set((1,), 2)]),
        (b"[1]", [Delete((-1,))]),
        (b"[1]", [Set(("a",), 2)]),
        (b'{"a":1}', [Set((0,), 2)]),
        (b'{"a":1}', [Set(("a", "b"), 2)]),
        (b'{"a":1}', [Delete(("b", "c"))]),
        (b'{"a":{}}', [Set(("a",), 1), Set(("a", "b"), 2)]),
        (b'{"a":{}}', [Set(("a", "b"), 2), Delete(("a",))]),
        (b"1", [Set(("a",), 2)]),
    ],
)
def test_a_path_that_leads_nowhere_is_a_value_error(data: bytes, ops: list[Op]) -> None:
    with pytest.raises(ValueError, match=r"\('|\(\d|\(-1|whole value"):
        rewrite(data, ops)


@pytest.mark.parametrize("ops", [[Set(("a",), 1)], [Set((), 1)]])
def test_rewriting_what_is_no_json_is_a_wire_error(ops: list[Op]) -> None:
    for data in (b"", b"x", b'{"a":1'):
        with pytest.raises(WireError):
            rewrite(data, ops)
