"""Plain text: any text at all, a unit a line; the kind of what is none of the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import ClassVar

from trimtab.excerpts.base import Outline, Unit
from trimtab.selection import rows
from trimtab.stubs import clip

LONGEST = 400
"""Characters of a line above which it is cut into several units."""


class PlainText:
    """Lines; overlong ones in pieces that end between words where they can."""

    name: ClassVar[str] = "text"

    def read(self, text: str) -> Outline:
        """The lines of any text."""
        return Outline(self.name, list(lines(text)))


def lines(text: str) -> Iterator[Unit]:
    """A unit a line, several for an overlong one."""
    for start, stop in pairwise(accumulate(map(len, rows(text)), initial=0)):
        if stop - start <= LONGEST:
            yield Unit(start, stop)
        else:
            yield from pieces(text, start, stop)


def pieces(text: str, start: int, stop: int) -> Iterator[Unit]:
    """One overlong line in units of at most `LONGEST` characters, cut after a blank or a mark where there is
    one."""
    while stop - start > LONGEST:
        near = text[start : start + LONGEST]
        cut = max(near.rfind(mark, LONGEST // 2) for mark in " ,;>")
        end = start + (cut + 1 if cut > 0 else max(len(clip(text[start : start + LONGEST + 1], LONGEST)), 1))
        yield Unit(start, end)
        start = end
    yield Unit(start, stop)
