"""The next call of a conversation that is known, one exchange longer, against one decode and one hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b

import msgspec

from benchmarks.conversation import WIRES, Exchange, first
from benchmarks.subjects import TimedStore, compact, subject, warm
from benchmarks.table import Row
from benchmarks.timing import Best
from trimtab import Compactor

NAME = "next call, 1,000 messages, 1 MB"
LIMIT, AIM = 4, 2
GROWTH = 1.25
"""Linear is 1; the rest is noise of the machine, a quadratic step would show as 4."""
EXCHANGES, CHARACTERS = 500, 1500
ROUNDS = 15
BUDGET = 125_000
"""Tokens, under half of what 1,000 messages hold; what cannot be folded takes half of that."""


def session(times: int = 1) -> list[Exchange]:
    """The exchanges of 1,000 messages (or a multiple), and those that follow."""
    return first(times * EXCHANGES + ROUNDS, seed=1000, characters=CHARACTERS)


def measure() -> Iterator[Row]:
    """A row for each wire, with the history sent whole and folded; then the same at four times the length."""
    warm()
    short, long = session(), session(4)
    for wire, write in WIRES.items():
        for case, budget in (("whole", None), ("folded", BUDGET)):
            best, far = _times(write, short, budget), _times(write, long, budget and 4 * budget)
            figure = best.ratio("ours", "theirs")
            yield Row(NAME, f"{wire}, {case}", figure, LIMIT, AIM)
            yield Row(NAME, "  the store's commit, excluded", best.ratio("commit", "theirs"))
            growth = far.ratio("ours", "theirs") / figure
            yield Row(NAME, "  the figure at 4,000 messages, 4 MB over it", growth, GROWTH, 1)


def _times(write: Callable[[Sequence[Exchange]], bytes], made: Sequence[Exchange], budget: int | None) -> Best:
    best, known = Best(), len(made) - ROUNDS
    with subject(budget=budget) as (compactor, store):
        compact(compactor, write(made[:known]))
        for more in range(1, ROUNDS + 1):
            _round(best, compactor, store, write(made[: known + more]))
    return best


def _round(best: Best, compactor: Compactor, store: TimedStore, body: bytes) -> None:
    best.time("theirs", lambda: (msgspec.json.decode(body), blake2b(body).digest()))
    store.seconds, alone = 0.0, Best()
    alone.time("all", lambda: compact(compactor, body))
    best.note("ours", alone["all"] - store.seconds)
    best.note("commit", store.seconds)
