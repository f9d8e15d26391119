"""Attached files too large to send in full: of each the windows that fit a question, its sections, the way back.

The rank is BM25 (Robertson and Zaragoza, 2009) with a sentence, line or item as the document, over all files
together; words are compared by their stems.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import accumulate, pairwise

from msgspec import Struct

from trimtab.choice import Choice, Sheet
from trimtab.claims import Claim
from trimtab.excerpts import read
from trimtab.excerpts.base import STRUCTURE, Outline
from trimtab.search import K1, MOST_WORDS, B
from trimtab.selection import rows
from trimtab.stubs import clip, gap_stub, inner_gap_stub
from trimtab.words import stems

SECTIONS = 12
"""Sections that the index of a file names; of more, so many evenly spaced ones."""

NEAR, AROUND = 0.05, 10
"""What a unit gets of the worth of one that fits the question, for each of so many on either side."""

SHORT = 15
"""Characters of a gap that are shown: its marker would be longer."""

LONGEST = 60
"""Characters of a section's name."""


class Attached(Struct, frozen=True):
    """A file: its name, its text, and the handle that brings it back, where it begins with line `line`."""

    name: str
    text: str
    handle: str
    line: int = 1


class Sizes(Struct, frozen=True):
    """Up to `full_context_threshold` characters over all files they stay whole; above it `max_preview_files` files
    are shown by `preview_chars` characters each, the others by their names and sections."""

    full_context_threshold: int = 10_000
    preview_chars: int = 600
    max_preview_files: int = 4


DEFAULT = Sizes()


def previews(files: Sequence[Attached], question: str, sizes: Sizes = DEFAULT) -> list[str]:
    """What to send of each file, in the order in which they are given; never more than the file itself."""
    if sum(len(one.text) for one in files) <= sizes.full_context_threshold:
        return [one.text for one in files]
    outlines = [read(one.text) for one in files]
    scores = _scores(files, outlines, question)
    shown = set(_ranked(scores)[: sizes.max_preview_files])
    made = (
        _preview(one, outline, score, sizes.preview_chars if number in shown else 0)
        for number, (one, outline, score) in enumerate(zip(files, outlines, scores, strict=True))
    )
    return [text if len(text) < len(one.text) else one.text for one, text in zip(files, made, strict=True)]


def ranked(files: Sequence[Attached], question: str) -> list[int]:
    """The numbers of the files, first the one with the best of what the question asks for."""
    return _ranked(_scores(files, [read(one.text) for one in files], question))


Scores = Sequence[Mapping[str, float]]
"""For each unit of a file the BM25 of each stem of the question in it."""


def _scores(files: Sequence[Attached], outlines: Sequence[Outline], question: str) -> list[Scores]:
    asked = set(list(dict.fromkeys(stems(question)))[:MOST_WORDS])
    units = [
        [one.text[unit.start : unit.stop] for unit in read.units]
        for one, read in zip(files, outlines, strict=True)
    ]
    counts = [[_shared(text, asked) for text in texts] for texts in units]
    total = sum(map(len, units))
    average = max(sum(len(one.text) for one in files) / max(total, 1), 1.0)
    holding = Counter(stem for found in counts for count in found for stem in count)
    idf = {stem: math.log1p((total - some + 0.5) / (some + 0.5)) for stem, some in holding.items()}

    def score(text: str, count: Mapping[str, int]) -> Mapping[str, float]:
        length = K1 * (1 - B + B * len(text) / average)
        return {stem: idf[stem] * often * (K1 + 1) / (often + length) for stem, often in count.items()}

    return [[score(*pair) for pair in zip(*both, strict=True)] for both in zip(units, counts, strict=True)]


def _shared(text: str, asked: Set[str]) -> Counter[str]:
    """How often a text has each stem. One but for its last letter stands in every form of its word."""
    lowered = text.lower()
    if not any((stem[:-1] or stem) in lowered for stem in asked):
        return Counter()
    return Counter(stem for stem in stems(text) if stem in asked)


def _ranked(scores: Sequence[Scores]) -> list[int]:
    best = [_best(one) for one in scores]
    return sorted(range(len(scores)), key=lambda number: (-sum(best[number].values()), number))


def _best(scores: Scores) -> dict[str, float]:
    """The best score of each stem among units."""
    best = dict[str, float]()
    for found in scores:
        for stem, score in found.items():
            best[stem] = max(best.get(stem, 0.0), score)
    return best


def _preview(one: Attached, outline: Outline, scores: Scores, room: int) -> str:
    """What is shown of a file: what it is, its sections, and windows of at most `room` characters in all."""
    size = f"{len(rows(one.text)):,} lines, {len(one.text):,} characters"
    shown = _windows(one, outline, scores, room) if room else []
    what = "parts that fit the question" if any(scores) else "its ends"
    told = f"preview of {size}: {what}" if shown else f"{size}, not shown"
    head = f"[{told}; all of it: trimtab recall {one.handle} --lines A-B]"
    sections = " · ".join(_sections(one, outline))
    return "".join(
        [f"{head}\n", f"[sections by line: {sections}]\n" if sections else "", *_pieces(one, outline, shown)]
    )


def _windows(one: Attached, outline: Outline, scores: Scores, room: int) -> list[int]:
    """The units to show: those that fit the question with their headings and neighbours, else both ends."""
    choice = Choice([Sheet(one.text, outline, _claims(one.text, outline, scores), 1.0, marked=False)])
    choice.widen(room)
    shown = _rounded(outline, choice.chosen[0])
    while _length(outline, shown) > room:
        choice.narrow(1)
        shown = _rounded(outline, choice.chosen[0])
    return shown


def _claims(text: str, outline: Outline, scores: Scores) -> list[list[Claim]]:
    """What each unit is worth: by its own words, and for standing near one that has some; a blank one nothing."""
    claims = [[Claim(f"asked {stem}", score) for stem, score in found.items()] for found in scores]
    near = dict[int, float]()
    for number, found in enumerate(scores):
        for away in range(1, AROUND + 1) if found else ():
            given = NEAR * sum(found.values()) / away
            for other in (number - away, number + away):
                near[other] = max(near.get(other, 0.0), given)
    for number, unit in enumerate(outline.units):
        if not text[unit.start : unit.stop].strip():
            claims[number] = [Claim("blank", -1.0)]
        elif number in near:
            claims[number].append(Claim(f"near {number}", near[number]))
    return claims


def _length(outline: Outline, shown: Sequence[int]) -> int:
    return sum(outline.units[number].stop - outline.units[number].start for number in shown)


def _rounded(outline: Outline, chosen: Sequence[int]) -> list[int]:
    """The units chosen, all that they stand under, and what is shorter than the marker of its gap."""
    units, shown, todo = outline.units, set[int](), list(chosen)
    while todo:
        number = todo.pop()
        if number >= 0 and number not in shown:
            shown.add(number)
            todo.append(units[number].needs)
    for before, after in pairwise([-1, *sorted(shown), len(units)]) if shown else ():
        start = units[before].stop if before >= 0 else 0
        if (units[after].start if after < len(units) else units[-1].stop) - start <= SHORT:
            shown.update(range(before + 1, after))
    return sorted(shown)


def _sections(one: Attached, outline: Outline) -> Iterator[str]:
    """The headings of a file, or the definitions in it, by their lines: what other units stand under."""
    starts = list(accumulate(map(len, rows(one.text)), initial=0))
    above = (outline.units[number] for number in sorted({unit.needs for unit in outline.units} - {-1}))
    found = [unit for unit in above if unit.weight >= STRUCTURE and not unit.path]
    for unit in found[:: -(-len(found) // SECTIONS) or 1]:
        name = one.text[unit.start : unit.stop].strip().split("\n", 1)[0].strip("#=- \t\r")
        if name:
            yield f"{bisect_right(starts, unit.start) + one.line - 1} {clip(name, LONGEST)}"


def _pieces(one: Attached, outline: Outline, shown: Sequence[int]) -> Iterator[str]:
    """The units shown, word for word, with a marker in each gap."""
    starts = list(accumulate(map(len, rows(one.text)), initial=0))
    edges = [-1, *shown, len(outline.units)]
    for before, number in pairwise(edges) if shown else ():
        if number - before > 1:
            yield _gap(one, outline.units[before + 1].start, outline.units[number - 1].stop, starts)
        if number < len(outline.units):
            yield one.text[outline.units[number].start : outline.units[number].stop]


def _gap(one: Attached, start: int, stop: int, starts: Sequence[int]) -> str:
    """The marker for what is not shown: whole lines by their numbers, less by its length."""
    first, last = bisect_right(starts, start), bisect_right(starts, stop)
    if starts[first - 1] == start and starts[last - 1] == stop:
        return gap_stub(first + one.line - 1, last + one.line - 2)
    return inner_gap_stub(stop - start)
