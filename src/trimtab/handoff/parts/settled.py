"""Settings that had several values: the lines that gave them, in their order."""

from __future__ import annotations

import re

from trimtab.handoff.ground import Ground
from trimtab.handoff.parts.base import latest
from trimtab.handoff.settings import TITLE as TITLE

VALUE = re.compile(
    r"[-+]?\d[\w.]*|true|false|on|off|yes|no|enabled|disabled|https?:\S+|[~.]{0,2}/\S+", re.IGNORECASE
)
"""What a setting can be told by: a number, a switch, an address, a path. Other words behind a colon are prose."""

MOST, SHOWN = 12, 4
"""Lines in all, and of one setting."""


def settled(ground: Ground, room: int) -> list[str]:
    """A line an item, the one that holds last: a value that came back is told where it came back."""
    made = list[str]()
    for given in ground.settings.changing.values():
        if all(VALUE.fullmatch(one.value) for one in given):
            made += [one.line for one in given[-SHOWN:]]
    return latest(made, min(MOST, max(room // 60, 6)))
