from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given, strategies as st

from trimtab.errors import HandleError
from trimtab.selection import AROUND, LONGEST_ROW, medium, of_medium, rows, select, tokens

TEXT = "alpha\nbeta\r\ngamma\n\ndelta"
ODD = st.text(st.sampled_from("ab\n\r\x0c\u2028 é税👍\ud800\0"))


def selected(text: str, asked: dict[str, Any]) -> str:
    return str(select(text, **asked).text)


def pages(text: str, page: int, **asked: Any) -> list[str]:
    """All pages of what is asked for, each by the range that the one before names."""
    found = []
    while True:
        selected = select(text, page=page, **asked)
        found.append(selected.text)
        if not selected.rest:
            return found
        asked = {name: value for name, value in asked.items() if name in ("path", "grep")} | selected.rest


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("1", "alpha\n"),
        ("2-3", "beta\r\ngamma\n"),
        ("4-", "\ndelta"),
        (" 5-5 ", "delta"),
        ("1-99", TEXT),
        ("1-", TEXT),
        (None, TEXT),
    ],
)
def test_lines(lines: str | None, expected: str) -> None:
    assert select(TEXT, lines=lines).text == expected


@pytest.mark.parametrize("unit", ["lines", "items", "bytes"])
@pytest.mark.parametrize(
    "asked", ["0", "0-3", "3-2", "60", "99-", "a-b", "-3", "", "1,2", "1-2-3", "²", "9" * 5000, "1\0", "\ud800"]
)
def test_ranges_that_mean_nothing(unit: str, asked: str) -> None:
    with pytest.raises(HandleError, match=f"^{unit} .*there are"):
        selected("[1,\n2,\n3,\n4]", {unit: asked})


def test_one_range_at_a_time() -> None:
    with pytest.raises(HandleError, match="lines and bytes"):
        select(TEXT, lines="1", bytes="2")


@pytest.mark.parametrize(
    ("asked", "expected"), [("1", "a"), ("2-3", "é"), ("3", ""), ("2", "é"), ("3-4", "税"), ("4-", "税b")]
)
def test_bytes_never_cut_a_character(asked: str, expected: str) -> None:
    assert select("aé税b", bytes=asked).text == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("1", '{"a":  1}'), ("2-3", "1.10 ,\n [ 3]"), ("3-", "[ 3]"), ("1-9", '{"a":  1}, 1.10 ,\n [ 3]')],
)
def test_items_stand_as_they_stood(asked: str, expected: str) -> None:
    assert select('[ {"a":  1}, 1.10 ,\n [ 3]]\n', items=asked).text == expected


def test_items_of_json_lines_and_of_a_value() -> None:
    assert select('{"a": 1}\n{"a": 2}\n\n{"a": 3}\n', items="2-3").text == '{"a": 2}\n\n{"a": 3}'
    assert select('{"rows": [1, 2, 3]}', path="$.rows", items="2-").text == "2, 3"


def test_a_value_stands_as_it_stood() -> None:
    text = '{"a": {"n": 1.10, "n": 1e400}, "rows": [{"n": 1}, {"n":   [2,\n3]}]}'
    assert select(text, path="$.a.n").text == "1e400"
    assert select(text, path="$.a").text == '{"n": 1.10, "n": 1e400}'
    assert select(text, path="$.rows[*].n").text == "1\n[2,\n3]"
    assert select(text, path="$.rows[1]", lines="2").text == "3]}"


def test_a_string_in_json_has_lines_of_its_own() -> None:
    text = json.dumps({"path": "a.py", "content": TEXT})
    assert select(text, path="$.content").text == json.dumps(TEXT)
    assert select(text, path="$.content", lines="2-3").text == "beta\r\ngamma\n"
    assert select(text, path="$.content", grep="^g").text == "3:gamma\n"
    assert select(text, path="$.content", bytes="1-2").text == "al"


def test_a_pattern_numbers_the_lines_as_ranges_do() -> None:
    assert select(TEXT, grep="^(beta|delta)$").text == "2:beta\r\n5:delta\n"
    assert select(TEXT, lines="3-", grep="a").text == "3:gamma\n5:delta\n"
    assert select(TEXT, bytes="7-", grep="a").text == "2:beta\r\n3:gamma\n5:delta\n"
    assert select(TEXT, grep="nowhere").text == ""


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "(?P<x>", "x{99999999999999999999}", "a++"])
def test_patterns_that_mean_nothing(pattern: str) -> None:
    with pytest.raises(HandleError, match="pattern"):
        select(TEXT, grep=pattern)


def test_of_an_overlong_line_a_pattern_shows_what_stands_around_each_match() -> None:
    text = "one\n" + "x" * 5000 + "first" + "y" * 5000 + "second\n"
    found = select(text, grep="first|second", page=4000).text.splitlines()
    assert [line.partition(":")[0] for line in found] == ["2", "2"]
    assert "first" in found[0]
    assert found[1].endswith("second")
    assert all(len(line) <= 2 * AROUND + 10 for line in found)
    assert select(text, grep="first|second").text == "2:" + text[4:]
    apart = "x" * 3000 + "a" + "x" * AROUND + "a" + "x" * 3000
    assert len(select(apart, grep="a", page=4000).text.splitlines()) == 2


@given(ODD, st.data())
def test_any_range_of_lines_is_verbatim_and_all_are_the_text(text: str, data: st.DataObject) -> None:
    count = len(rows(text))
    if count:
        first = data.draw(st.integers(1, count))
        last = data.draw(st.integers(first, count))
        before = select(text, lines=f"1-{first - 1}").text if first > 1 else ""
        after = select(text, lines=f"{last + 1}-").text if last < count else ""
        assert before + select(text, lines=f"{first}-{last}").text + after == text


@given(ODD, st.data())
def test_any_range_of_bytes_is_verbatim_and_all_are_the_text(text: str, data: st.DataObject) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size:
        cut = data.draw(st.integers(1, size))
        rest = select(text, bytes=f"{cut + 1}-").text if cut < size else ""
        assert select(text, bytes=f"1-{cut}").text + rest == text


@given(ODD, st.integers(1, 9), st.sampled_from([None, "lines", "bytes"]))
def test_pages_put_together_are_the_text(text: str, page: int, unit: str | None) -> None:
    asked = {unit: "1-"} if unit and text else {}
    found = pages(text, page, **asked)
    assert "".join(found) == text
    assert all(0 < len(one) <= page for one in found) or not text


@given(st.lists(st.text(max_size=9), min_size=1, max_size=6), st.integers(1, 9), st.sampled_from([None, 1]))
def test_pages_of_items_put_together_are_the_items(values: list[str], page: int, indent: int | None) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=False)
    assert "".join(pages(text, page, items="1-")) == select(text, items="1-").text


@given(ODD, st.integers(1, 30))
def test_pages_of_a_value_put_together_are_the_value_or_what_it_stands_for(value: str, page: int) -> None:
    text = json.dumps({"content": value})
    source = json.dumps(value)
    assert "".join(pages(text, page, path="$.content")) == (source if len(source) <= page else value)


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "", "x" * LONGEST_ROW + "a" + "x" * 900 + "a"])),
    st.integers(1, 5000),
)
def test_pages_of_matches_leave_no_line_out(values: list[str], page: int) -> None:
    text = "\n".join(values)
    found = "".join(pages(text, page, grep="a"))
    assert {int(line.partition(":")[0]) for line in found.splitlines()} == {
        number for number, value in enumerate(values, 1) if "a" in value
    }
    assert all("a" in line for line in found.splitlines())


def test_a_page_ends_with_a_line_and_says_what_comes_next() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 100))
    selected = select(text, page=100)
    assert selected.text == "".join(f"line {number}\n" for number in range(1, 14))
    assert selected.rest == {"lines": "14-99"}
    assert selected.tokens == tokens(text)
    assert select(text, lines="20-80", page=100).rest == {"lines": "32-80"}
    assert select("é" * 100, page=60).rest == {"bytes": "121-200"}
    assert select(text, lines="1-3", page=100).rest == {}
    assert select(text, grep="9$", page=20).rest == {"lines": "29-99"}


@given(st.binary(min_size=30), st.sampled_from(["", "data:image/png;base64,"]))
def test_a_medium_is_decoded_wherever_it_stands(data: bytes, prefix: str) -> None:
    text = prefix + b64encode(data).decode()
    assert medium(json.dumps({"type": "image", "source": [{"data": text}]}).encode()) == data


def test_bytes_of_a_medium() -> None:
    assert of_medium(bytes(range(10)), "image/png", {"bytes": "3-4"}) == b"\2\3"
    assert of_medium(b"all", "image/png", {}) == b"all"
    with pytest.raises(HandleError, match="there are only 10"):
        of_medium(bytes(10), "image/png", {"bytes": "11-"})
    with pytest.raises(HandleError, match=r"image/png.*only bytes"):
        of_medium(bytes(10), "image/png", {"lines": "1"})


@pytest.mark.parametrize("value", [{"url": "https://example.org/a.png"}, {}, [], 3, {"data": "not base64!"}])
def test_without_a_medium_the_json_itself(value: object) -> None:
    raw = json.dumps(value).encode()
    assert medium(raw) == raw
