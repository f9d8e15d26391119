"""The same call again: what its result changed against the one before, line by line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import label
from trimtab.transcript import ToolCall, ToolResult

WORTH = 0.6
"""Share of its text below which a result is sent as a difference (measured: above it, reading costs more)."""

DEPTH = 5
"""How often lines that occur once are looked for between lines that were found; each round is linear."""

HUNK = re.compile(r"@@ -([0-9]{1,9}),([0-9]{1,9}) \+[0-9]{1,9},([0-9]{1,9}) @@")
NUMBERED = re.compile(r"( *+)(0|[1-9][0-9]{0,8})(?=[\t→:|]|\r?\Z)")


class Line(NamedTuple):
    """A line apart from where it stands: a line number counts from the line's own place.

    So the lines below an insertion stay equal although their numbers move. `shift` is the number less the
    place, `width` the columns of a padded number; both None where the line begins with no number.
    """

    text: str
    shift: int | None = None
    width: int | None = None

    @classmethod
    def at(cls, place: int, text: str) -> Line:
        """A line that stands at a place, counted from 0."""
        number = NUMBERED.match(text)
        if number is None:
            return cls(text)
        return cls(text[number.end() :], int(number[2]) - place, len(number[0]) if number[1] else 0)

    def written(self, place: int) -> str:
        """The line as it reads at a place."""
        if self.shift is None or self.width is None:
            return self.text
        return str(self.shift + place).rjust(self.width) + self.text


class Hunk(NamedTuple):
    """Lines `old[a:b]` give way to lines `new[c:d]`."""

    a: int
    b: int
    c: int
    d: int


Pair: TypeAlias = tuple[int, int]


class DiffRereads(Struct, frozen=True):
    """A result of a call that was made before becomes the lines in which it differs.

    Removes: the lines that stand in the earlier result. Keeps: every line that is new, and those it takes
    the place of. Recovers: `apply` to the earlier result; when a fold cuts that one, this one is sent as it
    was given. Skips when: the difference has 60 % of the text or more, or does not lead back to it.
    """

    name: ClassVar[str] = "diff_rereads"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.NONE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result of a call whose earlier result is shown."""
        for at in view.open:
            part, former = view.part(at), view.former(at)
            base = view.part(former) if former is not None else None
            if isinstance(part, ToolResult) and isinstance(base, ToolResult):
                text = difference(base.text, part.text, view.call(former) if former is not None else None)
                if len(text) < WORTH * len(part.text) and apply(base.text, text) == part.text:
                    edit = msgspec.structs.replace(part, text=text)
                    yield Replace(at, edit, "differs little from an earlier result", Loss.NONE, former)


def difference(old: str, new: str, call: ToolCall | None = None) -> str:
    """A line that names the earlier call, then the hunks of a unified diff without context."""
    before, after = _lines(old), _lines(new)
    rows, moves = list[str](), False
    for a, b, c, d in _hunks(before, after):
        moves |= b - a != d - c
        rows.append(f"@@ -{_place(a, b)} +{_place(c, d)} @@")
        rows += (f"-{before[n].written(n)}" for n in range(a, b))
        rows += (f"+{after[n].written(n)}" for n in range(c, d))
    moves &= any(line.shift is not None for line in after)
    along = "; the line numbers below a change move along" if moves else ""
    but = f", with these changes{along}:" if rows else ""
    return "\n".join([f"[trimtab: the same as the result of {label(call)} above{but}]", *rows])


def _place(start: int, stop: int) -> str:
    """Where lines stand, as a unified diff says it: of none, the line before them."""
    return f"{start + (stop > start)},{stop - start}"


def apply(old: str, text: str) -> str:
    """The text of which `difference(old, …)` is `text`. Raises ValueError when it is no such difference."""
    before, rows = _lines(old), text.split("\n")
    after, done, n = list[Line](), 0, 1
    while n < len(rows):
        header = HUNK.fullmatch(rows[n])
        if header is None:
            raise ValueError(f"line {n + 1}: expected the head of a hunk")
        removed, added = int(header[2]), int(header[3])
        start = int(header[1]) - (removed > 0)
        after += before[done:start]
        done, first = start + removed, n + 1 + removed
        after += [Line.at(len(after) + k, row[1:]) for k, row in enumerate(rows[first : first + added])]
        n = first + added
    after += before[done:]
    return "\n".join(line.written(n) for n, line in enumerate(after))


def _lines(text: str) -> list[Line]:
    return [Line.at(n, line) for n, line in enumerate(text.split("\n"))]


def _hunks(old: Sequence[Line], new: Sequence[Line]) -> Iterator[Hunk]:
    """Where two texts differ, in order."""
    equal = [(-1, -1), *_equal(old, new, Hunk(0, len(old), 0, len(new)), DEPTH), (len(old), len(new))]
    for (a, c), (b, d) in pairwise(equal):
        if b - a > 1 or d - c > 1:
            yield Hunk(a + 1, b, c + 1, d)


def _equal(old: Sequence[Line], new: Sequence[Line], where: Hunk, depth: int) -> Iterator[Pair]:
    """Pairs of equal lines, rising in both: those at the ends, then around lines that occur once in each."""
    a, b, c, d = where
    while a < b and c < d and old[a] == new[c]:
        yield a, c
        a, c = a + 1, c + 1
    tail = 0
    while a < b - tail and c < d - tail and old[b - tail - 1] == new[d - tail - 1]:
        tail += 1
    b, d = b - tail, d - tail
    anchors = _anchors(old, new, Hunk(a, b, c, d)) if depth else []
    for next_a, next_c in [*anchors, (b, d)] if anchors else []:
        yield from _equal(old, new, Hunk(a, next_a, c, next_c), depth - 1)
        if next_a < b:
            yield next_a, next_c
        a, c = next_a + 1, next_c + 1
    yield from zip(range(b, b + tail), range(d, d + tail), strict=True)


def _anchors(old: Sequence[Line], new: Sequence[Line], where: Hunk) -> list[Pair]:
    """The longest row of pairs, rising in both, of lines that occur once in each stretch."""
    ours, theirs = _single(old, where.a, where.b), _single(new, where.c, where.d)
    pairs = [(ours[line], place) for line, place in theirs.items() if line in ours]
    tops, ends, back = list[int](), list[int](), list[int]()
    for n, (a, _) in enumerate(pairs):
        length = bisect_left(tops, a)
        tops[length : length + 1], ends[length : length + 1] = [a], [n]
        back.append(ends[length - 1] if length else -1)
    row, n = list[Pair](), ends[-1] if ends else -1
    while n >= 0:
        row.append(pairs[n])
        n = back[n]
    return row[::-1]


def _single(lines: Sequence[Line], start: int, stop: int) -> dict[Line, int]:
    """The lines of a stretch that occur once in it, in order, with their places."""
    found = dict[Line, int]()
    for n in range(start, stop):
        found[lines[n]] = -1 if lines[n] in found else n
    return {line: n for line, n in found.items() if n >= 0}
