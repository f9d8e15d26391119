"""A setting that was changed and changed back: no value of it is told as the one that holds."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, Step, calls, results, says, user
from tests.handoff.scene import ground, judged

from trimtab.handoff.headings import FOUND, RULED_OUT
from trimtab.handoff.parts.settled import settled


def edit(number: int, old: str, new: str) -> list[Step]:
    made = Call(f"e{number}", "edit", {"path": "conf/app.toml", "new": new, "old": old})
    return [calls(made), results((f"e{number}", "ok"))]


GROUND = ground(
    user("Try a larger pool."),
    *edit(1, "pool_size = 10", "pool_size = 50"),
    *edit(2, "pool_size = 50", "pool_size = 10"),
    *edit(3, "cache: true", "cache: false"),
    *edit(4, "cache: false", "cache: true"),
    says("timeout: 30 is in the file."),
)


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("pool_size is 50", False),
        ("pool_size = 10", False),
        ("pool_size was 50, then 10", True),
        ("pool_size went from 10 to 50", False),
        ("pool_size was 10, then 50, then 10 again", True),
        ("cache is false", False),
        ("timeout is 30", True),
    ],
)
def test_only_all_values_in_their_order_stand(text: str, stands: bool) -> None:
    assert bool(judged(text, GROUND, FOUND)) is stands


def test_what_was_tried_may_be_told_as_tried() -> None:
    on = ground(user("Go."), *edit(1, "pool_size = 10", "pool_size = 50"), says("pool_size = 50 did not help."))
    assert judged("pool_size = 50 did not help", on, RULED_OUT) == "pool_size = 50 did not help"


def test_the_note_has_the_lines_and_the_last_one_holds() -> None:
    assert settled(GROUND, 1_000) == ["pool_size = 50", "pool_size = 10", "cache: false", "cache: true"]


def test_records_are_no_settings() -> None:
    """A column of a table has a value a row, and so have the answers to different questions."""
    table = '{"id": "A-1"}\namount: 5\namount: 7\n'
    one = ground(user("Look."), calls(Call("a", "show", {})), results(("a", table)))
    other = ground(
        user("Look."),
        calls(Call("a", "get_order", {"id": "A-1"})),
        results(("a", '{"id": "A-1", "amount": 5}')),
        calls(Call("b", "get_order", {"id": "B-2"})),
        results(("b", '{"id": "B-2", "amount": 7}')),
    )
    assert (settled(one, 1_000), settled(other, 1_000)) == ([], [])
    assert judged("The amount of A-1 is 5", other) == "The amount of A-1 is 5"
    assert judged("The amount of A-1 is 7", other) == ""
