"""What would have paid: said where it would have, and nothing where it would not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.replay.recorded import MODEL, recorded, rounds, segment, words

from trimtab.prices import card, patient
from trimtab.replay.advice import advice
from trimtab.replay.atoms import needs
from trimtab.replay.baselines import KEEP_ALL
from trimtab.replay.play import play
from trimtab.replay.rows import Options, rows_of
from trimtab.replay.totals import Results
from trimtab.replay.usage import as_used
from trimtab.replay.what_if import MOST_WARM, WhatIf, what_if
from trimtab.sessions.base import Call, Usage

TALK = rounds(*(({"path": f"src/f{n}.py"}, words(300, f"f{n}")) for n in range(6)))


def told(*, presets: tuple[str, ...] = ("default",), **options: Any) -> dict[str, float]:
    chosen = Options(presets=presets, baselines=False)
    rows = tuple(rows_of("f", recorded(TALK, **options), chosen))
    found = Results(options=chosen, rows=rows, failed=(), files=1)
    return {one.kind: one.dollars for one in advice(found)}


def changes(**options: Any) -> WhatIf:
    one = segment(TALK, **options)
    return what_if(one, play(KEEP_ALL, one, needs(one)), None)


def test_a_short_session_is_best_left_alone() -> None:
    assert told() == {"preset": 0.0, "nothing": 0.0}


def test_pauses_within_the_longer_lifetime_are_worth_bridging() -> None:
    found = told(seconds=400.0)
    assert found["warm"] < 0
    assert found["lifetime"] < 0


def test_without_pauses_neither_pays() -> None:
    found = changes(seconds=10.0)
    assert found.warm == 0.0
    assert found.longer is not None
    assert found.longer > 0


def test_a_bridged_pause_costs_its_requests_and_saves_the_rewriting() -> None:
    one = segment(TALK, seconds=400.0)
    tokens = play(KEEP_ALL, one, needs(one)).tokens
    cached = [size for size in tokens[:-1] if size >= 4096]
    expected = sum((size * 0.5 + 25 - size * (6.25 - 0.5)) / 1e6 for size in cached)
    assert changes(seconds=400.0).warm == pytest.approx(expected)


def test_a_pause_too_long_to_bridge_costs_its_requests_and_saves_nothing() -> None:
    one = segment(TALK, seconds=90_000.0)
    tokens = play(KEEP_ALL, one, needs(one)).tokens
    expected = sum(MOST_WARM * (size * 0.5 + 25) / 1e6 for size in tokens[:-1] if size >= 4096)
    assert changes(seconds=90_000.0).warm == pytest.approx(expected)


def test_what_cannot_be_had_is_not_advised() -> None:
    assert changes(model="gpt-4.1", seconds=400.0).longer is None
    assert changes(model="gpt-3.5-turbo", seconds=400.0).warm is None


def test_a_bill_above_that_of_good_marks_is_told_of() -> None:
    sizes = [20_000 + 3_000 * n for n in range(7)]
    unread = told(usage=[Usage(input=size, output=10) for size in sizes])
    reading = told(
        usage=[
            Usage(input=size, read=size - 3_000 if n else 0, written=3_000 if n else size, output=10)
            for n, size in enumerate(sizes)
        ]
    )
    assert unread["marks"] < 0
    assert "marks" not in reading


def call(at: float, read: int, written: int = 0) -> Call:
    return Call(start=0, stop=1, at=at, usage=Usage(input=10_000, read=read, written=written, output=1))


@pytest.mark.parametrize(
    ("pauses", "reads", "long"),
    [([600, 700], [10_000, 10_000], True), ([600, 700], [0, 0], False), ([10, 20], [10_000, 10_000], False)],
)
def test_reads_after_a_pause_prove_the_longer_lifetime(pauses: list[int], reads: list[int], long: bool) -> None:
    times = [0, pauses[0], sum(pauses)]
    used = as_used(card(MODEL), [call(at, read) for at, read in zip(times, [0, *reads], strict=True)])
    assert (used == patient(card(MODEL))) is long
    assert (used.write, used.cache.lifetime) == ((10, 3600) if long else (6.25, 300))


def test_a_card_without_a_longer_lifetime_stays() -> None:
    other = card("gpt-4.1")
    assert patient(other) == other
    assert as_used(replace(other), [call(0, 0), call(600, 10_000)]) == other
