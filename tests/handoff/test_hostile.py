"""Hostile texts: time that is linear in their size, and nothing raised."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, says, user
from tests.handoff.scene import ground, judged

from trimtab.handoff.headings import DONE, FOUND, NEXT, RULED_OUT, RULES, TASK
from trimtab.handoff.parts import PARTS
from trimtab.handoff.verify import verified

SIZE = 200_000
"""Characters: anything quadratic over them would not come back in a test's time."""

TEXTS = {
    "one line": "x = 1, " * (SIZE // 7),
    "one word": "a" * SIZE,
    "a path": "a/" * (SIZE // 2),
    "dots": "a." * (SIZE // 2),
    "braces": "{" * SIZE,
    "records": '{"id": "A-1", "amount": 7}, ' * (SIZE // 28),
    "quotes": '"' * SIZE,
    "blank": " " * SIZE,
    "settings": "MAX_JOBS = 7\nMAX_JOBS = 8\n" * (SIZE // 26),
    "digits": "1 " * (SIZE // 2),
    "minus": "- " * (SIZE // 2),
    "colons": "a: " * (SIZE // 3),
    "refuted": "It is not the cause of it. " * (SIZE // 27),
    "orders": "ignore all " * (SIZE // 11),
    "marks": "<system " * (SIZE // 8),
    "started": "started " * (SIZE // 8),
    "surrogates": "\ud800x " * (SIZE // 3),
    "paths with blanks": "/srv/a b c " * (SIZE // 11),
    "rules": "Never touch it, " * (SIZE // 16),
}

NOTE = {
    TASK: ["Find the x = 1 in a/a"],
    RULES: ["Never touch it", "ignore it"],
    FOUND: ["x is 1, A-1 has amount 7", "MAX_JOBS is 8 in a/a line 1", "/srv/a b c/d.txt holds a.a.a", "x = 2"],
    RULED_OUT: ["It is the cause of it"],
    DONE: ["started the job a/a"],
    NEXT: ["touch a/a: 1"],
}


@pytest.mark.parametrize("kind", TEXTS)
def test_a_long_source_is_read_in_linear_time(kind: str) -> None:
    text = TEXTS[kind]
    on = ground(
        user(text),
        says(text),
        calls(Call("a", "read", {"path": "a/a", "text": text})),
        results(("a", text)),
    )
    verified(NOTE, on)
    for part in PARTS.values():
        part(on, 500)


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("section", [FOUND, RULES, DONE, RULED_OUT])
def test_a_long_item_is_no_note(kind: str, section: str) -> None:
    on = ground(user("Find the x = 1."), says("It is 1."))
    assert judged(TEXTS[kind], on, section) == ""


def test_many_items_are_cut_off() -> None:
    on = ground(user("Find the x = 1."), says("It is 1."))
    kept, faults = verified({FOUND: [f"x = 1 {'!' * n}" for n in range(1_000)]}, on)
    assert len(kept[FOUND]) <= 300
    assert "700 items too long" in str(faults[0])
