"""Which units of which texts to show within a number of tokens: one choice over all of them, best worth first.

A greedy choice of a submodular sum (Nemhauser, Wolsey and Fisher 1978: at least 63 % of the best): the
worth of a claim halves each time it is met again.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence, Set
from heapq import heapify, heappop, heappush
from itertools import pairwise

from msgspec import Struct

from trimtab.claims import Claim
from trimtab.excerpts.base import Outline

GAP, END = 10, 6
"""Tokens of the marker of a gap, and of what a cut end adds to the last line."""

AGAIN, FLOOR = 0.5, 0.5**12
"""What remains of the worth of a claim each time a chosen unit has made it, and the least that ever remains.

Without a least all units that make a claim would have to be judged again for every one of them shown.
"""

PASSED = 60
"""Units that do not fit in what is left of the room, after which no more are looked at."""

LEAST = 0.2
"""Worth of the claims of a unit below which it is shown only beside others, or where room is left."""

ALONE = 0.95
"""What a unit is worth without what it needs beside it."""

EFFORT = 8
"""Tokens that a unit counts above its own: each takes attention, and two short ones are not better than one.
"""

NEAR, REACH = 0.06, 2
"""What units beside a chosen one get of its worth, for each of so many on either side."""


class Sheet(Struct, frozen=True):
    """One text to choose from. `density` are characters a token, `worth` what its claims count.

    `marked` tells that gaps leave markers. A unit whose claims are worth less than nothing is never shown.
    """

    text: str
    outline: Outline
    claims: Sequence[Sequence[Claim]]
    density: float
    worth: float = 1.0
    dull: Set[int] = frozenset()
    marked: bool = True


class Choice:
    """A choice that can be widened and narrowed: units are taken by worth a token, and given back last first."""

    def __init__(self, sheets: Sequence[Sheet]) -> None:
        self._left: dict[str, float] = {}
        self._parts = [_Part(sheet, self._left) for sheet in sheets]
        self.chosen = [part.chosen for part in self._parts]
        self._taken: list[tuple[int, int, float]] = []
        self._heap = [(-gain, one, unit) for one, part in enumerate(self._parts) for gain, unit in part.entries()]
        heapify(self._heap)
        self._ends = _both_ends(sheets)

    def widen(self, room: float) -> None:
        """Take units worth most a token until the room is full; what is left goes to heads and tails."""
        passed: list[tuple[float, int, int]] = []
        heap, parts = self._heap, self._parts
        while heap and room > 0 and len(passed) < PASSED:
            believed, one, unit = heappop(heap)
            part = parts[one]
            if unit in part.shown:
                continue
            gain, wanted = part.gain(unit)
            if gain <= 0:
                continue
            if -gain > believed and heap and -gain > heap[0][0]:
                heappush(heap, (-gain, one, unit))
                continue
            cost = sum(part.cost(number) for number in wanted)
            if cost > room:
                passed.append((-gain, one, unit))
                continue
            room -= self._take(one, wanted)
        self._fill(room)
        for entry in passed:
            heappush(heap, entry)

    def narrow(self, tokens: float) -> None:
        """Give back what was taken last, so many tokens of it; at least one unit."""
        while self._taken and tokens > 0:
            one, unit, cost = self._taken.pop()
            self._parts[one].shown.discard(unit)
            self.chosen[one].remove(unit)
            tokens -= max(cost, 1)

    def _fill(self, room: float) -> None:
        """Head and tail of each sheet in turn."""
        passed = 0
        while room > 0 and passed < len(self._ends):
            one, units = self._ends.pop(0)
            part = self._parts[one]
            unit = next((number for number in units if part.may_fill(number)), None)
            if unit is None:
                continue
            cost = part.cost(unit)
            if cost > room:
                self._ends.append((one, _chain(unit, units)))
                passed += 1
                continue
            passed = 0
            room -= self._take(one, [unit])
            self._ends.append((one, units))

    def _take(self, one: int, wanted: Sequence[int]) -> float:
        """Show these, and make what stands beside them worth more. Returns the tokens that takes."""
        part, total = self._parts[one], 0.0
        for n in reversed(wanted):
            cost, worth = part.cost(n), part.worth(n)
            self._taken.append((one, n, cost))
            part.shown.add(n)
            insort(part.chosen, n)
            total += cost
            for claim in part.claims[n]:
                self._left[claim.key] = max(self._left.get(claim.key, 1.0) * AGAIN, FLOOR)
            for beside in part.spread(n, worth) if worth else ():
                heappush(self._heap, (-part.gain(beside)[0], one, beside))
        return total


class _Part:
    """A sheet, and what is shown of it so far; `left` is what remains of the worth of claims met before."""

    def __init__(self, sheet: Sheet, left: Mapping[str, float]) -> None:
        self.claims, self.units, self.dull = sheet.claims, sheet.outline.units, sheet.dull
        self.share, self.marked, self.left = sheet.worth, sheet.marked, left
        self.chosen: list[int] = []
        self.near: dict[int, float] = {}
        self.sums = _sums(sheet)
        self.full = [sum([worth for _, worth in made]) if made else 0.0 for made in self.claims]
        self.shown = {unit for unit, worth in enumerate(self.full) if worth < 0}

    def entries(self) -> Iterator[tuple[float, int]]:
        """What each unit with claims worth it gains alone, while none is shown."""
        sums, end = self.sums, self.sums[-1]
        for unit, full in enumerate(self.full):
            if full >= LEAST:
                own = sums[unit + 1] - sums[unit]
                cost = own + min(sums[unit], GAP) + min(end - sums[unit + 1], END) - min(end, END)
                yield self.share * full / (max(cost, 0.0) + EFFORT), unit

    def may_fill(self, unit: int) -> bool:
        """Whether a unit may be shown for no reason but that there is room."""
        return unit not in self.shown and all(claim.worth > 0 for claim in self.claims[unit])

    def gain(self, unit: int) -> tuple[float, list[int]]:
        """Worth a token of showing a unit, and the units to show: with what it needs, or alone where that is
        better."""
        worth, cost = self.worth(unit), self.cost(unit)
        best = worth / (max(cost, 0.0) + EFFORT)
        needed = self.units[unit].needs
        if needed < 0 or needed in self.shown:
            return best, [unit]
        along = self._along(unit)
        for needed in along[1:]:
            worth += self.worth(needed)
            cost += self.cost(needed)
        together = worth / (max(cost - GAP * _touching(along), 0.0) + EFFORT * len(along))
        return (together, along) if together >= ALONE * best else (best * ALONE, [unit])

    def worth(self, unit: int) -> float:
        """What the claims of a unit count now."""
        left, worth = self.left, self.near.get(unit, 0.0)
        for key, full in self.claims[unit]:
            worth += full * left[key] if key in left else full
        return self.share * worth

    def cost(self, unit: int) -> float:
        """Tokens of showing a unit: its own, and what the markers of gaps become longer or shorter."""
        chosen, sums = self.chosen, self.sums
        here, end = sums[unit], sums[unit + 1]
        if not self.marked:
            return end - here + 1
        at = bisect_left(chosen, unit)
        start = sums[chosen[at - 1] + 1] if at else 0.0
        stop, most = (sums[chosen[at]], GAP) if at < len(chosen) else (sums[-1], END)
        if here - start >= GAP and stop - end >= most:
            return end - here + GAP
        return end - here + min(here - start, GAP) + min(stop - end, most) - min(stop - start, most)

    def spread(self, unit: int, worth: float) -> Iterator[int]:
        """The units beside a chosen one that are worth more for it."""
        for n in range(max(unit - REACH, 0), min(unit + REACH + 1, len(self.claims))):
            if n not in self.shown and n not in self.dull:
                given = NEAR * worth / abs(n - unit)
                if given > self.near.get(n, 0.0):
                    self.near[n] = given
                    yield n

    def _along(self, unit: int) -> list[int]:
        """A unit and those it needs that are not yet shown."""
        wanted = [unit]
        while (unit := self.units[unit].needs) >= 0 and unit not in self.shown:
            wanted.append(unit)
        return wanted


def _touching(along: Sequence[int]) -> int:
    """How many of these stand right behind one another."""
    return sum(1 for unit, above in pairwise(along) if above == unit - 1)


def _sums(sheet: Sheet) -> list[float]:
    """Tokens of the units before each, and at the end of all."""
    density = sheet.density
    return [*(unit.start / density for unit in sheet.outline.units), len(sheet.text) / density]


def _both_ends(sheets: Sequence[Sheet]) -> list[tuple[int, Iterator[int]]]:
    sizes = [len(sheet.outline.units) for sheet in sheets]
    return [
        (one, iter(way))
        for one, size in enumerate(sizes)
        for way in (range(size), range(size - 1, -1, -1))
        if size
    ]


def _chain(unit: int, units: Iterator[int]) -> Iterator[int]:
    yield unit
    yield from units
