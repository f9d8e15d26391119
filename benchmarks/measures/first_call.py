"""The first call on a request of 64,000 tokens, against reading its JSON and encoding its text with tiktoken."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate, takewhile

from benchmarks.conversation import WIRES, Exchange, first, texts
from benchmarks.subjects import compact, subject, warm
from benchmarks.table import Row
from benchmarks.timing import Best
from trimtab.tokens import Tiktoken, counter_for

NAME = "first call, 64k tokens"
TOKENS = 64_000
LIMIT, AIM = 3, 2
ROUNDS = 9
CASES = {"nothing to fold": None, "folded to half": TOKENS // 2}


def session() -> list[Exchange]:
    """As many exchanges as make 64,000 tokens."""
    found, count = first(400, seed=64, characters=3000), counter_for(None).count
    fixed = sum(count(texts([])))
    sizes = accumulate((sum(count(texts([one]))) - fixed for one in found), initial=fixed)
    return found[: sum(1 for _ in takewhile(lambda size: size < TOKENS, sizes))]


def measure() -> Iterator[Row]:
    """A row for each wire, with and without a fold; what is excluded stands below each."""
    if not Tiktoken.ready("o200k_base"):
        yield Row(NAME, "both wires", None, LIMIT, AIM, note="tiktoken has no o200k vocabulary on disk")
        return
    warm()
    best, made = Best(), session()
    for wire, write in WIRES.items():
        body = write(made)
        for case, budget in CASES.items():
            best = _times(body, texts(made), budget)
            yield Row(NAME, f"{wire}, {case}", best.ratio("ours", "theirs"), LIMIT, AIM)
            yield Row(NAME, "  the store's commit, excluded", best.ratio("commit", "theirs"))
    for what, seconds in _loading().items():
        yield Row(NAME, f"  loading {what}, excluded, once a process", seconds / best["theirs"])


def _times(body: bytes, said: list[str], budget: int | None) -> Best:
    import tiktoken

    encode, best = tiktoken.get_encoding("o200k_base").encode_ordinary, Best()

    def theirs() -> None:
        json.loads(body)
        for text in said:
            encode(text)

    for _ in range(ROUNDS):
        best.time("theirs", theirs)
        with subject(budget=budget) as (compactor, store):
            alone = Best()
            alone.time("all", lambda: compact(compactor, body))
            best.note("ours", alone["all"] - store.seconds)
            best.note("commit", store.seconds)
    return best


LOADING = """
import time, trimtab
from trimtab.prices import card
from trimtab.tokens import counter_for
start = time.perf_counter(); counter_for(None).count(["a"])
loaded = time.perf_counter(); card("gpt-5")
print(loaded - start, time.perf_counter() - loaded)
"""


def _loading() -> dict[str, float]:
    runs = [subprocess.check_output([sys.executable, "-c", LOADING], text=True).split() for _ in range(5)]
    return {what: min(float(run[n]) for run in runs) for n, what in enumerate(("the vocabulary", "the prices"))}
