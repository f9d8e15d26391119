"""Kinds that read line by line: what is seen of a line, what it is worth, and the units that come of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from trimtab.excerpts.base import Unit
from trimtab.excerpts.numbered import behind
from trimtab.excerpts.text import LONGEST, pieces
from trimtab.selection import rows
from trimtab.stubs import clip

ESCAPE = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b\n]*+(?:\x07|\x1b\\)|[@-Z\\^_])")
"""A control sequence of ECMA-48: colours, movements of the cursor, the title of a window."""

SUMS = 160
"""Characters of an outline's sums, at most."""

START = 2_000
"""Characters of a text among which its first line is looked for."""


BLANKS = "\ufeff \t\r\n"
"""What may stand before the first sign of a text: a byte-order mark and white space."""


class Mark(NamedTuple):
    """What a line is worth and why; `needs` is the number of an earlier line, -1 for none."""

    weight: float = 0.0
    why: str = ""
    needs: int = -1


NOTHING = Mark()


def faces(text: str) -> tuple[list[str], list[str]]:
    """The lines of a text, and what a reader sees of each.

    What is seen has no line end, no escape codes, no number put in front by a tool, and of a line that
    was overwritten only its last state.
    """
    lines = rows(text)
    bare = rows(ESCAPE.sub("", text)) if "\x1b" in text else lines
    seen = [line.rstrip("\r\n") for line in bare]
    seen += [""] * (len(lines) - len(seen))
    if "\r" in text:
        seen = [face.rstrip("\r").rpartition("\r")[2] for face in seen]
    return lines, behind(seen)


def first(text: str) -> str:
    """What is seen of the first line that is not blank; a cheap look before a whole text is read."""
    start = text[: text.rfind("\n", 0, START) + 1] or text[:START]
    return next((face for face in faces(start)[1] if face and not face.isspace()), "")


def opens(text: str, *signs: str) -> bool:
    """Whether a text may begin with one of these signs, behind a line number or not: a cheap look as well."""
    return text.lstrip(BLANKS)[:1] in signs or first(text).lstrip(BLANKS)[:1] in ("", *signs)


def units(lines: Sequence[str], marks: Sequence[Mark]) -> list[Unit]:
    """A unit a line; several for one that is overlong or was overwritten, of which one has the line's mark."""
    if max(map(len, lines), default=0) <= LONGEST and not any("\r" in line for line in lines):
        edges = pairwise(accumulate(map(len, lines), initial=0))
        rows = zip(edges, marks, strict=True)
        return [Unit(start, stop, weight, why, needs) for (start, stop), (weight, why, needs) in rows]
    found: list[Unit] = []
    standing: list[int] = []
    start = 0
    for line, (weight, why, needs) in zip(lines, marks, strict=True):
        stop = start + len(line)
        parent = standing[needs] if needs >= 0 else -1
        last = 0
        if len(line) > LONGEST or line.find("\r", 0, -2) >= 0:
            last = line.rstrip("\r\n").rfind("\r") + 1
            found += [Unit(start + a, start + b, needs=parent) for a, b in _states(line, last)]
        standing.append(len(found))
        if stop - start - last <= LONGEST:
            found.append(Unit(start + last, stop, weight, why, parent))
        else:
            first, *rest = [(start + piece.start, start + piece.stop) for piece in pieces(line, last, len(line))]
            found.append(Unit(*first, weight, why, parent))
            found += [Unit(*piece, needs=standing[-1]) for piece in rest]
        start = stop
    return found


def _states(line: str, last: int) -> Iterator[tuple[int, int]]:
    """What of a line was overwritten: its states up to `last`, as many together as fit."""
    start = 0
    while last - start > LONGEST:
        cut = line.rfind("\r", start, start + LONGEST) + 1
        if cut:
            yield start, cut
        else:
            cut = line.find("\r", start, last) + 1
            yield from ((piece.start, piece.stop) for piece in pieces(line, start, cut))
        start = cut
    if start < last:
        yield start, last


FEW = 20
"""Lines of one sort that may keep their weight in any text; in a long one, a twentieth of its lines."""


def tempered(marks: list[Mark]) -> list[Mark]:
    """The marks, those of a sort that is not rare weighing less: what is everywhere does not stand out."""
    sorts = Counter(why for _, why, _ in marks)
    few = max(FEW, len(marks) // 20)
    share = {why: few / count for why, count in sorts.items() if why and count > few}
    if not share:
        return marks
    return [
        Mark(weight * share[why], why, needs) if why in share else mark
        for mark in marks
        for weight, why, needs in (mark,)
    ]


def fit(first: str, *more: str, between: str = ", ") -> str:
    """The first words and as many of the others, in order, as sums have room for."""
    for words in more:
        longer = first + between + words if first else words
        if len(longer) <= SUMS:
            first = longer
    return clip(first, SUMS)
