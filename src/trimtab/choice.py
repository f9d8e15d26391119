"""Which units of which texts to show within a number of tokens: one choice over all of them, best worth first.

A greedy choice of a submodular sum (Nemhauser, Wolsey and Fisher 1978: at least 63 % of the best): the
worth of a claim halves each time it is met again.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence, Set
from heapq import heapify, heappop, heappush
from itertools import accumulate, pairwise

from msgspec import Struct

from trimtab.claims import Claim
from trimtab.excerpts.base import Outline

GAP, END = 10, 6
"""Tokens of the marker of a gap, and of what a cut end adds to the last line."""

AGAIN = 0.5
"""What remains of the worth of a claim each time a chosen unit has made it."""

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
        self.sheets = sheets
        self.chosen: list[list[int]] = [[] for _ in sheets]
        self._sums = [_sums(sheet) for sheet in sheets]
        self._left: dict[str, float] = {}
        self._near: list[dict[int, float]] = [{} for _ in sheets]
        self._taken: list[tuple[int, int, float]] = []
        worths = [[sum([worth for _, worth in made]) for made in sheet.claims] for sheet in sheets]
        self._shown = [{unit for unit, worth in enumerate(own) if worth < 0} for own in worths]
        self._heap = [entry for one, own in enumerate(worths) for entry in self._entries(one, own)]
        heapify(self._heap)
        self._ends = _both_ends(sheets)

    def widen(self, room: float) -> None:
        """Take units worth most a token until the room is full; what is left goes to heads and tails."""
        passed: list[tuple[float, int, int]] = []
        heap = self._heap
        while heap and room > 0 and len(passed) < PASSED:
            believed, one, unit = heappop(heap)
            if unit in self._shown[one]:
                continue
            gain, wanted = self._gain(one, unit)
            if gain <= 0:
                continue
            if -gain > believed and heap and -gain > heap[0][0]:
                heappush(heap, (-gain, one, unit))
                continue
            cost = sum(self._cost(one, number) for number in wanted)
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
            self._shown[one].discard(unit)
            self.chosen[one].remove(unit)
            tokens -= max(cost, 1)

    def _fill(self, room: float) -> None:
        """Head and tail of each sheet in turn."""
        passed = 0
        while room > 0 and passed < len(self._ends):
            one, units = self._ends.pop(0)
            unit = next((number for number in units if self._may_fill(one, number)), None)
            if unit is None:
                continue
            cost = self._cost(one, unit)
            if cost > room:
                self._ends.append((one, _chain(unit, units)))
                passed += 1
                continue
            passed = 0
            room -= self._take(one, [unit])
            self._ends.append((one, units))

    def _may_fill(self, one: int, unit: int) -> bool:
        return unit not in self._shown[one] and all(claim.worth > 0 for claim in self.sheets[one].claims[unit])

    def _entries(self, one: int, worths: Sequence[float]) -> Iterator[tuple[float, int, int]]:
        """What each unit of a sheet with claims worth it gains alone, while none is shown."""
        share, sums = self.sheets[one].worth, self._sums[one]
        end = sums[-1]
        for unit, own in enumerate(worths):
            worth = share * own
            if worth >= LEAST:
                size = sums[unit + 1] - sums[unit]
                cost = size + min(sums[unit], GAP) + min(end - sums[unit + 1], END) - min(end, END)
                yield -worth / (max(cost, 0.0) + EFFORT), one, unit

    def _gain(self, one: int, unit: int) -> tuple[float, list[int]]:
        """Worth a token of showing a unit, and the units to show: with what it needs, or alone where that is
        better."""
        worth, cost = self._worth(one, unit), self._cost(one, unit)
        best = worth / ((cost if cost > 0 else 0.0) + EFFORT)
        if (needed := self.sheets[one].outline.units[unit].needs) < 0 or needed in self._shown[one]:
            return best, [unit]
        along = self._along(one, unit)
        for needed in along[1:]:
            worth += self._worth(one, needed)
            cost += self._cost(one, needed)
        together = worth / (max(cost - GAP * _touching(along), 0.0) + EFFORT * len(along))
        return (together, along) if together >= ALONE * best else (best * ALONE, [unit])

    def _worth(self, one: int, unit: int) -> float:
        """What the claims of a unit count now."""
        left, worth = self._left, self._near[one].get(unit, 0.0)
        for key, full in self.sheets[one].claims[unit]:
            worth += full * left[key] if key in left else full
        return self.sheets[one].worth * worth

    def _along(self, one: int, unit: int) -> list[int]:
        """A unit and those it needs that are not yet shown."""
        units, shown, wanted = self.sheets[one].outline.units, self._shown[one], [unit]
        while (unit := units[unit].needs) >= 0 and unit not in shown:
            wanted.append(unit)
        return wanted

    def _cost(self, one: int, unit: int) -> float:
        """Tokens of showing a unit: its own, and what the markers of gaps become longer or shorter."""
        chosen, sums = self.chosen[one], self._sums[one]
        here, end = sums[unit], sums[unit + 1]
        if not self.sheets[one].marked:
            return end - here + 1
        at = bisect_left(chosen, unit)
        start = sums[chosen[at - 1] + 1] if at else 0.0
        stop, most = (sums[chosen[at]], GAP) if at < len(chosen) else (sums[-1], END)
        return end - here + min(here - start, GAP) + min(stop - end, most) - min(stop - start, most)

    def _take(self, one: int, wanted: Sequence[int]) -> float:
        """Show these, and make what stands beside them worth more. Returns the tokens that takes."""
        claims, total = self.sheets[one].claims, 0.0
        for n in reversed(wanted):
            cost = self._cost(one, n)
            worth = self._worth(one, n)
            self._taken.append((one, n, cost))
            self._shown[one].add(n)
            insort(self.chosen[one], n)
            total += cost
            for claim in claims[n]:
                self._left[claim.key] = self._left.get(claim.key, 1.0) * AGAIN
            if worth:
                self._spread(one, n, worth)
        return total

    def _spread(self, one: int, unit: int, worth: float) -> None:
        for n in range(max(unit - REACH, 0), min(unit + REACH + 1, len(self.sheets[one].claims))):
            if n not in self._shown[one] and n not in self.sheets[one].dull:
                given = NEAR * worth / abs(n - unit)
                if given > self._near[one].get(n, 0.0):
                    self._near[one][n] = given
                    heappush(self._heap, (-self._gain(one, n)[0], one, n))


def _touching(along: Sequence[int]) -> int:
    """How many of these stand right behind one another."""
    return sum(1 for unit, above in pairwise(along) if above == unit - 1)


def _sums(sheet: Sheet) -> list[float]:
    """Tokens of the units before each, and at the end of all."""
    density = sheet.density
    return list(accumulate(((unit.stop - unit.start) / density for unit in sheet.outline.units), initial=0.0))


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
