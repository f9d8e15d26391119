"""JSON lines: an object a line, as logs, exports and event streams have them."""

from __future__ import annotations

import json
from typing import ClassVar

from trimtab.excerpts.base import Outline
from trimtab.excerpts.items import outline
from trimtab.excerpts.numbered import blanked
from trimtab.selection import rows


class JsonLines:
    """Two objects at least, each on one line, nothing else but blank lines; overlong ones in fields."""

    name: ClassVar[str] = "json_lines"

    def read(self, text: str) -> Outline | None:
        """The outline of JSON lines, numbered or not; None for anything else."""
        lines = rows(text)
        behind = text if text.lstrip("\ufeff \t\r\n")[:1] == "{" else blanked(lines)
        return outline(self.name, text, behind, rows=True) if _objects(behind) > 1 else None


def _objects(text: str) -> int:
    """The number of lines if each is an object or blank, else 0."""
    lines = [line.strip(" \t\r\n") for line in rows(text.removeprefix("\ufeff")) if line.strip(" \t\r\n")]
    try:
        for line in lines:
            if line[0] != "{":
                return 0
            json.loads(line, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return 0
    return len(lines)
