"""What was started and not seen to end: jobs, processes, agents; and calls that have no result yet."""

from __future__ import annotations

import re

from trimtab.handoff.cutting import beginning
from trimtab.handoff.ground import Ground
from trimtab.handoff.identifiers import Kind, identifiers
from trimtab.handoff.parts.base import latest
from trimtab.handoff.speech import spoken
from trimtab.ledger import title
from trimtab.transcript import Role

TITLE = "Started and not seen to end"

STARTED = re.compile(
    r"^[^\n]{0,200}\b(?:started|starting|launched|spawned|queued|submitted|scheduled|in (?:the )?background)\b"
    r"[^\n]{0,200}",
    re.IGNORECASE | re.MULTILINE,
)
ENDED = re.compile(
    r"\b(?:finished|completed?|done|exited|ended|stopped|killed|terminated|succeeded|failed|cancel+ed)\b",
    re.IGNORECASE,
)

MOST, LONGEST, MOST_IN_RESULT = 8, 200, 3


def running(ground: Ground, room: int) -> list[str]:
    """A line that says what was started, unless a later one says that it ended."""
    started = list[str](ground.kept(TITLE))
    for row in ground.rows:
        if row.role is Role.TOOL and len(row.text) < 4_000:
            started += [match[0].strip() for match in [*STARTED.finditer(spoken(row.text))][:MOST_IN_RESULT]]
    waiting = [title(one.call).removesuffix(" =") for one in ground.calls if not one.results]
    made = [beginning(one, LONGEST) for one in [*(line for line in started if _goes_on(line, ground)), *waiting]]
    return latest(made, min(MOST, max(room // 60, 2)))


def _goes_on(line: str, ground: Ground) -> bool:
    """Whether an id in the line is not told to have ended further down."""
    names = [one.text for one in identifiers(line) if one.kind is not Kind.PATH]
    if not names:
        return False
    begun = ground.text.find(line)
    ends = (
        ENDED.search(ground.words(ground.line(place)))
        for name in names
        for place in ground.places(name)
        if place > begun + len(line)
    )
    return not ENDED.search(line) and not any(ends)
