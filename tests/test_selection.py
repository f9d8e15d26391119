from __future__ import annotations

import json
from base64 import b64encode

import pytest
from hypothesis import given, strategies as st

from trimtab.errors import HandleError
from trimtab.selection import medium, rows, select

TEXT = "alpha\nbeta\r\ngamma\n\ndelta"


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
def test_ranges(lines: str | None, expected: str) -> None:
    assert select(TEXT, lines) == expected


@pytest.mark.parametrize(
    "lines", ["0", "0-3", "3-2", "6", "99-", "a-b", "-3", "", "1,2", "1-2-3", "²", "9" * 5000]
)
def test_ranges_that_mean_nothing(lines: str) -> None:
    with pytest.raises(HandleError, match="lines"):
        select(TEXT, lines)


def test_a_pattern_numbers_the_lines_as_ranges_do() -> None:
    assert select(TEXT, grep="^(beta|delta)") == "2:beta\r\n5:delta\n"
    assert select(TEXT, "3-", "a") == "3:gamma\n5:delta\n"
    assert select(TEXT, grep="nowhere") == ""


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "(?P<x>", "x{99999999999999999999}"])
def test_patterns_that_mean_nothing(pattern: str) -> None:
    with pytest.raises(HandleError, match="pattern"):
        select(TEXT, grep=pattern)


@given(st.text(st.sampled_from("ab\n\r\x0c\u2028 "), min_size=1), st.data())
def test_all_ranges_put_together_are_the_text(text: str, data: st.DataObject) -> None:
    count = len(rows(text))
    cut = data.draw(st.integers(1, count))
    rest = select(text, f"{cut + 1}-") if cut < count else ""
    assert select(text, f"1-{cut}") + rest == text


@given(st.binary(min_size=30), st.sampled_from(["", "data:image/png;base64,"]))
def test_a_medium_is_decoded_wherever_it_stands(data: bytes, prefix: str) -> None:
    text = prefix + b64encode(data).decode()
    assert medium(json.dumps({"type": "image", "source": [{"data": text}]}).encode()) == data


@pytest.mark.parametrize("value", [{"url": "https://example.org/a.png"}, {}, [], 3, {"data": "not base64!"}])
def test_without_a_medium_the_json_itself(value: object) -> None:
    raw = json.dumps(value).encode()
    assert medium(raw) == raw
