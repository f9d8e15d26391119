"""What was said not to hold: in the words in which it was said."""

from __future__ import annotations

from trimtab.handoff.cutting import beginning, one_line
from trimtab.handoff.ground import Ground
from trimtab.handoff.parts.base import latest

TITLE = "Said to be ruled out or taken back"

MOST, LONGEST = 12, 240


def refuted(ground: Ground, room: int) -> list[str]:
    """A sentence an item."""
    made = [beginning(one_line(one), LONGEST) for one in ground.refuted]
    return latest([*ground.kept(TITLE), *made], min(MOST, max(room // 60, 6)))
