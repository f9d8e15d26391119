from __future__ import annotations

from hypothesis import given, strategies as st

from trimtab.numbering import true_numbers
from trimtab.stubs import gap_stub, kept_stub


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=30))
def test_an_excerpt_with_markers_gives_every_number(rows: list[tuple[str, bool]]) -> None:
    original = "".join(f"{line}\n" for line, _ in rows)
    shown, expected, first = "", list[int](), 0
    for number, (line, is_shown) in enumerate([*rows, ("", True)], 1):
        if is_shown and first:
            shown += gap_stub(first, number - 1)
            expected.append(0)
            first = 0
        elif not is_shown:
            first = first or number
        if is_shown and number <= len(rows):
            shown += f"{line}\n"
            expected.append(number)
    assert true_numbers(shown, original) == expected


def test_a_line_kept_for_a_fact_has_the_number_that_its_marker_names() -> None:
    original = "same\nother\nsame\nlast\n"
    assert true_numbers(f"[trimtab: cut]\n{kept_stub(3)}\nsame", original) == [0, 0, 3]


def test_lines_out_of_order_and_unknown_lines() -> None:
    assert true_numbers("b\na\nnew", "a\nb\n") == [2, 1, 0]
    assert true_numbers("", "a") == []
    assert true_numbers("a", "") == [0]
