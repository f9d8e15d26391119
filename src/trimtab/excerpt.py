"""What is shown of a text: chosen units word for word, a marker in each gap, and at the end the way to the
rest."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, count as count_from

from msgspec import Struct

from trimtab.choice import END, Choice, Sheet
from trimtab.claims import Page
from trimtab.edits import At
from trimtab.excerpts import read
from trimtab.interest import Interest
from trimtab.score import scored
from trimtab.selection import rows
from trimtab.stubs import end_stub, excerpt_stub, gap_stub, inner_gap_stub, items_gap_stub

TRIES, CAUTION, SPARE = 6, 0.95, 0.03
"""Times a choice is widened because room is left, what part of that room it is given, and what part may stay
free."""

MARKER_CHARACTERS = 60
"""Characters above which a text is longer than its marker for sure."""

ROOM_FOR_SUMS = 400
"""Tokens of an excerpt from which on it tells what the whole adds up to."""


class Excerpt(Struct, frozen=True):
    """`text` is what is shown, markers included; `why` says in a few words what was kept and for which reasons."""

    text: str
    tokens: int
    why: str


def sheet(text: str, tokens: int, interest: Interest, at: At | None = None, worth: float = 1.0) -> Sheet:
    """A text made ready to be chosen from; `tokens` is its size, `worth` what its claims count beside others'."""
    outline = read(text)
    page = Page(text, outline, interest, at)
    dull = frozenset(number for number, words in enumerate(page.words) if not words)
    return Sheet(text, outline, scored(page), max(len(text) / max(tokens, 1), 0.5), worth, dull)


def excerpts(
    sheets: Sequence[Sheet], handles: Sequence[str], room: int, count: Callable[[str], int]
) -> list[Excerpt]:
    """An excerpt of each sheet: at most `room` tokens in all as `count` counts them, if the bare markers fit."""
    brief = room < ROOM_FOR_SUMS * len(sheets)
    choice = Choice(sheets)
    frames = [Frame(one, handle, brief, count) for one, handle in zip(sheets, handles, strict=True)]

    def made() -> tuple[list[str], list[int]]:
        texts = [frame.around(shown) for frame, shown in zip(frames, choice.chosen, strict=True)]
        return texts, [*map(count, texts)]

    texts, sizes = made()
    for _ in range(TRIES):
        if room - sum(sizes) <= max(SPARE * room, END):
            break
        choice.widen((room - sum(sizes)) * CAUTION)
        texts, sizes = made()
        for turn in count_from(1):
            if sum(sizes) <= room or not any(choice.chosen):
                break
            choice.narrow((sum(sizes) - room) * turn)
            texts, sizes = made()
    why = map(_why, sheets, choice.chosen)
    return [*map(Excerpt, texts, sizes, why)]


def stretches(one: Sheet, shown: Sequence[int]) -> Iterator[str]:
    """What is shown of a text: units that stand side by side together, as they stood."""
    units, start, stop = one.outline.units, 0, -1
    for number in [*shown, -1]:
        if number >= 0 and units[number].start == stop:
            stop = units[number].stop
            continue
        if text := one.text[start : max(stop, 0)].strip("\n").rstrip():
            yield text
        if number >= 0:
            start, stop = units[number].start, units[number].stop


class Frame:
    """What stands around the units shown of a sheet: the markers."""

    def __init__(self, sheet: Sheet, handle: str, brief: bool, count: Callable[[str], int]) -> None:
        self.sheet, self.handle, self.brief, self.count = sheet, handle, brief, count
        self.starts = list(accumulate(map(len, rows(sheet.text)), initial=0))
        self._gaps: dict[tuple[int, int], str] = {}

    def around(self, shown: Sequence[int]) -> str:
        """The text that shows these units."""
        return "".join(self._pieces(shown))

    def _pieces(self, shown: Sequence[int]) -> Iterator[str]:
        """Units and markers in order. A unit is verbatim; a line feed is added only before a marker line."""
        text, units = self.sheet.text, self.sheet.outline.units
        done, ends_line = 0, True
        for number in shown:
            if number > done:
                gap = self._gaps.get((done, number)) or self._gap(done, number)
                self._gaps[done, number] = gap
                yield gap
                ends_line = gap.endswith("\n")
            piece = text[units[number].start : units[number].stop]
            yield piece
            ends_line, done = piece.endswith("\n"), number + 1
        yield "" if ends_line else "\n"
        yield self._end(done)

    def _gap(self, first: int, stop: int) -> str:
        """What stands in the place of units `first` to `stop`: a marker, or their text where that is no longer."""
        units, text = self.sheet.outline.units, self.sheet.text
        marker = self._marker(first, stop)
        hidden = text[units[first].start : units[stop - 1].stop]
        is_short = len(hidden) <= MARKER_CHARACTERS and self.count(hidden) <= self.count(marker)
        return hidden if is_short else marker

    def _marker(self, first: int, stop: int) -> str:
        """By lines where they are whole, else by items or characters."""
        units, starts = self.sheet.outline.units, self.starts
        start, end = units[first].start, units[stop - 1].stop
        above, below = bisect_right(starts, start), bisect_right(starts, end)
        if starts[above - 1] == start and starts[below - 1] == end:
            return gap_stub(above, below - 1)
        if units[first].path:
            return items_gap_stub(units[first].path, units[stop - 1].path, stop - first)
        return inner_gap_stub(end - start)

    def _end(self, done: int) -> str:
        """The last line."""
        units, total = self.sheet.outline.units, len(self.starts) - 1
        sums = "" if self.brief else self.sheet.outline.sums
        if not done:
            return excerpt_stub(total, sums, self.handle)
        cut = bisect_right(self.starts, units[done].start) if done < len(units) else 0
        return end_stub(cut, total, sums, self.handle, self.brief)


def _why(one: Sheet, shown: Sequence[int]) -> str:
    """The kind, how much is shown, and the chief reason of each unit shown, counted."""
    best = (max(one.claims[n], key=lambda claim: claim.worth, default=None) for n in shown)
    reasons = Counter(claim.key.split(" ", 1)[0] if claim else "near" for claim in best)
    told = ", ".join(f"{reason} {times}" for reason, times in reasons.most_common())
    return f"{one.outline.kind}: {len(shown)} of {len(one.outline.units)} units" + (f" ({told})" if told else "")
