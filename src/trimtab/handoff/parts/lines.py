"""Lines of results and of what the assistant said, word for word: those worth most, as many as have room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as count_from

import msgspec

from trimtab.choice import Choice, Sheet
from trimtab.excerpt import sheet, stretches
from trimtab.handoff.actions import title
from trimtab.handoff.ground import Ground, Row
from trimtab.handoff.speech import spoken
from trimtab.talk import Talk
from trimtab.transcript import Role

TITLE = "Word for word, from results and answers"

SMALLEST, SPARE, TRIES = 40, 20, 4
"""Tokens below which nothing is chosen, tokens that may stay free, and times a choice is widened."""

TOOLS = 0.8
"""What a line of a result counts beside one that the assistant said."""


def lines(ground: Ground, room: int) -> list[str]:
    """An item a text, with the call it came from."""
    rows = [row._replace(text=spoken(row.text)) for row in ground.rows if _counts(row)]
    if room < SMALLEST or not rows:
        return []
    sheets = _sheets(ground, rows)
    choice, made, used = Choice(sheets), list[str](), 0
    for _ in range(TRIES):
        if room - used < SPARE:
            break
        choice.widen(room - used)
        made, used = _written(ground, rows, sheets, choice)
        for turn in count_from(1):
            if used <= room or not any(choice.chosen):
                break
            choice.narrow((used - room) * turn)
            made, used = _written(ground, rows, sheets, choice)
    return made


def _counts(row: Row) -> bool:
    """What is said elsewhere in the note, or is a call, is left to that."""
    if row.kept:
        return row.title == TITLE
    return row.role is Role.TOOL or (row.role is Role.ASSISTANT and row.call is None)


def _sheets(ground: Ground, rows: Sequence[Row]) -> list[Sheet]:
    talk, seen = Talk([message for _, message in ground.messages]), set[str]()
    made = list[Sheet]()
    for row in reversed(rows):
        tokens = ground.count(row.text)
        if row.role is Role.TOOL or row.kept:
            made.append(sheet(row.text, tokens, ground.interest, row.at, TOOLS))
        else:
            made.append(talk.sheet(row.text, tokens, ground.interest, row.at, row.role, seen))
    return [msgspec.structs.replace(one, marked=False) for one in reversed(made)]


def _written(
    ground: Ground, rows: Sequence[Row], sheets: Sequence[Sheet], choice: Choice
) -> tuple[list[str], int]:
    made = [
        item
        for row, one, shown in zip(rows, sheets, choice.chosen, strict=True)
        for item in _item(row, one, shown)
    ]
    return made, sum(map(ground.count, made))


def _item(row: Row, one: Sheet, shown: Sequence[int]) -> Iterator[str]:
    text = "\n".join(stretches(one, shown))
    if not text:
        return
    yield text if row.kept else f"{_from(row)}\n{text}"


def _from(row: Row) -> str:
    """Whose words they are."""
    if row.role is not Role.TOOL:
        return "the assistant:"
    return f"{title(row.call) if row.call else 'a result'}:"
