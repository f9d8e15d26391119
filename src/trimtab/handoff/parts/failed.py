"""The calls that failed, and why: what was tried in vain need not be tried again."""

from __future__ import annotations

from trimtab.handoff.ground import Ground
from trimtab.handoff.parts.base import latest

TITLE = "Calls that failed"

MOST, FEWEST = 30, 12
"""Lines, with much room and with little."""


def failed(ground: Ground, room: int) -> list[str]:
    """A line a call, of the same one the last."""
    made = {one.title: f"{one.title} → failed: {one.came}" for one in ground.actions if one.failed}
    return latest([*ground.kept(TITLE), *made.values()], min(MOST, max(room // 60, FEWEST)))
