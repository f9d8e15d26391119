"""A budget is met or told to be out of reach, and then nothing is on record."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from tests.laws.play import Play, law, plays

from trimtab import BudgetError, Compactor, Report
from trimtab.testing import conversation, memory_store

wires = pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])


@given(plays(shares=(0.02, 0.2, 0.4, 0.6, 0.8, 0.9)))
@law
def test_a_budget_is_met_or_an_error(play: Play) -> None:
    compactor, payload = play.compactor(), play.payload()
    budget = play.budget or 0
    report, error = tried(compactor, payload)
    if report is not None:
        assert report.outcome != "failed"
        assert report.tokens_after * report.factor <= budget
    if error is not None:
        assert error.smallest > error.budget == budget
        assert sum(tokens for _, tokens, _ in error.fixed) <= error.smallest + len(error.fixed)
        assert compactor.explain(payload) == []
        assert compactor.store.conversations() == []
        assert compactor.undo(payload) is payload


def tried(compactor: Compactor, payload: Any) -> tuple[Report | None, BudgetError | None]:
    try:
        return compactor.compact(payload).report, None
    except BudgetError as error:
        return None, error


@given(plays(shares=(0.4, 0.6, 0.8)))
@law
def test_the_tokens_reported_are_those_of_the_output(play: Play) -> None:
    compactor, payload = play.compactor(passes=None), play.payload()
    try:
        result = compactor.compact(payload)
    except BudgetError:
        return
    again = Compactor(store=memory_store(), passes=(), config={}).compact(result.payload)
    assert again.report.tokens_before == result.report.tokens_after


@wires
def test_a_tighter_budget_folds_further_and_contradicts_nothing(wire: str) -> None:
    payload, store = conversation(wire, exchanges=10), memory_store()
    wide = Compactor(store=store, budget=5_000, config={}).compact(payload)
    tight = Compactor(store=store, budget=2_500, config={}).compact(payload)
    assert tight.report.tokens_after * tight.report.factor <= 2_500
    assert wide.report.tokens_after > tight.report.tokens_after
    for before, whole, after in zip(
        wide.payload["messages"], payload["messages"], tight.payload["messages"], strict=True
    ):
        assert before in (whole, after) or after != whole
    again = Compactor(store=store, budget=5_000, config={}).compact(payload)
    assert again.payload == tight.payload
    assert again.report.edits == ()
