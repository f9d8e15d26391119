"""Long outputs to head, tail and the lines that tell of a failure, with the count of what was cut between."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import ClassVar, NamedTuple

import msgspec
from msgspec import Struct

from trimtab.edits import At, Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import clip, clip_start, gap_stub, inner_gap_stub, lines_of
from trimtab.transcript import ToolResult

CHARACTERS_PER_TOKEN = 3
"""To turn a token allowance into characters; low on purpose, so that the allowance holds for code and prose."""

GAP = 110
"""Characters of the marker of a gap; a shorter gap is not worth one."""

FAILURES = 0.4
"""Share of the allowance for lines that tell of a failure."""

AROUND = ((1, 2), (0, 0))
"""Lines above and below a failure that stay with it, tried in turn."""

FAILING = re.compile(r"(?<!\b0 )(?:errors?|exception|traceback|fail(?:s|ed|ures?)?|fatal|panic)\b", re.IGNORECASE)


class Lines(NamedTuple):
    """A text as lines: line n, counted from 0, stands at `text[starts[n] : starts[n + 1]]`."""

    text: str
    starts: Sequence[int]

    @classmethod
    def of(cls, text: str) -> Lines:
        """The lines of a text."""
        return cls(text, list(accumulate(map(len, lines_of(text)), initial=0)))

    def around(self, place: int, above: int, below: int) -> tuple[int, int]:
        """The span of the line at a place, with so many lines above and below it."""
        number, last = bisect_right(self.starts, place) - 1, len(self.starts) - 1
        return self.starts[max(number - above, 0)], self.starts[min(number + below + 1, last)]


class ShortenOutputs(Struct, frozen=True):
    """A result of more than twice `keep` tokens is cut to about `keep` tokens.

    Removes: what stands between. Keeps, verbatim: the first and the last lines (verdicts and exit codes
    stand there) and the first lines that tell of a failure. Recovers: any lines by the handle.
    Skips when: the result is short.
    """

    keep: int = 1000
    head: float = 0.6

    name: ClassVar[str] = "shorten_outputs"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        for at in view.open:
            if view.size(at) > 2 * self.keep and isinstance(original := view.original(at), ToolResult):
                text = self.excerpt(view, at, original.text)
                yield Replace(at, msgspec.structs.replace(original, text=text), f"over {2 * self.keep:,} tokens")

    def excerpt(self, view: View, at: At, text: str) -> str:
        """What is kept of a text, with a marker in each gap."""
        lines, pieces, done = Lines.of(text), list[str](), 0
        density = min(len(text) / max(view.original_size(at), 1), CHARACTERS_PER_TOKEN)
        for start, stop in [*self.kept(lines, int(self.keep * density)), (len(text), len(text))]:
            if start > done:
                pieces.append(_marker(lines, done, start, view, at))
            pieces.append(text[start:stop])
            done = stop
        return "".join(pieces)

    def kept(self, lines: Lines, room: int) -> list[tuple[int, int]]:
        """The spans of about `room` characters in all that stay, in order; each gap is worth a marker."""
        least = int(room * (1 - FAILURES))
        failing, left = _failing(lines, *self._ends(lines, least), room - least)
        head, tail = self._ends(lines, least + left)
        spans = [(0, head)]
        for start, stop in [*failing, (tail, len(lines.text))]:
            if start <= spans[-1][1] + GAP:
                spans[-1] = (spans[-1][0], max(spans[-1][1], stop))
            else:
                spans.append((start, stop))
        return spans

    def _ends(self, lines: Lines, room: int) -> tuple[int, int]:
        """Where the head ends and the tail starts."""
        share = int(room * self.head)
        return _head(lines, share), _tail(lines, room - share)


def _failing(lines: Lines, after: int, before: int, room: int) -> tuple[list[tuple[int, int]], int]:
    """Spans of the first failures between two places that fit into `room`, and what is left of it."""
    spans, done = list[tuple[int, int]](), after
    for match in FAILING.finditer(lines.text, after, before):
        if match.start() < done:
            continue
        for above, below in AROUND:
            start, stop = lines.around(match.start(), above, below)
            start, stop = done if start <= done + GAP else start, min(stop, before)
            cost = stop - start + (GAP if start > done else 0)
            if cost <= room:
                room -= cost
                done = stop
                spans.append((start, stop))
                break
    return spans, room


def _head(lines: Lines, room: int) -> int:
    """Where a head of at most `room` characters ends: after a line if one ends in its second half."""
    stop = lines.starts[bisect_right(lines.starts, room) - 1]
    return stop if stop >= room / 2 else len(clip(lines.text, room))


def _tail(lines: Lines, room: int) -> int:
    """Where a tail of at most `room` characters starts: at a line if one starts in its first half."""
    size = len(lines.text)
    start = lines.starts[bisect_left(lines.starts, size - room)]
    return start if size - start >= room / 2 else size - len(clip_start(lines.text, room))


def _marker(lines: Lines, start: int, stop: int, view: View, at: At) -> str:
    """The line in the place of `text[start:stop]`: by its lines where they are whole, else by characters."""
    text, starts = lines
    first, last = bisect_left(starts, start), bisect_left(starts, stop)
    if starts[first] == start and starts[last] == stop:
        end = "\r\n" if text[:stop].endswith("\r\n") else "\n"
        return gap_stub(first + 1, last, view.count(text[start:stop]), view.handle(at)) + end
    lead = "" if starts[first] == start else "\n"
    return f"{lead}{inner_gap_stub(stop - start, view.handle(at))}\n"
