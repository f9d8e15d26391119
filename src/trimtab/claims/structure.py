"""What the kind of a text says of its units, and its two ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trimtab.claims.base import Claim, Claimed, Page
from trimtab.excerpts.base import STRUCTURE

FIGURES = re.compile(r"(?<!\w)[^\W\d]*+\d\w*")
"""Numbers and ids: what differs among like lines."""

DIGIT = re.compile(r"\d")

EDGE = 0.5
"""Worth of the first and the last unit."""


def structure(page: Page) -> Iterator[Claimed]:
    """Units the kind gives a weight: alike ones share it, and so do all definitions of code, which are many."""
    for number, unit in enumerate(page.units):
        if unit.weight:
            many = page.outline.kind == "code" and unit.weight <= STRUCTURE
            kind = unit.why or "structure"
            yield number, Claim(kind if many else f"{kind} {shape(page.lines[number])}", unit.weight)


def ends(page: Page) -> Iterator[Claimed]:
    """The first and the last unit of a text."""
    if page.units:
        yield 0, Claim("first", EDGE)
        yield len(page.units) - 1, Claim("last", EDGE)


def shape(line: str) -> str:
    """A line with its figures and values taken out: like lines have the same shape."""
    line = line[:120]
    return FIGURES.sub("0", line) if DIGIT.search(line) else line
