"""Runs of lines that repeat, or that only count on: the first, how many, the last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise
from operator import sub
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.transcript import ToolResult

LEAST_RUN = 5
"""Lines below which a run is shown whole."""

NUMBER = re.compile(r"( *+[0-9]{1,18})")
"""A number with the blanks that may pad it; at most so many digits, so that hostile ones cost nothing."""

MARKER = re.compile(
    r"\[trimtab: (?:the line above ([0-9]{1,9}) more times|([0-9]{1,9}) lines between these two, [^]\n]*+)\]"
)
"""The line in the place of a run, as `unfold` reads it."""


class FoldRepeats(Struct, frozen=True):
    """Five or more equal lines, or lines whose numbers all move by one constant step, become two and a count.

    Removes: the lines between. Keeps: the first and the last line; of equal lines one. Recovers: `unfold`
    writes them out again. Skips when: a line of the text looks like such a marker.
    """

    name: ClassVar[str] = "fold_repeats"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.NONE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result with such runs."""
        for at in view.open:
            part = view.part(at)
            if isinstance(part, ToolResult) and (text := folded(part.text)) != part.text:
                yield Replace(at, msgspec.structs.replace(part, text=text), "repeated lines", Loss.NONE)


def folded(text: str) -> str:
    """The text with every run that is shorter that way folded; as it is where it holds a marker already."""
    lines = text.split("\n")
    if len(lines) < LEAST_RUN or any(map(MARKER.fullmatch, lines)):
        return text
    alike = groupby(zip(NUMBER.sub("0", text).split("\n"), lines, strict=True), lambda pair: pair[0])
    return "\n".join(chain.from_iterable(_folded([line for _, line in group]) for _, group in alike))


def _folded(lines: list[str]) -> Iterator[str]:
    """Lines that differ at most in their numbers, with their runs folded."""
    numbers = [tuple(map(int, NUMBER.findall(line))) for line in lines] if len(lines) >= LEAST_RUN else []
    steps = (tuple(map(sub, after, before)) for before, after in pairwise(numbers))
    done = start = 0
    for _, group in groupby(steps):
        stop = start + sum(1 for _ in group) + 1
        first = max(start, done)
        if brief := _brief(lines[first:stop]):
            yield from chain(lines[done:first], brief)
            done = stop
        start = stop - 1
    yield from lines[done:]


def unfold(text: str) -> str:
    """The text that `folded` made this one of. Raises ValueError for a marker that stands for nothing."""
    lines, whole = text.split("\n"), list[str]()
    for n, line in enumerate(lines):
        marker = MARKER.fullmatch(line)
        if marker is None:
            whole.append(line)
        elif not whole or (marker[2] and n + 1 == len(lines)):
            raise ValueError(f"line {n + 1}: a marker has to follow a line")
        elif marker[1]:
            whole += [whole[-1]] * int(marker[1])
        elif between := _between(whole[-1], lines[n + 1], int(marker[2])):
            whole += between
        else:
            raise ValueError(f"line {n + 1}: a marker has to stand between lines of one run")
    return "\n".join(whole)


def _brief(run: Sequence[str]) -> list[str]:
    """The lines in the place of a run, none when it does not come back from them or they save nothing."""
    if len(run) < LEAST_RUN:
        return []
    first, last, between = run[0], run[-1], list(run[1:-1])
    if all(line == first for line in run):
        brief = [first, f"[trimtab: the line above {len(run) - 1} more times]"]
    elif (
        len(moves := set(_steps(first, last, len(between))) - {0}) == 1
        and _between(first, last, len(between)) == between
    ):
        brief = [first, f"[trimtab: {len(between)} lines between these two, numbers by {moves.pop():+}]", last]
    else:
        return []
    return brief if sum(map(len, brief)) < sum(map(len, run)) else []


def _steps(first: str, last: str, count: int) -> list[int]:
    """What each number moves by from line to line; [] where these are not the ends of one run."""
    if NUMBER.sub("0", first) != NUMBER.sub("0", last):
        return []
    moves = [int(b) - int(a) for a, b in zip(NUMBER.findall(first), NUMBER.findall(last), strict=True)]
    return [] if any(move % (count + 1) for move in moves) else [move // (count + 1) for move in moves]


def _between(first: str, last: str, count: int) -> list[str]:
    """The lines between two, their numbers in even steps; [] where these are not the ends of one run."""
    steps, words = _steps(first, last, count), NUMBER.split(first)[::2]
    ends = zip(NUMBER.findall(first), NUMBER.findall(last), steps, strict=False)
    columns = [[_numeral(a, b, int(a) + step * n) for n in range(1, count + 1)] for a, b, step in ends]
    return ["".join(chain(*zip(words, row, strict=False), words[-1:])) for row in zip(*columns, strict=True)]


def _numeral(first: str, last: str, value: int) -> str:
    """A numeral between two: in their width, with zeros if one has them, when both have it, else as it comes."""
    digits = first.lstrip(" ")
    if len(first) != len(last):
        return " " * (len(first) - len(digits)) + str(value)
    zeros = len(digits) if digits.startswith("0") or last.lstrip(" ").startswith("0") else 0
    return str(value).zfill(zeros).rjust(len(first))
