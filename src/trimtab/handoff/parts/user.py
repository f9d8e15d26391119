"""What the user said, word for word; of a long message its beginning, its rules, its end, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from trimtab.finders.rules import LONGEST, MOST, SENTENCE, SHORTEST, WORDS
from trimtab.handoff.cutting import beginning, end
from trimtab.handoff.ground import Ground, Row
from trimtab.handoff.injected import without
from trimtab.handoff.note import Note
from trimtab.stubs import referred_stub
from trimtab.transcript import Role

TITLE = Note.USER

CAPS = (2_000, 1_000, 600, 400, 240, 120)
"""Characters that a long message keeps, by and by fewer until all of them have room."""


def user(ground: Ground, room: int) -> list[str]:
    """Every message of the user in its order."""
    rows = [(row, text) for row in ground.rows if _is_user(row) and (text := without(row.text, ground.tags))]
    kept = ground.kept(TITLE)
    made = list[str]()
    for cap in CAPS:
        made = [*kept, *(text if len(text) <= cap else _shortened(row, text, cap, ground) for row, text in rows)]
        if sum(map(ground.count, made)) <= room:
            break
    return [*dict.fromkeys(made)]


def _is_user(row: Row) -> bool:
    return row.role is Role.USER and row.call is None and not row.kept


def _shortened(row: Row, text: str, cap: int, ground: Ground) -> str:
    """Its beginning and its end, and every rule that does not stand there whole."""
    head, tail = beginning(text, cap * 2 // 3), end(text, cap // 3)
    between = [one for one in _rules(text) if one not in head and one not in tail]
    return "\n".join([head, *between, referred_stub("the rest is cut;", ground.handle(row.at)), tail])


def _rules(text: str) -> Iterator[str]:
    """The sentences that state a rule; those of a long text that is one whole list of them, its first."""
    found = (match[0].strip() for match in SENTENCE.finditer(text))
    bound = (one for one in found if len(one) >= SHORTEST and WORDS.search(one))
    yield from islice(
        dict.fromkeys(one if len(one) <= LONGEST else beginning(one, LONGEST) for one in bound), MOST
    )
