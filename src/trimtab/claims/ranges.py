"""Numbers far out of the range that others have beside the same word or in the same column."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from trimtab.claims.base import Claim, Claimed, Page
from trimtab.excerpts.base import ODD

NUMBER = re.compile(r"(?<![A-Za-z_])([A-Za-z_]{2,}+)[\"' :=>(,\[]{1,4}+(-?)(\d{1,18}+)(?![\w:-])")

AMOUNT = re.compile(r"(?<![\w.,:-])(-?)(\d{1,18}+) ([A-Za-z]{1,12})(?!\w)")
"""A number before a word, a unit as a rule."""

CELL = re.compile(r"\W{0,2}?(-?)[^\w\s-]?(\d{1,18})(?:[.,]\d+)*[^\w\s]?")
"""A cell of a table that is a number."""

RECORDS = frozenset({"text", "log", "trace", "terminal", "table", "json", "json_lines", "search", "listing"})
"""Kinds with many numbers of one sort."""

FEWEST = 20
"""Numbers beside one word, or in one column, from which on one may be out of range."""

FARTHER = 2
"""Digits more than nearly all others have that make a number odd."""

BELOW = -1
"""The size of a number below 0."""


class Sized(NamedTuple):
    """A number by its digits, beside a word or in a column, in a unit."""

    place: str
    size: int
    unit: int


def ranges(page: Page) -> Iterator[Claimed]:
    """Units with a number a hundred times as large as nearly all of its kind, or one of few below 0."""
    if page.outline.kind not in RECORDS:
        return
    found = list(_in_columns(page) if page.outline.kind == "table" else _beside_words(page))
    sizes = defaultdict[str, Counter[int]](Counter)
    for place, size, _ in found:
        sizes[place][size] += 1
    limits = {place: _usual(counts) for place, counts in sizes.items() if counts.total() >= FEWEST}
    for place, size, unit in found:
        if place in limits:
            below = size == BELOW and _is_few(sizes[place][BELOW], sizes[place])
            if below or size >= limits[place] + FARTHER:
                yield unit, Claim(f"number {place}", ODD)


def _beside_words(page: Page) -> Iterator[Sized]:
    for match in NUMBER.finditer(page.face):
        yield Sized(match[1], BELOW if match[2] else len(match[3]), page.unit(match.start()))
    for match in AMOUNT.finditer(page.face):
        yield Sized(f"in {match[3]}", BELOW if match[1] else len(match[2]), page.unit(match.start()))


def _in_columns(page: Page) -> Iterator[Sized]:
    mark = next((mark for mark in "\t|;," if mark in page.lines[0]), None) if page.lines else None
    for unit, line in enumerate(page.lines):
        for column, cell in enumerate(line.split(mark)):
            if match := CELL.fullmatch(cell.strip()):
                yield Sized(f"column {column + 1}", BELOW if match[1] else len(match[2]), unit)


def _usual(counts: Counter[int]) -> int:
    """The digits that all but few have at most."""
    beyond, most = 0, 0
    for size in sorted(counts, reverse=True):
        beyond += counts[size]
        most = size
        if not _is_few(beyond, counts):
            break
    return most


def _is_few(times: int, counts: Counter[int]) -> bool:
    return times <= max(1, counts.total() // 50)
