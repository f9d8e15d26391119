"""JSON that is one value: pretty-printed it is lines, on one line it is items and fields."""

from __future__ import annotations

import json
from typing import ClassVar

from trimtab.excerpts.base import Outline
from trimtab.excerpts.items import outline
from trimtab.excerpts.marks import BLANKS, opens
from trimtab.excerpts.numbered import blanked
from trimtab.selection import rows


class Json:
    """An object or array that decodes from beginning to end; numbers and keys are never looked into or altered."""

    name: ClassVar[str] = "json"

    def read(self, text: str) -> Outline | None:
        """The outline of a JSON text, line numbers in front of its lines or not; None for anything else."""
        if not opens(text, "{", "["):
            return None
        behind = text if text.lstrip(BLANKS)[:1] in ("{", "[") else blanked(rows(text))
        if behind.lstrip(BLANKS)[:1] not in ("{", "[") or not decodes(behind):
            return None
        return outline(self.name, text, behind, rows=False)


def decodes(text: str) -> bool:
    """Whether a text is one JSON value, whatever numbers and surrogates are in it."""
    try:
        json.loads(text.removeprefix("\ufeff"), parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return False
    return True
