"""Policies over small sessions: what is billed, what is in sight, what a fold changes."""

from __future__ import annotations

import pytest
from msgspec import to_builtins
from msgspec.structs import replace
from tests.replay.recorded import MODEL, recorded, results, rounds, segment, words

from trimtab.cache import Cache
from trimtab.prices import Override, card
from trimtab.replay.atoms import needs
from trimtab.replay.baselines import BASELINES, KEEP_ALL, Policy
from trimtab.replay.baselines.clear_tool_uses import ClearToolUses
from trimtab.replay.baselines.masking import Masking
from trimtab.replay.baselines.sliding_window import SlidingWindow
from trimtab.replay.baselines.summary import Summary
from trimtab.replay.baselines.trim import Trim
from trimtab.replay.play import Played, play
from trimtab.replay.presets import OfPreset
from trimtab.replay.segment import Segment, segments
from trimtab.replay.totals import total
from trimtab.sessions.base import Usage

LONG = rounds(*(({"path": f"src/f{n}.py"}, words(300, f"f{n}")) for n in range(12)))


def played(policy: Policy, one: Segment, marks: str | None = None) -> Played:
    return play(policy, one, needs(one), marks)


def test_keep_all_shows_everything_and_reads_what_it_wrote() -> None:
    one = segment(LONG)
    done = played(KEEP_ALL, one)
    figures = done.figures
    assert figures.calls == len(one.calls) == 13
    assert done.tokens[-1] == one.last
    assert figures.folds == 0
    assert figures.literal.visible == figures.literal.atoms
    assert figures.read + figures.written + figures.uncached == sum(done.tokens)
    assert sum(done.dollars) == pytest.approx(figures.dollars)


def test_dollars_follow_the_card() -> None:
    one = segment(LONG)
    opus, figures = card(MODEL), played(KEEP_ALL, one).figures
    assert (opus.input, opus.read, opus.write, opus.output) == (5, 0.5, 6.25, 25)
    expected = figures.read * 0.5 + figures.written * 6.25 + figures.uncached * 5 + figures.output * 25
    assert figures.dollars == pytest.approx(expected / 1e6)


def test_a_pause_beyond_the_lifetime_writes_everything_again() -> None:
    quick, slow = segment(LONG), segment(LONG, seconds=301.0)
    assert played(KEEP_ALL, quick).figures.read > 0
    assert played(KEEP_ALL, slow).figures.read == 0
    assert played(KEEP_ALL, slow, "none").figures.written == 0


def test_without_times_nothing_expires() -> None:
    assert played(KEEP_ALL, segment(LONG, seconds=None)).figures == played(KEEP_ALL, segment(LONG)).figures


def test_clearing_acts_above_its_trigger_and_keeps_the_last() -> None:
    one = segment(LONG)
    limit = one.last // 2
    done = played(ClearToolUses(trigger=limit, keep=3), one)
    assert done.figures.folds >= 1
    assert max(done.tokens) < one.last
    assert played(ClearToolUses(trigger=limit, keep=3, least=10**6), one).figures.folds == 0


def test_masking_moves_with_every_call() -> None:
    done = played(Masking(keep=2), segment(LONG))
    assert done.figures.folds == 10
    assert done.first_changed == {number: 2 * number - 4 for number in range(3, 13)}


def test_a_window_sends_no_more_messages_than_it_keeps() -> None:
    one = segment(LONG)
    done = played(SlidingWindow(keep=4), one)
    most = one.frame + sum(sorted((one.tokens(m) for m in range(len(one.messages))), reverse=True)[:4])
    assert max(done.tokens) <= most
    assert done.figures.literal.recoverable == done.figures.literal.visible


def test_trim_fits_its_limit() -> None:
    one = segment(LONG)
    assert max(played(Trim(most=one.last // 3), one).tokens) <= one.last // 3


def test_a_summary_is_charged_for_its_writer() -> None:
    done = played(Summary(trigger=15_000, keep=4), segment(LONG))
    assert done.figures.folds > 0
    assert done.figures.asked == pytest.approx(done.figures.folds * (4_000 * 5 + 1_000 * 25) / 1e6)


def test_a_miss_costs_one_more_call() -> None:
    messages = rounds(
        ({"path": "src/a.py"}, f"def total_of_rows\n{words(300)}"),
        ({"path": "src/b.py"}, words(300, "b")),
        ({"path": "src/c.py"}, words(300, "c")),
        ({"find": "total_of_rows"}, "x"),
    )
    one = segment(messages)
    figures = played(Masking(keep=1), one).figures
    sight = figures.literal
    assert (sight.needing, sight.intact, sight.atoms, sight.visible) == (1, 0, 1, 0)
    assert (sight.recoverable, sight.rerunnable) == (0, 1)
    context = figures.input / figures.calls
    assert sight.misses == pytest.approx((int(context) * 0.5 + 1_500 * 6.25 + 150 * 25) / 1e6)


def test_a_preset_hides_nothing_that_has_no_handle() -> None:
    messages = rounds(*(({"path": f"src/f{n}.py"}, words(2_000, f"f{n}")) for n in range(12)))
    one = segment(messages)
    done = played(OfPreset("default"), one)
    assert done.figures.folds > 0
    assert max(done.tokens) < one.last
    assert done.figures.literal.recoverable == done.figures.literal.atoms


def test_naive_marks_pay_more_for_a_moving_cut_than_good_ones() -> None:
    one = segment(
        rounds(*(({"path": f"src/f{n}.py"}, words(60, f"f{n}")) for n in range(60))), model="claude-sonnet-4-5"
    )
    naive, good = (played(Masking(keep=10), one, marks).figures.dollars for marks in ("naive", "good"))
    assert naive > good


def test_a_model_switched_in_the_middle_begins_with_an_empty_cache() -> None:
    session = recorded(LONG)
    calls = [replace(call, model="claude-sonnet-4-5" if n > 5 else MODEL) for n, call in enumerate(session.calls)]
    (one,) = segments(replace(session, calls=tuple(calls)))
    switched, same = played(KEEP_ALL, one).figures, played(KEEP_ALL, segment(LONG)).figures
    assert switched.written > same.written


def test_where_nothing_costs_anything_nothing_changes() -> None:
    free = Override(input=0, read=0, write=0, output=0)
    found = results(LONG, config={"models": {MODEL: to_builtins(free)}})
    for name in found.names:
        one = total(found.rows, name)
        assert one is not None
        assert (one.dollars, one.dollars_change, one.miss_adjusted_change) == (0, 0, 0)


def test_a_clock_that_goes_backwards_stands_still() -> None:
    session = recorded(LONG)
    times = [1e9 + (-1) ** n * 200 for n in range(len(session.calls))]
    calls = [replace(call, at=at) for call, at in zip(session.calls, times, strict=True)]
    (one,) = segments(replace(session, calls=tuple(calls)))
    assert [call.at for call in one.calls] == sorted(call.at for call in one.calls)
    assert played(KEEP_ALL, one).figures.read > 0


def test_an_unknown_model_is_priced_as_its_stand_in_and_says_so() -> None:
    one = segment(LONG, model="some-local-model")
    assert "claude-sonnet-4-5" in one.assumed
    assert played(KEEP_ALL, one).figures.dollars > 0


def test_usage_in_the_file_gives_factor_and_frame() -> None:
    sizes = [played(KEEP_ALL, segment(LONG)).tokens][0]
    one = segment(LONG, usage=[Usage(input=3_000 + 2 * size, output=10) for size in sizes])
    assert one.scale.measured
    assert one.scale.factor == pytest.approx(2 * segment(LONG).scale.factor, rel=0.05)
    assert one.frame == pytest.approx(3_000, rel=0.2)


@pytest.mark.parametrize("policy", BASELINES, ids=lambda one: one.name)
def test_every_token_sent_is_billed_once(policy: Policy) -> None:
    figures = played(policy, segment(LONG), "naive").figures
    assert figures.calls == 13
    assert figures.input == sum(played(policy, segment(LONG)).tokens)


def test_playing_twice_gives_the_same() -> None:
    one = segment(LONG)
    assert all(played(policy, one) == played(policy, one) for policy in BASELINES)
    assert Cache().held == []
