"""One key for one call, however it is written; another for every other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.styles import Style

from trimtab.calls import call_key

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
)
ARGUMENTS = st.dictionaries(st.text(max_size=2), VALUES, max_size=3)
STYLES = st.tuples(st.sampled_from(["", " ", "\n\t"]), st.booleans(), st.integers(0, 9)).map(
    lambda drawn: Style(gap=drawn[0], ascii=drawn[1], shuffle=drawn[2])
)


def typed(value: Any) -> Any:
    """A value that is equal to another only where the types are the same too."""
    if isinstance(value, dict):
        return {key: typed(one) for key, one in value.items()}
    if isinstance(value, list):
        return [typed(one) for one in value]
    return (type(value), repr(value))


@given(arguments=ARGUMENTS, style=STYLES)
def test_arguments_have_one_key_however_they_are_written(arguments: dict[str, Any], style: Style) -> None:
    key = call_key("read", arguments)
    assert key is not None
    assert call_key("read", style.write(arguments).decode()) == key
    assert call_key("read", dict(reversed(arguments.items()))) == key


@given(one=VALUES, other=VALUES)
def test_two_values_have_one_key_only_where_they_are_the_same(one: Any, other: Any) -> None:
    assert (call_key("read", {"a": one}) == call_key("read", {"a": other})) == (typed(one) == typed(other))


def test_DEDUP_07_order_of_keys_is_no_matter_types_are() -> None:
    assert call_key("f", '{"a":1,"b":2}') == call_key("f", '{ "b": 2, "a": 1 }')
    written = [
        "1",
        "1.0",
        '"1"',
        "true",
        "[1]",
        "null",
        "NaN",
        '"NaN"',
        "-0.0",
        "0.0",
        "0",
        "1e999",
        '"1e999"',
        "{}",
    ]
    written += [str(2**64), str(2**64 + 1), str(float(2**64))]
    assert len({call_key("f", f'{{"a": {one}}}') for one in written}) == len(written)


def test_the_tool_is_part_of_the_key() -> None:
    assert call_key("read", "{}") != call_key("reads", "{}")
    assert call_key("a\0", "{}") != call_key("a", "\0{}")
    assert call_key("read\ud800", "{}") is not None


@pytest.mark.parametrize("blank", ["", " \n", "{}"])
def test_no_text_is_no_arguments(blank: str) -> None:
    assert call_key("list_files", blank) == call_key("list_files", {})


def test_what_is_not_json_has_no_key() -> None:
    for text in ("{", "*** Begin Patch", "{'a': 1}", "[" * 100_000, "\ufeff{}", f'{{"a": {"9" * 5_000}}}'):
        assert call_key("f", text) is None


class Number(int):
    pass


def test_what_json_would_not_give_back_has_no_key() -> None:
    circle: list[Any] = []
    circle.append(circle)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value in ((1, 2), {1, 2}, b"x", object(), {1: "a"}, {None: "a"}, Number(1), circle, deep):
        assert call_key("f", {"a": value}) is None
        assert call_key("f", {"b": [{"a": value}]}) is None


def test_lone_surrogates_are_text_like_any_other() -> None:
    assert call_key("f", json.dumps({"a": "\ud800"})) == call_key("f", {"a": "\ud800"})
    assert call_key("f", {"a": "\ud800"}) != call_key("f", {"a": "\ufffd"})
