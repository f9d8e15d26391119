from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from trimtab import jsonpath
from trimtab.errors import HandleError

TEXT = (
    '{"rows" : [ {"name":"a","n":1.10}, {"name": "b] , \\"}", "n": 12345678901234567890}, [ ] ],'
    '"é é":{"":null}, "k": 1,"k":  -0.0 }\n'
)
JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def at(text: str, path: str) -> list[str]:
    return [text[start:stop] for start, stop in jsonpath.find(text, path)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("$.rows[0].n", ["1.10"]),
        ("rows[1].n", ["12345678901234567890"]),
        ("$['rows'][1][\"name\"]", ['"b] , \\"}"']),
        ("$.rows[-1]", ["[ ]"]),
        ("$.rows[*].name", ['"a"', '"b] , \\"}"']),
        ("$.rows[0:2].n", ["1.10", "12345678901234567890"]),
        ("$.rows[:-2]", ['{"name":"a","n":1.10}']),
        ("$['é é']['']", ["null"]),
        ('$["\\u00e9 é"].*', ["null"]),
        ("k", ["-0.0"]),
        ('["k"]', ["-0.0"]),
        ("$", [TEXT.strip()]),
    ],
)
def test_values_come_as_they_stand(path: str, expected: list[str]) -> None:
    assert at(TEXT, path) == expected


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("$.rows[3]", "array of 3 items"),
        ("$.rows.name", "array of 3 items"),
        ("$.rows[0].x", "object with name, n$"),
        ("$.rows[0].n.m", "only 1.10"),
        ("$[0]", "object with rows, é é, k"),
        ("$.rows[2][*]", "array of 0 items"),
        ("$..name", "cannot follow '..name'"),
        ("$.rows[?(@.n>1)]", "cannot follow"),
        ("$.rows[0", "cannot follow"),
        ("", "something like"),
        ("$" + "[0]" * 51, "at most 50 steps"),
        ("$.rows[99999999999]", "cannot follow"),
        ("$\x00", "no"),
        ("\ud800", "no"),
    ],
)
def test_paths_that_lead_nowhere_say_what_is_there(path: str, told: str) -> None:
    with pytest.raises(HandleError, match=told):
        jsonpath.find(TEXT, path)


@given(JSONS, st.booleans())
def test_every_value_has_a_path_and_its_span_decodes_to_it(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=ascii_only)
    todo: list[tuple[str, Any]] = [("$", value)]
    while todo:
        path, here = todo.pop()
        (found,) = at(text, path)
        assert json.loads(found) == here
        if isinstance(here, dict):
            todo += [(f"{path}[{json.dumps(key)}]", inner) for key, inner in here.items()]
        elif isinstance(here, list):
            todo += [(f"{path}[{number}]", inner) for number, inner in enumerate(here)]
            todo += [(f"{path}[{number - len(here)}]", inner) for number, inner in enumerate(here)]


@given(st.lists(JSONS, min_size=2, max_size=5), st.sampled_from(["\n", "\r\n", "\n \n"]))
def test_json_lines_are_one_array(rows: list[Any], end: str) -> None:
    text = end.join(map(json.dumps, rows)) + end
    assert [json.loads(found) for found in at(text, "$[*]")] == rows
    assert [json.loads(text[slice(*place)]) for place in jsonpath.items(text)] == rows
    assert json.loads(at(text, "$[-1]")[0]) == rows[-1]


@given(st.lists(JSONS, min_size=1, max_size=5))
def test_items_are_those_of_the_array(rows: list[Any]) -> None:
    text = f"\ufeff {json.dumps(rows)}\n"
    assert [json.loads(text[slice(*place)]) for place in jsonpath.items(text)] == rows


@pytest.mark.parametrize(
    "text", ["", "[", "[INFO] started", '{"a": 1} and more', "{'a': 1}", "[1]\nx", "[" * 200_000, "\0", "\ud800"]
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(HandleError, match="not JSON"):
        jsonpath.find(text, "$[0]")


@pytest.mark.parametrize("text", ["{}", '{"a": 1}', "3", '"[1]"', "[]", "[\n]"])
def test_what_has_no_items_says_so(text: str) -> None:
    with pytest.raises(HandleError, match="items: expected"):
        jsonpath.items(text)


def test_numbers_that_python_refuses_come_back() -> None:
    digits = "9" * 10_000
    assert at(f'[{digits}, 1e999, "\\ud800"]', "$[*]") == [digits, "1e999", '"\\ud800"']
