"""A caller's budget: what is shown is one choice over all that is in reach, and the room is used."""

from __future__ import annotations

from tests.cases.transcripts import calls, request, results, user

from trimtab import Compactor
from trimtab.testing import memory_store

ASKED = " ".join(f"rate_{n}_{k}" for n in range(8) for k in range(0, 100, 9))


def told(n: int) -> str:
    return "".join(f"rate_{n}_{k} = {k * 7} # FAILED at case {k}\n" for k in range(100))


def test_room_that_parts_cut_before_would_fill_goes_to_those_that_are_cut_now() -> None:
    steps = [step for n in range(8) for step in (calls((f"c{n}", "a.py")), results((f"c{n}", told(n))))]
    noise = " ".join(f"w{k * 7919 % 99991}" for k in range(9_000))
    before = [user(f"Find the fault of {ASKED}."), *steps]
    after = [*before, calls(("c8", "b.py")), results(("c8", noise))]
    store, budget = memory_store(), 8_000
    Compactor(store=store, budget=5_000).compact(request("anthropic", *before))
    report = Compactor(store=store, budget=budget, target=budget).compact(request("anthropic", *after)).report
    assert 0.9 * budget <= report.tokens_after * report.factor <= budget
