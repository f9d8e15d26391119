"""From raw to billed tokens in one session: by the usage it reports where that is enough, else by its model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from statistics import median

from msgspec import Struct

from trimtab.prices import card
from trimtab.request import Request
from trimtab.sessions.base import Call
from trimtab.tokens import FACTORS, family, plausible

ENOUGH = 6
"""Calls with usage below which their slope says nothing."""

SPREAD = 5_000
"""Raw tokens by which requests must differ for the same."""


FIRST = 3
"""Calls from which what stands before the messages is told: there it weighs most."""


class Scale(Struct, frozen=True):
    """Billed tokens for one raw token, and the billed tokens of system and tools (None: as the file has them)."""

    factor: float
    frame: int | None = None
    measured: bool = False

    def billed(self, raw: int) -> int:
        """Raw tokens as the provider counts them."""
        return int(self.factor * raw)


def scale_of(request: Request, calls: Sequence[Call], model: str | None = None) -> Scale:
    """The slope of billed input over raw tokens in calls that extend each other, and what is left at zero.

    What is left is system and tools, which most session files lack. Another `model` has its own tokenizer.
    """
    sums = [0, *accumulate(one.size for one in request.parsed)]
    window = max(card(call.model or request.frame.model).window for call in calls)
    pairs = [
        (sums[call.stop - call.start] - sums[request.heads], call.usage.input)
        for call in calls
        if call.usage and plausible(call.usage.input, window)
    ]
    own = calls[-1].model or request.frame.model
    slope, measured = FACTORS[family(own)], False
    if len(pairs) >= ENOUGH and pairs[-1][0] - pairs[0][0] >= SPREAD:
        half = len(pairs) // 2
        steps = [(b - a, y - x) for (a, x), (b, y) in zip(pairs, pairs[half:], strict=False) if b > a]
        found = median(rise / run for run, rise in steps) if steps else 0.0
        if 0.5 <= found <= 2.5:
            slope, measured = found, True
    frame = max(int(median(billed - slope * raw for raw, billed in pairs[:FIRST])), 0) if pairs else None
    if model is not None and family(model) != family(own):
        frame = None if frame is None else int(frame * FACTORS[family(model)] / slope)
        slope, measured = FACTORS[family(model)], False
    return Scale(slope, frame, measured)
