"""The rule's arithmetic: rates of a card, the curve of need, what a call costs."""

from __future__ import annotations

import pytest
from msgspec import structs

from trimtab.policy import CURVES, Kind, Marks, need, rates, recall_price
from trimtab.prices import card
from trimtab.rates import Rates, cost


def test_rates_are_relative_to_plain_input() -> None:
    found = rates(card("claude-opus-4-5"), 50_000)
    assert (found.read, found.write, found.output) == pytest.approx((0.1, 1.25, 5.0))
    assert (found.lifetime, found.least, found.good_marks) == (300.0, 4096, True)


def test_above_a_cliff_everything_is_dearer() -> None:
    short, long = (rates(card("claude-sonnet-4-5"), tokens) for tokens in (100_000, 250_000))
    assert (long.read, long.write) == pytest.approx((2 * short.read, 2 * short.write))


@pytest.mark.parametrize(
    ("marks", "caches", "good"), [(Marks.GOOD, True, True), (Marks.NAIVE, True, False), (Marks.NONE, False, True)]
)
def test_marks_say_what_is_read_after_an_edit(marks: Marks, caches: bool, good: bool) -> None:
    found = rates(card("claude-opus-4-5"), 50_000, marks)
    assert (found.caches, found.good_marks) == (caches, good)


def test_a_model_without_a_price_for_cached_reads_caches_nothing() -> None:
    bare = structs.replace(card("claude-opus-4-5"), read=None)
    assert not rates(bare, 1000).caches


def test_a_model_nobody_knows_is_taken_for_what_most_are() -> None:
    assert rates(card("nobody-knows-me"), 1000) == Rates()


@pytest.mark.parametrize("kind", list(Kind))
def test_the_need_falls_with_age_and_disuse_and_grows_with_size(kind: Kind) -> None:
    base = need(kind, 0, 5, 5, 2_000)
    assert need(kind, 0, 50, 5, 2_000) < base
    assert need(kind, 0, 5, 50, 2_000) < base
    assert need(kind, 0, 5, 5, 20_000) > base
    assert need(kind, 1, 5, 5, 2_000) < base
    assert need(kind, 0, 5, 5, 2_000, beside=1.0) > base
    assert 0 < need(kind, 0, 0, 0, 0) < 1
    assert set(CURVES) == set(Kind)


def test_a_recall_costs_the_request_again_a_page_and_a_question() -> None:
    assert recall_price(Rates(read=0.1, write=1.25, output=5.0), 10_000) == 1_000 + 1_875 + 750


def test_what_is_cached_is_read_and_the_rest_is_written() -> None:
    assert cost(Rates(read=0.1, write=1.25), 8_000, 10_000) == 800 + 2_500
    assert cost(Rates(read=0.1, write=1.25, least=4_096), 0, 4_000) == 4_000
    assert cost(Rates(read=0.1, write=1.25, least=4_096), 4_000, 5_000) == 1.25 * 5_000
