"""Settings that had several values: the lines that gave them, in their order."""

from __future__ import annotations

import re

from trimtab.handoff.ground import Ground
from trimtab.handoff.parts.base import latest
from trimtab.stubs import clip
from trimtab.transcript import Role

TITLE = "Settings with more than one value, in the order they had them"

SETTING = re.compile(
    r"(?<![\w.-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][\w-]*(?:\.[a-z][\w-]*)+)"
    r"[\"']?[ \t]?[:=]=?[ \t]?[\"']?(\d[\w.]*|true|false|on|off|yes|no)\b"
)
"""A name in capitals or with points, and a value that is a number or a switch."""

MOST, LONGEST = 10, 200


def settled(ground: Ground, room: int) -> list[str]:
    """A line an item."""
    lines, values = dict[str, dict[str, str]](), dict[str, list[str]]()
    for row in ground.rows:
        if row.role is Role.SYSTEM or row.kept:
            continue
        for match in SETTING.finditer(row.text):
            name, value = match.groups()
            start, stop = row.text.rfind("\n", 0, match.start()) + 1, row.text.find("\n", match.end())
            line = row.text[start : stop if stop >= 0 else len(row.text)]
            if line.strip() and (not values.get(name) or values[name][-1] != value):
                values.setdefault(name, []).append(value)
                lines.setdefault(name, {}).setdefault(value, clip(line.strip(), LONGEST))
    made = [line for name, found in lines.items() if len(found) > 1 for line in found.values()]
    return latest([*ground.kept(TITLE), *made], min(MOST, max(room // 60, 2)), "more")
