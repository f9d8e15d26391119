from __future__ import annotations

import itertools
import json

from hypothesis import given, strategies as st

from trimtab.sessions.base import Damage
from trimtab.sessions.lines import HEAD, head, lines, total


def read(data: bytes) -> tuple[list[tuple[int, dict[str, object]]], list[Damage]]:
    damage: list[Damage] = []
    return [(line.number, line.value) for line in lines(data, damage)], damage


def test_damaged_lines_are_told_with_their_number_and_skipped() -> None:
    found, damage = read(b'{"a":1}\n{"a":\n\n7\n{"a":"\xff"}\n{"b":2}\n')
    assert found == [(1, {"a": 1}), (6, {"b": 2})]
    assert [one.line for one in damage] == [2, 4, 5]
    assert damage[1].text == "not a JSON object"
    assert "not UTF-8" in damage[2].text


def test_a_half_written_last_line_is_normal() -> None:
    assert read(b'{"a":1}\n{"b":2,"c') == ([(1, {"a": 1})], [])
    assert read(b'{"a":1}\n{"b":2}') == ([(1, {"a": 1}), (2, {"b": 2})], [])
    assert len(read(b'{"a":1}\n{"b":2,"c\n')[1]) == 1


def test_marks_and_line_ends_of_other_systems_do_no_harm() -> None:
    assert read(b'\xef\xbb\xbf{"a":1}\r\n\r\n{"b":2}\r\n') == ([(1, {"a": 1}), (3, {"b": 2})], [])
    assert read(b"") == ([], [])
    assert read(b" \n\n") == ([], [])


def test_lone_surrogates_and_endless_numbers_are_read() -> None:
    ((_, value),), damage = read(b'{"a":"\\ud83d","b":1e999}\n')
    assert (value, damage) == ({"a": "\ud83d", "b": "1e999"}, [])


def test_a_deep_line_is_damage() -> None:
    deep = b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n"
    found, damage = read(deep + b'{"b":2}\n')
    assert (found, [one.line for one in damage]) == ([(2, {"b": 2})], [1])


OBJECTS = st.dictionaries(st.text(), st.integers() | st.text())


@given(st.lists(st.none() | OBJECTS, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_every_object_is_found_at_its_line(values: list[dict[str, object] | None], end: str) -> None:
    data = "".join(("" if value is None else json.dumps(value)) + end for value in values).encode()
    found, damage = read(data)
    assert found == [(n, value) for n, value in enumerate(values, 1) if value is not None]
    assert damage == []


def test_the_head_ends() -> None:
    data = b'{"a":1}\n' * (HEAD + 1)
    assert len(list(head(data))) == HEAD
    assert list(itertools.islice(head(b'x\n7\n{"a":1}\n'), 2)) == [{"a": 1}]


def test_counts_are_whole_numbers_above_zero() -> None:
    assert total({"a": 2, "b": 3, "c": -1, "d": True, "e": 1.5, "f": "9", "g": None}, *"abcdefgh") == 5
