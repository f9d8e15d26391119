"""Seconds, taken so that the noise of a busy machine hits both sides of a ratio alike."""

from __future__ import annotations

import gc
from collections.abc import Callable
from math import inf
from time import perf_counter


class Best(dict[str, float]):
    """The least seconds of each side, over rounds in which the sides take turns."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        super().__init__()
        self._clock = clock

    def note(self, side: str, seconds: float) -> None:
        self[side] = min(seconds, self.get(side, inf))

    def time(self, side: str, work: Callable[[], object]) -> None:
        """Run and note; the garbage of what ran before is collected first."""
        gc.collect()
        start = self._clock()
        work()
        self.note(side, self._clock() - start)

    def ratio(self, side: str, to: str) -> float:
        return self[side] / self[to]
