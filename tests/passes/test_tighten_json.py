from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st
from tests.cases.transcripts import wires
from tests.json_texts import CONTAINERS, SCALARS, containers, padded, tree
from tests.passes.ingesting import asked, ingest, shell

from trimtab.passes.tighten_json import TightenJson, minified, tabled, tightened, untable

KEYS = ("id", "naïve", 'a"b', "[trimtab: 2 rows below their keys", "")


def rows(keys: Sequence[str], values: Sequence[Sequence[str]]) -> str:
    """An array of objects of these keys, one for each row of values."""
    objects = (", ".join(f"{json.dumps(k)}: {v}" for k, v in zip(keys, row, strict=True)) for row in values)
    return "[" + ",\n ".join(f"{{{one}}}" for one in objects) + "]"


@st.composite
def tables(draw: st.DrawFn) -> str:
    """An array of like objects somewhere in a JSON text."""
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=4))
    row = st.lists(SCALARS | CONTAINERS, min_size=len(keys), max_size=len(keys))
    array = st.just(rows(keys, draw(st.lists(row, max_size=9))))
    return draw(array | containers(array) | containers(containers(array)))


@settings(max_examples=60)
@given(padded(CONTAINERS) | tables())
def test_every_value_comes_back_as_it_was_written(text: str) -> None:
    tight = tightened(text)
    if tight is not None:
        assert untable(tight) == minified(text)
        assert tree(minified(text).encode()) == tree(text.encode())
        assert len(tight) <= len(minified(text)) <= len(text)
        assert minified(minified(text)) == minified(text)


@settings(max_examples=30)
@given(tables())
def test_tables_are_written_out_again(text: str) -> None:
    plain = minified(text)
    assert untable(tabled(plain)) == plain


def test_like_objects_become_a_table_in_which_numbers_stand_as_written() -> None:
    prices = ["1.10", "1e3", "-0", "12345678901234567890123", "0.1000000000000000000001"]
    items = rows(["name", "price"], [(f'"n{n}"', price) for n, price in enumerate(prices)])
    text = f'{{"total": 5, "items": {items}}}'
    assert tightened(text) == (
        '{"total":5,"items":[trimtab: 5 rows below their keys\n["name","price"]\n["n0",1.10]\n["n1",1e3]\n'
        '["n2",-0]\n["n3",12345678901234567890123]\n["n4",0.1000000000000000000001]\n]}'
    )


def test_an_array_of_unlike_objects_does_not_keep_another_from_becoming_a_table() -> None:
    like = rows(["name"], [(f'"n{n}"',) for n in range(30)])
    unlike = "[" + '{"name":1},' * 30 + '{"other":1}]'
    tight = tightened(f'{{"unlike": {unlike}, "like": {like}}}')
    assert tight is not None
    assert tight.startswith(f'{{"unlike":{unlike},"like":[trimtab: 30 rows below their keys\n')


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1, "b": 2}, {"b": 1, "a": 2}, {"a": 1, "b": 2}]',
        '[{"a": 1}, {"a": 2}, {"a": 3, "b": 1}]',
        '[{"a": 1}, {"a": 2}, 3]',
        '[{"a": "[trimtab: 2 rows below their keys\\n"}]',
    ],
    ids=["another order", "another key", "no object", "a marker in a string"],
)
def test_unlike_objects_lose_only_their_blanks(text: str) -> None:
    assert tightened(text) == text.replace(": ", ":").replace(", ", ",").replace("trimtab:2", "trimtab: 2")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '[[{"b": {"\\u0061": 1, "a": 2}}]]',
        '{"a": NaN}',
        "{'a': 1}",
        '{"a": 1} end',
        '{"a": "\ud800"}',
        "[" * 30_000,
        "[" * 30_000 + "]" * 30_000,
    ],
    ids=["twice", "twice, escaped", "NaN", "no JSON", "more behind it", "surrogate", "open", "deep"],
)
def test_what_is_no_plain_json_is_left_alone(text: str) -> None:
    assert tightened(text) is None


@wires
def test_the_answer_of_a_service_is_tightened_and_that_of_a_file_is_not(wire: str) -> None:
    text = json.dumps({"orders": [{"id": n, "state": "open", "total": 1.5} for n in range(40)]}, indent=2)
    tight = tightened(text)
    quoted = [asked("get", text, path="a.json"), asked("read_file", text, id=1), shell("cat a.json", text)]
    sent = ingest([TightenJson()], asked("get_orders", text, user="u1"), *quoted, wire=wire)
    assert sent == [tight, text, text, text]


def test_lines_before_the_json_stay() -> None:
    text = "[exit code 0, 0.1 s]\nOutput:\n" + json.dumps([{"id": n} for n in range(60)], indent=1)
    (sent,) = ingest([TightenJson()], shell("gh api /issues", text))
    assert sent.startswith('[exit code 0, 0.1 s]\nOutput:\n[trimtab: 60 rows below their keys\n["id"]\n[0]\n')


def test_long_hostile_texts_end() -> None:
    for text in (
        "[1\n" * 30_000,
        "{ \n" * 30_000,
        '[{"a":' * 400 + "1" + "}]" * 400,
        '"' * 200_001,
        "[" + "{},\n" * 30_000 + "{}]",
    ):
        tight = tightened(text)
        assert tight is None or untable(tight) == minified(text)
