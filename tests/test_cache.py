"""The rules of prompt caches, each as a small table of requests and how they are charged."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from trimtab.cache import LOOK_BACK, STEP, Billed, Block, Cache, Rule


def blocks(*rows: tuple[str, int]) -> list[Block]:
    return [Block(key, tokens) for key, tokens in rows]


SYSTEM = ("system", 2000)


class Sent(NamedTuple):
    at: float
    rows: list[tuple[str, int]]
    billed: Billed


def check(cache: Cache, *sent: Sent) -> None:
    for one in sent:
        assert cache.bill(blocks(*one.rows), one.at, (1, len(one.rows))) == one.billed


def test_good_marks_read_all_that_was_sent_and_write_the_rest() -> None:
    check(
        Cache(),
        Sent(0, [SYSTEM, ("a", 500)], Billed(0, 2500, 0)),
        Sent(10, [SYSTEM, ("a", 500), ("b", 70)], Billed(2500, 70, 0)),
        Sent(20, [SYSTEM, ("A", 100), ("b", 70)], Billed(2000, 170, 0)),
    )


def test_a_use_refreshes_an_entry_and_a_pause_voids_it() -> None:
    """Anthropic: five minutes, refreshed at no cost by each use."""
    cache = Cache(lifetime=300)
    check(
        cache,
        Sent(0, [SYSTEM], Billed(0, 2000, 0)),
        Sent(300, [SYSTEM], Billed(2000, 0, 0)),
        Sent(600, [SYSTEM], Billed(2000, 0, 0)),
        Sent(900.5, [SYSTEM], Billed(0, 2000, 0)),
    )
    assert not cache.cold(1200)
    assert cache.cold(1201)


def test_below_the_least_length_nothing_is_read_nor_written() -> None:
    """Anthropic: shorter prompts are processed without caching, silently."""
    check(
        Cache(least=4096),
        Sent(0, [SYSTEM], Billed(0, 0, 2000)),
        Sent(1, [SYSTEM, ("a", 2096)], Billed(0, 4096, 0)),
        Sent(2, [SYSTEM, ("a", 2096), ("b", 1)], Billed(4096, 1, 0)),
        Sent(3, [SYSTEM, ("c", 3000)], Billed(0, 5000, 0)),
    )


def test_an_older_branch_stays_cached_beside_a_newer_one() -> None:
    check(
        Cache(),
        Sent(0, [SYSTEM, ("a", 500), ("b", 500)], Billed(0, 3000, 0)),
        Sent(1, [SYSTEM, ("a", 500), ("c", 500)], Billed(2500, 500, 0)),
        Sent(2, [SYSTEM, ("a", 500), ("b", 500), ("d", 1)], Billed(3000, 1, 0)),
    )


def test_a_mark_finds_what_ended_at_most_twenty_blocks_before_it() -> None:
    """Anthropic: the system looks back at most 20 blocks from each mark; what is further is written again."""
    short = [SYSTEM, *((f"{n}", 10) for n in range(5))]
    near = [*short, *((f"n{n}", 10) for n in range(LOOK_BACK))]
    far = [*near, *((f"f{n}", 10) for n in range(LOOK_BACK + 1))]
    check(
        Cache(Rule.MARKS),
        Sent(0, short, Billed(0, 2050, 0)),
        Sent(1, near, Billed(2050, 200, 0)),
        Sent(2, far, Billed(2000, 460, 0)),
    )


def test_a_naive_client_reads_only_system_after_an_edit_anywhere() -> None:
    check(
        Cache(Rule.MARKS),
        Sent(0, [SYSTEM, ("a", 500), ("b", 500)], Billed(0, 3000, 0)),
        Sent(1, [SYSTEM, ("a", 500), ("B", 50), ("c", 5)], Billed(2000, 555, 0)),
    )


def test_what_follows_the_last_mark_is_neither_read_nor_written() -> None:
    cache = Cache(Rule.MARKS)
    rows = blocks(SYSTEM, ("a", 500))
    assert cache.bill(rows, 0, (1,)) == Billed(0, 2000, 500)
    assert cache.bill(rows, 1, (1,)) == Billed(2000, 0, 500)
    assert cache.bill(rows, 2) == Billed(0, 0, 2500)


def test_an_automatic_cache_reads_whole_steps() -> None:
    """OpenAI: from 1,024 tokens, in steps of 128."""
    cache = Cache(Rule.AUTOMATIC)
    assert cache.bill(blocks(("s", 1200)), 0) == Billed(0, 1200, 0)
    assert cache.bill(blocks(("s", 1200), ("a", 100)), 1) == Billed(1152, 148, 0)
    assert STEP == 128


def test_without_a_cache_all_is_input() -> None:
    check(Cache(Rule.NONE), Sent(0, [SYSTEM], Billed(0, 0, 2000)), Sent(1, [SYSTEM], Billed(0, 0, 2000)))


def test_a_clock_that_goes_backwards_stands_still() -> None:
    check(
        Cache(),
        Sent(1000, [SYSTEM], Billed(0, 2000, 0)),
        Sent(5, [SYSTEM], Billed(2000, 0, 0)),
        Sent(1300, [SYSTEM], Billed(2000, 0, 0)),
    )


def test_what_the_provider_reports_wins() -> None:
    cache, rows = Cache(), blocks(SYSTEM, ("a", 500))
    assert cache.bill(rows, 0) == Billed(0, 2500, 0)
    cache.correct(Billed(0, 0, 2500))
    assert cache.cold(1)
    assert cache.bill(rows, 1) == Billed(0, 2500, 0)
    cache.correct(Billed(0, 2500, 0))
    assert cache.bill(rows, 2) == Billed(2500, 0, 0)


def test_what_is_forgotten_is_cold() -> None:
    cache = Cache()
    cache.bill(blocks(SYSTEM), 0)
    assert cache.warm(blocks(SYSTEM, ("a", 5)), 1) == 2000
    cache.forget()
    assert cache.cold(1)
    assert cache.warm(blocks(SYSTEM), 1) == 0


@st.composite
def requests(draw: st.DrawFn) -> list[tuple[float, list[Block]]]:
    """Requests that extend, edit or cut an earlier one, at times near the lifetime."""
    held: list[Block] = [Block("system", draw(st.integers(0, 3000)))]
    made = []
    for number in range(draw(st.integers(1, 12))):
        cut = draw(st.integers(1, len(held))) if draw(st.booleans()) else len(held)
        held = [
            *held[:cut],
            *(Block((number, n), draw(st.integers(0, 900))) for n in range(draw(st.integers(0, 3)))),
        ]
        made.append((draw(st.floats(0, 400)), held))
    return made


class Naive:
    """Good marks the plain way: every chained beginning in one dictionary."""

    def __init__(self, least: int, lifetime: float) -> None:
        self.least, self.lifetime, self.expires = least, lifetime, dict[tuple[Block, ...], float]()

    def bill(self, rows: list[Block], at: float) -> Billed:
        starts = [tuple(rows[:end]) for end in range(1, len(rows) + 1)]
        sizes = [sum(block.tokens for block in start) for start in starts]
        if sizes[-1] < self.least:
            return Billed(0, 0, sizes[-1])
        alive = [n for n, start in enumerate(starts) if self.expires.get(start, -1.0) >= at]
        read = max((sizes[n] for n in alive if sizes[n] >= self.least), default=0)
        self.expires |= dict.fromkeys(starts, at + self.lifetime)
        return Billed(read, sizes[-1] - read, 0)


@given(requests(), st.sampled_from([1, 1024, 4096]))
def test_good_marks_are_every_beginning_of_what_was_sent(
    made: list[tuple[float, list[Block]]], least: int
) -> None:
    cache, naive, now = Cache(least=least), Naive(least, 300), 0.0
    for pause, rows in made:
        now += pause
        assert cache.bill(rows, now) == naive.bill(rows, now)


@pytest.mark.parametrize("rule", list(Rule))
@given(requests())
def test_every_token_is_charged_once(rule: Rule, made: list[tuple[float, list[Block]]]) -> None:
    cache, now = Cache(rule), 0.0
    for pause, rows in made:
        now += pause
        billed = cache.bill(rows, now, (1, len(rows)))
        assert min(billed) >= 0
        assert billed.tokens == sum(block.tokens for block in rows)
