"""JSON lines: an object a line, as logs, exports and event streams have them."""

from __future__ import annotations

import json
from typing import ClassVar

from trimtab.excerpts.base import Outline
from trimtab.excerpts.items import outline
from trimtab.excerpts.marks import BLANKS, opens
from trimtab.excerpts.numbered import blanked
from trimtab.selection import rows


class JsonLines:
    """Two objects at least, each on one line, nothing else but blank lines; overlong ones in fields."""

    name: ClassVar[str] = "json_lines"

    def read(self, text: str) -> Outline | None:
        """The outline of JSON lines, numbered or not; None for anything else."""
        if not opens(text, "{"):
            return None
        behind = text if text.lstrip(BLANKS)[:1] == "{" else blanked(rows(text))
        return outline(self.name, text, behind, rows=True) if _objects(behind) > 1 else None


def _objects(text: str) -> int:
    """The number of lines if each is an object or blank, else 0."""
    count = 0
    try:
        for line in rows(text.removeprefix("\ufeff")):
            if bare := line.strip(" \t\r\n"):
                if bare[0] != "{":
                    return 0
                json.loads(bare, parse_int=str, parse_float=str)
                count += 1
    except (ValueError, RecursionError):
        return 0
    return count
