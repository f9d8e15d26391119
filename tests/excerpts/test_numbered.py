from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from trimtab.excerpts.numbered import behind, blanked


@pytest.mark.parametrize("mark", ["\t", "→", ": ", "| ", "  "])
def test_numbers_that_follow_each_other_are_taken_off(mark: str) -> None:
    assert behind([f"    9{mark}a\n", "\n", f"   10{mark}\n", f"   11{mark}  b"]) == ["a\n", "\n", "\n", "  b"]


@pytest.mark.parametrize(
    "lines",
    [["1\ta\n", "3\tb\n"], ["1\ta\n", "b\n", "2\tc\n"], ["2\ta\n", "1\tb\n"], ["1\ta\n", "1\tb\n"], ["x\n"]],
)
def test_lines_that_are_not_numbered_one_after_the_other_stay(lines: list[str]) -> None:
    assert behind(lines) == lines


@given(st.lists(st.text("ab \t\u3042", max_size=9).map("{}\n".format)), st.integers(0, 9_999))
def test_blanks_in_place_of_numbers_keep_all_offsets(bodies: list[str], first: int) -> None:
    lines = [f"{first + n:6}\t{body}" for n, body in enumerate(bodies)]
    assert blanked(lines) == "".join(" " * 7 + body for body in bodies)
