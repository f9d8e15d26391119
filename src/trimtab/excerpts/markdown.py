"""Markdown: headings, paragraphs in sentences, items, tables, fences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import ClassVar

from trimtab.excerpts.base import ODD, STRUCTURE, Outline, Unit
from trimtab.excerpts.markdown_lines import Line, is_markdown, read_lines
from trimtab.excerpts.marks import fit
from trimtab.excerpts.prose import sentences, telling
from trimtab.excerpts.text import LONGEST, pieces
from trimtab.excerpts.views import bodies
from trimtab.selection import rows
from trimtab.stubs import clip

NEAR = 160
"""Characters of an item above which what stands below it goes without it."""

NAMED = 8
"""Headings that have their weight in any text; in a long one, a tenth of its lines."""


class Markdown:
    """Headings and what stands below them."""

    name: ClassVar[str] = "markdown"

    def read(self, text: str) -> Outline | None:
        """The headings, sentences, items, rows and lines of code of a Markdown text."""
        if (
            "# " not in text
            and "```" not in text
            and "~~~" not in text
            and "\n--" not in text
            and "\n==" not in text
        ):
            return None
        lines = rows(text)
        shown = bodies(lines)
        own = [body.rstrip() for body in shown]
        sorts = read_lines(own)
        if not is_markdown(own, sorts):
            return None
        starts = list(accumulate(map(len, lines), initial=0))
        chosen = _chosen(sorts)
        reading = _Reading(text)
        for first, last in _paragraphs(sorts, joined=shown == lines):
            reading.add(sorts[first], starts[first], starts[last], first in chosen)
        return Outline(self.name, reading.units, _sums(own, sorts, chosen))


def _paragraphs(sorts: Sequence[Line], joined: bool) -> Iterator[tuple[int, int]]:
    """The lines that are read as one: an item or a line of text with the lines of text that follow."""
    first = 0
    for number in range(1, len(sorts) + 1):
        runs_on = (
            joined
            and number < len(sorts)
            and sorts[number].sort == "text"
            and sorts[first].sort in ("text", "item")
        )
        if not runs_on:
            yield first, number
            first = number


class _Reading:
    """The units so far, and what the next one stands under."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.units: list[Unit] = []
        self._headings: list[tuple[int, int]] = []
        self._items: list[tuple[int, int]] = []
        self._opened = -1

    def add(self, line: Line, start: int, stop: int, chosen: bool) -> None:
        """The units of a paragraph."""
        parent = self._parent(line)
        here = len(self.units)
        if line.sort in ("text", "item"):
            self._add_sentences(start, stop, parent, line.sort == "item")
        else:
            weight, why = (STRUCTURE, line.sort) if chosen or line.sort == "header" else (0.0, "")
            first, *rest = _pieces(self.text, start, stop)
            self.units.append(Unit(first.start, first.stop, weight, why, parent))
            self.units += [piece._replace(needs=here) for piece in rest]
        self._enter(line, here)

    def _add_sentences(self, start: int, stop: int, parent: int, is_item: bool) -> None:
        for begin, end in sentences(self.text[start:stop]):
            whole = [(start + begin, start + end)]
            spans = whole if end - begin <= LONGEST else [one[:2] for one in pieces(self.text, *whole[0])]
            for first, last in spans:
                why = telling(self.text, first, last)
                self.units.append(Unit(first, last, ODD if why else 0.0, why, parent))
                if is_item and first == start and last - start <= NEAR:
                    parent = len(self.units) - 1

    def _parent(self, line: Line) -> int:
        """What a line stands under; headings and items it ends are left behind."""
        if line.sort == "heading":
            while self._headings and self._headings[-1][0] >= line.level:
                self._headings.pop()
        heading = self._headings[-1][1] if self._headings else -1
        if line.sort == "item":
            while self._items and self._items[-1][0] >= line.level:
                self._items.pop()
            return self._items[-1][1] if self._items else heading
        if line.sort in ("code", "row") and self._opened >= 0:
            return self._opened
        return heading

    def _enter(self, line: Line, here: int) -> None:
        """What comes next may stand under what was just added."""
        if line.sort == "heading":
            self._headings.append((line.level, here))
        if line.sort == "item":
            short = self.units[here].stop - self.units[here].start <= NEAR
            self._items.append((line.level, here if short else self.units[here].needs))
        elif line.sort in ("heading", "text"):
            self._items.clear()
        if line.sort in ("fence", "header"):
            self._opened = here
        elif line.sort not in ("code", "row", "break"):
            self._opened = -1


def _pieces(text: str, start: int, stop: int) -> Iterable[Unit]:
    return (Unit(start, stop),) if stop - start <= LONGEST else pieces(text, start, stop)


def _chosen(sorts: Sequence[Line]) -> frozenset[int]:
    """The headings that show how the text is built, the upper before the lower."""
    headings = [number for number, line in enumerate(sorts) if line.sort == "heading"]
    headings.sort(key=lambda number: sorts[number].level)
    return frozenset(headings[: max(NAMED, len(sorts) // 10)])


def _sums(own: Sequence[str], sorts: Sequence[Line], chosen: frozenset[int]) -> str:
    """How many headings there are, and the first of the upper ones with the numbers of their lines, from 1."""
    if not chosen:
        return ""
    count = sum(1 for line in sorts if line.sort == "heading")
    titles = [f"{number + 1} {clip(own[number].strip('# '), 40)}" for number in sorted(chosen)]
    return fit(f"{count:,} heading{'s' * (count > 1)}: {titles[0]}", *titles[1:])
