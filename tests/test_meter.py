"""The meter by itself: rent grows, a fold is weighed against its price, the guard holds, uses are counted."""

from __future__ import annotations

import pytest
from msgspec import structs

from trimtab.edits import At
from trimtab.meter import Fold, Lot, Meter, Now, told
from trimtab.observed import Observed
from trimtab.policy import Kind, Policy
from trimtab.rates import Rates

RATES = Rates(read=0.1, write=1.25, output=5.0, lifetime=300.0, least=1024)
FREE = Policy(never_dearer_than=None)


def lot(number: int, size: int = 5_000, before: int = 0, **fields: object) -> Lot:
    at = At(bytes([number]), 0)
    return structs.replace(
        Lot(at, Kind.RESULT, size, before, size - 300, 0, 0, frozenset({f"name_{number}"})), **fields
    )


def meter(*lots: Lot, calls: int = 10, sent: int = 20_000) -> Meter:
    return Meter(
        calls=calls,
        last=0.0,
        frame=2_000,
        sent=sent,
        whole=sent,
        lots={one.at: one for one in lots},
        kept=1e6,
        spent=1e6,
    )


def now(at: float = 10.0, tokens: int = 20_500) -> Now:
    return Now(at, 2_000, tokens, tokens)


def test_rent_grows_until_it_pays() -> None:
    one = meter(lot(1, before=14_000))
    gains = [one.weigh(FREE, RATES, now()).gain for _ in range(40)]
    assert gains == sorted(gains)
    assert gains[0] < 0 < gains[-1]


def test_a_cold_cache_makes_a_fold_free() -> None:
    warm, cold = (meter(lot(1)).weigh(FREE, RATES, now(at)) for at in (10.0, 301.0))
    assert warm.price > 0 == cold.price
    assert cold.gain > 0


def test_behind_another_frame_nothing_is_cached() -> None:
    assert meter(lot(1)).weigh(FREE, RATES, structs.replace(now(), frame=2_001)).price == 0


def test_the_price_is_what_stays_behind_the_first_edit() -> None:
    fold = meter(lot(1, before=14_000)).weigh(FREE, RATES, now())
    assert fold.price == pytest.approx((1.25 - 0.1) * (20_000 - 14_000 - 4_700))
    naive = meter(lot(1, before=14_000)).weigh(FREE, structs.replace(RATES, good_marks=False), now())
    assert naive.price == pytest.approx((1.25 - 0.1) * (20_000 - 4_700))


def test_a_rolling_mark_still_finds_an_entry_shortly_before_it() -> None:
    """Twenty parts back, if it was used within the lifetime; from there on all is written anew."""
    rolling = structs.replace(RATES, good_marks=False)
    one = lot(1, before=14_000, entry=13_900, block=30, read=-290.0)
    near, far, cold = (
        meter(one).weigh(FREE, rolling, structs.replace(now(at), blocks=blocks)).price
        for at, blocks in ((10.0, 50), (10.0, 51), (11.0, 50))
    )
    assert near == pytest.approx((1.25 - 0.1) * (20_000 - 13_900 - 4_700))
    assert far == cold == pytest.approx((1.25 - 0.1) * (20_000 - 4_700))


def test_a_fold_begins_where_it_earns_most() -> None:
    early, late = lot(1, before=0, rent=10.0), lot(2, before=15_000, rent=50_000.0)
    assert meter(early, late).weigh(FREE, RATES, now()).parts == (late.at,)


def test_what_was_used_lately_stays() -> None:
    used = lot(1, used=9, first=8)
    assert meter(used, calls=10).weigh(FREE, RATES, now(301.0, tokens=400_000)).parts == ()


def test_the_guard_lets_through_what_the_conversation_has_earned() -> None:
    held = Policy(never_dearer_than=0.0)
    broke, rich = (meter(lot(1, before=1_000, rent=300_000.0), sent=150_000) for _ in range(2))
    rich.spent -= 500_000
    barred = broke.weigh(held, RATES, now(tokens=150_500))
    assert barred.barred
    assert "has not earned a fold yet: the rent of 1 part is" in told(barred)
    assert rich.weigh(held, RATES, now(tokens=150_500)).gain > 0


def test_closed_parts_neither_fold_nor_charge() -> None:
    one = lot(1)
    made = meter(one)
    assert made.weigh(FREE, RATES, structs.replace(now(301.0), closed=frozenset({one.at}))) == Fold()
    assert made.lots[one.at].rent == 0


def test_an_action_marks_what_it_used_and_counts_what_only_one_part_held() -> None:
    one, other = lot(1), lot(2, names=frozenset({"name_1", "name_2"}))
    made = meter(one, other)
    made.act({"name_2"})
    assert (made.lots[one.at].used, made.lots[other.at].used) == (0, 10)
    assert made.seen == 1
    made.act({"name_1"})
    made.act({"name_2"})
    assert made.seen == 1


def test_lines_shown_again_speak_for_folding() -> None:
    one = lot(1, lines=frozenset({"a line of text", "another line"}), first=5, used=5)
    shown, unseen = meter(one), meter(one)
    shown.show({"a line of text", "another line"})
    assert shown.weigh(FREE, RATES, now()).rent > unseen.weigh(FREE, RATES, now()).rent


def test_a_call_is_accounted_by_what_stood_and_what_was_written() -> None:
    made = Meter(calls=1, last=0.0, frame=2_000, sent=10_000, whole=10_000)
    made.settle(RATES, Now(10.0, 2_000, 8_000, 11_000), answered=100, first_changed=4_000)
    assert made.spent == pytest.approx(0.1 * 6_000 + 1.25 * 4_000 + 500)
    assert made.kept == pytest.approx(0.1 * 12_000 + 1.25 * 1_000 + 500)
    assert (made.calls, made.sent, made.whole) == (2, 8_000, 11_000)


def test_every_outcome_has_words() -> None:
    parts = (At(b"m", 0),)
    assert told(Fold()) == "no reason to fold"
    assert "the rent of 1 part is 5, the price 9" in told(Fold(parts, rent=5, price=9, gain=-4))
    assert told(Fold(parts, rent=9, price=5, freed=1_200, gain=4)).startswith(
        "it pays: 1,200 tokens go; the rent of 1 part is 9"
    )


def test_what_the_provider_reports_corrects_what_was_spent() -> None:
    """A call taken for warm that read nothing was written whole, and so would all have been."""
    made = meter(sent=8_000)
    made.upto = b"m"
    made.settle(RATES, Now(10.0, 2_000, 9_000, 12_000), answered=0, first_changed=None)
    spent, kept = made.spent, made.kept
    made.correct(Observed(b"other", 20_000, 0, 20_000))
    assert (made.spent, made.kept) == (spent, kept)
    made.correct(Observed(b"m", 20_000, 0, 20_000))
    assert made.spent - spent == pytest.approx(1.25 * 11_000 - (0.1 * 10_000 + 1.25 * 1_000))
    assert made.kept - kept == pytest.approx(1.25 * 14_000 - (0.1 * 10_000 + 1.25 * 4_000))
    assert made.held == 9_000
    made.correct(Observed(b"m", 20_000, 10_000, 0))
    assert made.held == 3_500
    assert made.is_warm(10.0, 2_000, RATES)
    made.correct(Observed(b"m", 20_000, 0, 0))
    assert not made.is_warm(10.0, 2_000, RATES)
