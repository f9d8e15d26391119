"""Ways to make a result smaller: trimtab, and head and tail of the same size."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from benchmarks.needles.base import Sample
from benchmarks.needles.conversation import body, result_of
from trimtab import Compactor
from trimtab.errors import BudgetError
from trimtab.tokens import counter_for

CUT = "\n[… cut …]\n"


def tokens(text: str) -> int:
    """Tokens of o200k."""
    return counter_for(None).count([text])[0]


def trimmed(sample: Sample, room: int) -> str | None:
    """What trimtab leaves of the result when the request may have `room` tokens more than without it.

    None where that budget cannot be met.
    """
    compactor = Compactor(store="memory:", config={"window": 100_000_000})
    request = body(sample)
    rest = compactor.compact(request).report.tokens_before - tokens(sample.text)
    budget = rest + room
    compactor = Compactor(store="memory:", budget=budget, target=budget, config={"window": 100_000_000})
    try:
        sent = compactor.compact(request).payload
    except BudgetError:
        return None
    return result_of(msgspec.json.decode(sent)["messages"])


def ends(sample: Sample, room: int) -> str:
    """The first and the last characters, half each, that have `room` tokens together."""
    text = sample.text
    half = (room - tokens(CUT)) // 2
    head = _most(len(text), lambda size: tokens(text[:size]) <= half)
    tail = _most(len(text), lambda size: tokens(text[len(text) - size :]) <= half)
    return text[:head] + CUT + text[len(text) - tail :]


def _most(size: int, fits: Callable[[int], bool]) -> int:
    """The greatest number that fits; what fits grows with it."""
    low, high = 0, 64
    while high < size and fits(high):
        low, high = high, 4 * high
    high = min(high, size)
    while high - low > 4:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
