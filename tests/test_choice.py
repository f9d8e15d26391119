"""Which units are chosen: by worth a token, the second of a kind for less, and with what they need."""

from __future__ import annotations

import msgspec

from trimtab.choice import Choice, Sheet
from trimtab.claims import Claim
from trimtab.excerpts.base import Outline, Unit

WIDTH = 40


def made(
    claims: dict[int, list[Claim]], needs: dict[int, int] | None = None, units: int = 40, worth: float = 1.0
) -> Sheet:
    """A text of so many units of ten tokens each, with claims by number."""
    rows = [Unit(n * WIDTH, (n + 1) * WIDTH, needs=(needs or {}).get(n, -1)) for n in range(units)]
    return Sheet("x" * units * WIDTH, Outline("text", rows), [claims.get(n, []) for n in range(units)], 4.0, worth)


def chosen(sheet: Sheet, room: float) -> list[int]:
    choice = Choice([sheet])
    choice.widen(room)
    return choice.chosen[0]


def test_the_worthiest_unit_comes_first() -> None:
    assert chosen(made({7: [Claim("a", 1.0)], 20: [Claim("b", 2.0)]}), 25) == [20]


def test_a_claim_that_was_met_counts_half() -> None:
    claims = {5: [Claim("same", 2.0)], 20: [Claim("same", 1.9)], 33: [Claim("other", 1.2)]}
    assert chosen(made(claims), 45) == [5, 33]


def test_a_unit_brings_what_it_needs_where_that_is_worth_it() -> None:
    claims = {3: [Claim("head", 1.5)], 20: [Claim("a", 2.0)]}
    assert chosen(made(claims, {20: 3}), 45) == [3, 20]
    assert chosen(made({20: [Claim("a", 2.0)]}, {20: 3}), 25) == [20]


def test_a_unit_beside_a_chosen_one_costs_no_marker() -> None:
    claims = {20: [Claim("a", 3.0)], 21: [Claim("b", 1.0)], 30: [Claim("c", 1.1)]}
    assert chosen(made(claims), 35) == [20, 21]


def test_what_is_left_goes_to_head_and_tail() -> None:
    assert chosen(made({}), 55) == [0, 1, 2, 38, 39]


def test_what_is_worth_less_than_nothing_is_never_shown() -> None:
    barred = {n: [Claim("said again", -1.0)] for n in range(30)}
    assert not set(chosen(made(barred), 1_000)) & set(barred)


def test_a_sheet_that_is_worth_more_goes_first() -> None:
    claims = {10: [Claim("a", 1.0)]}
    choice = Choice([made(claims), made({10: [Claim("b", 1.0)]}, worth=2.0)])
    choice.widen(25)
    assert choice.chosen == [[], [10]]


def test_narrowing_gives_back_the_last_and_widening_goes_on() -> None:
    claims = {5: [Claim("a", 3.0)], 20: [Claim("b", 2.0)], 33: [Claim("c", 1.0)]}
    choice = Choice([made(claims)])
    choice.widen(45)
    assert choice.chosen[0] == [5, 20]
    choice.narrow(1)
    assert choice.chosen[0] == [5]
    choice.widen(25)
    assert choice.chosen[0] == [5, 33]
    choice.narrow(10_000)
    assert choice.chosen[0] == []


class Read(list[list[Claim]]):
    """Claims that count how often they are looked at."""

    times = 0

    def __getitem__(self, number: int) -> list[Claim]:  # type: ignore[override]
        self.times += 1
        return super().__getitem__(number)


def looks(units: int) -> int:
    """How often claims are looked at until all units of a text have been chosen, which all make the same one."""
    sheet = made({n: [Claim("definition", 1.0)] for n in range(units)}, units=units)
    read = Read(map(list, sheet.claims))
    assert len(chosen(msgspec.structs.replace(sheet, claims=read), 100 * units)) == units
    return read.times


def test_what_many_units_share_is_not_judged_again_for_each_of_them() -> None:
    assert looks(1_600) < 2.1 * looks(800)
