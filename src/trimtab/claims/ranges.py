"""Numbers far out of the range that others have beside the same word or in the same column."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from trimtab.claims.base import Claim, Claimed, Page
from trimtab.excerpts.base import ODD

NUMBER = re.compile(r"([A-Za-z_](?<![A-Za-z_].)[A-Za-z_]++)[\"' :=>(,\[]{1,4}+(-?)(\d{1,18}+)(?![\w:-])")
"""A number behind a word; it begins with the letters a word may begin with, which lets `re` skip all else."""

UNIT = re.compile(r" (?<=\d.)([A-Za-z]{1,12})(?!\w)")
AMOUNT, LONGEST = re.compile(r"(?<![\w.,:-])(-?)(\d{1,18}+)\Z"), 20
"""A word behind a digit, a unit as a rule; the whole number before it, looked for in so many characters."""

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
    """The word beside a number or the column it stands in, and how many digits it has."""

    place: str
    size: int


def ranges(page: Page) -> Iterator[Claimed]:
    """Units with a number a hundred times as large as nearly all of its kind, or one of few below 0."""
    if page.outline.kind not in RECORDS:
        return
    if page.outline.kind == "table":
        found = list(_in_columns(page))
        odd = _odd(Counter(one for _, one in found))
        yield from ((unit, Claim(f"number {one.place}", ODD)) for unit, one in found if one in odd)
    else:
        found = list(_beside_words(page.face))
        odd = _odd(Counter(one for _, one in found))
        yield from ((page.unit(place), Claim(f"number {one.place}", ODD)) for place, one in found if one in odd)


def _odd(counts: Counter[Sized]) -> frozenset[Sized]:
    """What is out of range of what stands beside the same word, or in the same column."""
    sizes = defaultdict[str, Counter[int]](Counter)
    for (place, size), times in counts.items():
        sizes[place][size] = times
    return frozenset(
        Sized(place, size)
        for place, found in sizes.items()
        if found.total() >= FEWEST
        for most in [_usual(found)]
        for size in found
        if size >= most + FARTHER or (size == BELOW and _is_few(found[BELOW], found))
    )


def _beside_words(face: str) -> Iterator[tuple[int, Sized]]:
    """The numbers beside words, with their places in the text."""
    for match in NUMBER.finditer(face):
        word, minus, digits = match.groups()
        yield match.start(), Sized(word, BELOW if minus else len(digits))
    for match in UNIT.finditer(face):
        place = match.start()
        if number := AMOUNT.search(face[max(place - LONGEST, 0) : place]):
            yield place - len(number[0]), Sized(f"in {match[1]}", BELOW if number[1] else len(number[2]))


def _in_columns(page: Page) -> Iterator[tuple[int, Sized]]:
    mark = next((mark for mark in "\t|;," if mark in page.lines[0]), None) if page.lines else None
    for unit, line in enumerate(page.lines):
        for column, cell in enumerate(line.split(mark)):
            if match := CELL.fullmatch(cell.strip()):
                yield unit, Sized(f"column {column + 1}", BELOW if match[1] else len(match[2]))


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
