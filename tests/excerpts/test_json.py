from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.excerpts.lawful import HOSTILE, above, check, unit_of

from trimtab.excerpts.base import ODD, STRUCTURE, VERDICT, Outline
from trimtab.excerpts.items_scan import DEEPEST
from trimtab.excerpts.json import Json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40) | st.just("e\u0301 \\\\n" * 90),
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=12), inner, max_size=12),
    max_leaves=30,
)
FORMS: tuple[dict[str, Any], ...] = ({}, {"separators": (",", ":")}, {"indent": 2}, {"ensure_ascii": False})


def rows(count: int = 10_000) -> list[dict[str, Any]]:
    return [{"id": n, "name": f"user {n}", "ok": True, "of": {"team": "abc"[n % 3]}} for n in range(count)]


def read(text: str) -> Outline:
    outline = Json().read(text)
    assert outline is not None
    check(text, outline)
    return outline


def shown(text: str, outline: Outline, needle: str) -> str:
    unit = unit_of(text, outline, needle)
    return text[unit.start : unit.stop]


@given(st.lists(VALUES, max_size=8) | st.dictionaries(st.text(), VALUES, max_size=8), st.sampled_from(FORMS))
def test_any_json_is_read_and_the_units_are_the_text(value: Any, form: dict[str, Any]) -> None:
    read(json.dumps(value, **form))


@given(st.text() | st.sampled_from(HOSTILE))
def test_other_texts_are_none_or_lawful(text: str) -> None:
    check(text, Json().read(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_not_json(text: str) -> None:
    assert Json().read(text) is None


@pytest.mark.parametrize(
    "text", ["", "12", '"a"', "true", "[INFO] x", '{"a": 1} done', "[1, 2", '{"a": 1}\n{"a": 2}', "{'a': 1}"]
)
def test_what_is_not_one_whole_container_is_none(text: str) -> None:
    assert Json().read(text) is None


def test_a_row_on_one_line_is_a_unit_with_its_path_and_the_key_of_its_array() -> None:
    text = json.dumps({"total": 10_000, "rows": rows()}, separators=(",", ":"))
    outline = read(text)
    assert shown(text, outline, "user 7301") == '{"id":7301,"name":"user 7301","ok":true,"of":{"team":"c"}},'
    assert unit_of(text, outline, "user 7301").path == "$.rows[7301]"
    assert above(text, outline, "user 7301") == ['"rows":[']


def test_a_field_of_a_long_row_needs_the_first_of_the_row() -> None:
    text = json.dumps([{"id": n, "about": "word " * 60, "tail key": n} for n in range(9)])
    outline = read(text)
    needle = '"tail key": 7'
    assert shown(text, outline, needle).strip() == needle + "},"
    assert unit_of(text, outline, needle).path == '$[7]["tail key"]'
    assert above(text, outline, needle) == ['{"id": 7,']


def test_pretty_printed_units_are_lines_told_by_their_numbers() -> None:
    text = json.dumps({"total": 20, "rows": rows(20)}, indent=2)
    outline = read(text)
    assert len(outline.units) == len(text.splitlines())
    assert not any(unit.path for unit in outline.units)
    assert shown(text, outline, "user 13") == '      "name": "user 13",\n'
    assert above(text, outline, "user 13") == ['"id": 13,', '"rows": [']


def test_numbers_in_front_of_lines_are_looked_behind() -> None:
    lines = json.dumps({"rows": rows(20)}, indent=2).splitlines()
    text = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(lines, 1))
    outline = read(text)
    assert len(outline.units) == len(lines)
    assert above(text, outline, "user 13")[-1] == '2\t  "rows": ['


@pytest.mark.parametrize("form", FORMS[:3])
def test_a_value_and_a_key_that_one_row_has_are_odd(form: dict[str, Any]) -> None:
    data = rows(2_000)
    data[700]["ok"] = False
    data[900]["of"]["retired"] = "yes"
    text = json.dumps(data, **form)
    odd = [unit for unit in read(text).units if unit.weight == ODD]
    assert [unit.why for unit in odd] == ["rare ok", "rare key retired"]
    assert "false" in text[odd[0].start : odd[0].stop]
    assert "retired" in text[odd[1].start : odd[1].stop]


def test_a_type_that_one_row_has_is_odd_among_values_that_all_differ() -> None:
    data = [{"ms": n * 3} for n in range(500)]
    text = json.dumps([*data[:250], {"ms": None}, *data[250:]])
    assert [text[u.start : u.stop] for u in read(text).units if u.weight == ODD] == ['{"ms": null}, ']


def test_errors_and_outcomes_stand_out() -> None:
    text = json.dumps(
        {"exit_code": 1, "error": None, "steps": [{"name": "build " * 90}], "errors": ["no disk"]}, indent=1
    )
    outline = read(text)
    weights = {text[unit.start : unit.stop].strip(): unit.weight for unit in outline.units}
    assert weights['"exit_code": 1,'] == VERDICT
    assert weights['"error": null,'] == 0
    assert weights['"errors": ['] == ODD


def test_few_units_have_weight() -> None:
    units = read(json.dumps(rows(1_000), indent=2)).units
    assert 0 < sum(unit.weight == STRUCTURE for unit in units) <= len(units) // 10


def test_sums_tell_rows_ranges_and_counts_as_written() -> None:
    data = rows(1_000)
    data[3]["ok"] = False
    assert read(json.dumps({"users": data})).sums == (
        "$.users 1,000 rows: ok true ×999 · false ×1, id 0 to 999, of.team a ×334 · b ×333 · c ×333"
    )


def test_numbers_that_no_float_holds_are_compared_exactly() -> None:
    text = "[" + ", ".join(f"{9007199254740992 + n}" for n in (1, 0, 2, 3)) + "]"
    assert read(text).sums == "$ 4 items: values 9007199254740992 to 9007199254740995"


def test_a_number_of_any_length_is_read() -> None:
    assert len(read("[" + "7" * 9_000 + ", 1e99999]").units) > 20


def test_keys_and_numbers_without_rows_are_counted() -> None:
    assert read('{"a": 1, "b": {"c": 1e999}}').sums == "2 keys: a, b"


@pytest.mark.parametrize(
    "needle", ["needle", '\\"deep\\": 7', "\\u00e9clair", "1234567890123456789012345678901.5"]
)
def test_every_value_lies_in_a_unit_of_reasonable_size(needle: str) -> None:
    inner = json.dumps({"x": ["a" * 900, {"deep": 7}]})
    number = "1234567890123456789012345678901.5"
    text = json.dumps({"log": "line\n" * 300 + "needle\n" + "line\n" * 300, "raw": inner, "é": "éclair"})
    text = f'{text[:-1]}, "big": [{"0, " * 3_000}{number}]}}'
    assert needle in shown(text, read(text), needle)


def test_written_lines_of_a_long_text_are_units_that_need_its_key() -> None:
    text = json.dumps({"log": "first\n" + "line\n" * 300 + "needle\n" + "line\n" * 300})
    outline = read(text)
    assert shown(text, outline, "needle") == "needle\\n"
    assert above(text, outline, "needle") == ['{"log": "first\\n']
    assert unit_of(text, outline, "needle").path == "$"


def test_numbers_in_a_row_go_together() -> None:
    text = json.dumps({"v": list(range(10_000))})
    units = read(text).units
    assert len(units) < 1_000
    assert max(unit.stop - unit.start for unit in units) <= 130


def test_nesting_is_read_to_a_depth_and_no_further() -> None:
    assert Json().read("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)) is None
    read("[" * DEEPEST + "]" * DEEPEST)
    assert Json().read("[" * 200_000 + "]" * 200_000) is None


def test_a_path_that_would_be_endless_is_left_out() -> None:
    text = '{"' + "k" * 300 + '": {"a": [' + ", ".join(['"' + "x" * 300 + '"'] * 3) + "]}}"
    assert {unit.path for unit in read(text).units} == {"$", ""}
