"""How far old results of a tool may be cut, by globs on its name."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fnmatch import fnmatchcase

from trimtab.transcript import ToolCall


class Level(StrEnum):
    """Whole; an excerpt; one line."""

    KEEP = "keep"
    SHORTEN = "shorten"
    FOLD = "fold"


def level(tools: Mapping[str, Level], call: ToolCall | None) -> Level:
    """What holds for the tool of a call: by the first glob that fits, else `fold`, as for an unknown call."""
    name = call.name if call is not None else ""
    return next((held for glob, held in tools.items() if name and fnmatchcase(name, glob)), Level.FOLD)
