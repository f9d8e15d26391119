"""What holds for the outline of any kind, whatever the text."""

from __future__ import annotations

from hypothesis import strategies as st

from trimtab.excerpts.base import Outline, Unit

HOSTILE = [
    "",
    "\n",
    "\0" * 50,
    "x" * 1_000_000,
    "[" * 200_000,
    'a="' * 300_000,
    "\r" * 1_000 + "\n",
    "\ud800 lone \udfff\n" * 9,
    "שלום עולם\n漢字かな交じり文\n👩‍👩‍👧‍👦 🇩🇪\n" * 5,
    "\x1b[" + "0;" * 100_000,
    "\x1b]" * 50_000,
    "function(){var a=1;return a}" * 3_000,
    "1,2,3\n4,5\n6\n7,8,9,10\n" * 20,
    '{"rows": [1, 2, 3], "name": "cut he',
    "     1\ta,b,c\n     2\t1,2,3\n     3\t4,5,6\n     4\t7,8,9\n     5\t1,1,1\n     6\t2,2,2\n",
]
"""Texts that are of no line-by-line kind, or of none at all."""


def over(*lines: str) -> st.SearchStrategy[str]:
    """Texts put together from such lines, whole and broken, and from any others."""
    piece = st.sampled_from(lines) | st.text(max_size=20)
    return st.lists(piece, max_size=40).map("\n".join)


def check(text: str, outline: Outline | None) -> None:
    """Units follow each other without gaps, are the text, need only what stands before them, split no grapheme."""
    if outline is None:
        return
    end = 0
    for number, unit in enumerate(outline.units):
        assert unit.start == end
        assert unit.stop > end
        assert unit.stop - unit.start <= 464
        assert -1 <= unit.needs < number
        assert (unit.weight > 0) == bool(unit.why)
        end = unit.stop
    assert end == len(text)
    assert len(outline.sums) <= 160


def unit_of(text: str, outline: Outline, needle: str) -> Unit:
    """The unit in which this stands."""
    at = text.index(needle)
    return next(unit for unit in outline.units if unit.start <= at < unit.stop)


def above(text: str, outline: Outline, needle: str) -> list[str]:
    """What is shown along with the unit in which this stands, the nearest first."""
    unit, found = unit_of(text, outline, needle), list[str]()
    while unit.needs >= 0:
        unit = outline.units[unit.needs]
        found.append(text[unit.start : unit.stop].strip())
    return found
