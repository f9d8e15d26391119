from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import ODD
from trimtab.excerpts.json_lines import JsonLines

READ = JsonLines().read


def lines(count: int = 1_000, **more: Any) -> list[str]:
    return [json.dumps({"id": n, "level": "info", "message": f"served {n}", **more}) for n in range(count)]


@given(over('{"a": 1}', "{}", '{"b": [1, {"c": null}]}', "[1]", '{"cut'))
def test_other_texts_are_none_or_lawful(text: str) -> None:
    check(text, READ(text))


@given(
    st.lists(
        st.dictionaries(st.text(max_size=9), st.text() | st.lists(st.integers(), max_size=9), max_size=5),
        min_size=2,
        max_size=9,
    )
)
def test_any_objects_a_line_are_read(objects: list[dict[str, Any]]) -> None:
    text = "\n".join(map(json.dumps, objects))
    assert READ(text) is not None
    check(text, READ(text))


@pytest.mark.parametrize(
    "text", [*HOSTILE, '{"a": 1}', '{"a": 1}\n[2]', '{"a": 1}, {"b": 2}\n{"a": 1}', '{"a": 1}\nx\n{"a": 2}']
)
def test_what_is_not_an_object_a_line_is_none(text: str) -> None:
    assert READ(text) is None


def test_a_short_line_is_a_unit_and_the_odd_one_stands_out() -> None:
    rows = lines()
    rows[700] = rows[700].replace("info", "fatal")
    text = "\n".join(rows)
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert [text[unit.start : unit.stop] for unit in outline.units] == text.splitlines(keepends=True)
    assert [text[u.start : u.stop].strip() for u in outline.units if u.weight == ODD] == [rows[700]]
    assert outline.sums == "$ 1,000 rows: level info ×999 · fatal ×1, id 0 to 999"


def test_fields_of_a_long_line_are_units_that_need_its_first_field() -> None:
    text = "\n".join(lines(20, body="word " * 100, last="end"))
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    at = text.index("served 13")
    unit = next(unit for unit in outline.units if unit.start <= at < unit.stop)
    assert unit.path == "$[13].message"
    assert above(text, outline, "served 13") == ['{"id": 13,']


def test_numbered_lines_are_read() -> None:
    text = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(lines(20), 1))
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert unit_of(text, outline, 'served 7"').start == text.index("     8\t")
