"""Tokens counted by a function of the caller's."""

from __future__ import annotations

from typing import Any

import pytest

from trimtab import Compactor, ConfigError
from trimtab.testing import conversation, memory_store
from trimtab.tokens import Given


def test_it_counts_in_the_place_of_the_tokenizer() -> None:
    compactor = Compactor("claude-sonnet-4-5", store=memory_store(), count_tokens=len)
    report = compactor.compact(conversation()).report
    exact = Compactor("claude-sonnet-4-5", store=memory_store()).compact(conversation()).report
    assert report.tokens_before > 2 * exact.tokens_before
    assert (report.counter, report.factor) == ("count_tokens", 1.0)
    assert exact.factor > 1.0


def test_a_budget_is_met_by_it() -> None:
    compactor = Compactor(store=memory_store(), budget=6_000, count_tokens=len)
    report = compactor.compact(conversation(exchanges=8)).report
    assert report.tokens_after <= 6_000 < report.tokens_before


def test_what_the_provider_reports_corrects_it_and_leaves_the_tokenizers_figures_alone() -> None:
    store, request = memory_store(), conversation(exchanges=6)
    given = Compactor("claude-sonnet-4-5", store=store, count_tokens=len)
    exact = Compactor("claude-sonnet-4-5", store=store)
    before = exact.compact(request).report.factor
    result = given.compact(request)
    given.observe(result, {"input_tokens": result.report.tokens_after * 3 // 4})
    longer = conversation(exchanges=7)
    assert given.compact(longer).report.factor == pytest.approx(0.75, abs=0.01)
    assert exact.compact(longer).report.factor == before


@pytest.mark.parametrize("answer", ["7", 1.5, -1, True, None])
def test_an_answer_that_is_no_number_of_tokens_is_told(answer: Any) -> None:
    with pytest.raises(ConfigError, match="count_tokens answered"):
        Given(lambda text: answer).count(["a"])


def test_a_count_that_fails_is_told() -> None:
    def count(text: str) -> int:
        raise OSError("no network")

    with pytest.raises(ConfigError, match="count_tokens failed: OSError: no network"):
        Compactor(store=memory_store(), count_tokens=count).compact(conversation())
