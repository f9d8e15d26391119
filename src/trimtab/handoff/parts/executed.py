"""The calls that changed something, with what came of them: nobody needs to do them again."""

from __future__ import annotations

from trimtab.handoff.ground import Ground
from trimtab.handoff.parts.base import latest

TITLE = "Already executed, not to be done again"

MOST, FEWEST = 60, 20
"""Lines, with much room and with little."""


def executed(ground: Ground, room: int) -> list[str]:
    """A line a call; of many the latest."""
    made = [f"{one.title} → {one.came}" for one in ground.actions if one.changes and not one.failed]
    return latest([*ground.kept(TITLE), *made], min(MOST, max(room // 40, FEWEST)))
