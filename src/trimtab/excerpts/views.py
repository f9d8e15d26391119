"""A file as a tool shows it: numbered lines, and above and below them a few of the tool's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trimtab.excerpts.base import NUMBERED
from trimtab.excerpts.numbered import behind

ABOVE = 8
"""Lines a tool prints above the numbered ones at most: the file's name, how many lines there are above."""

BELOW = 24
"""Lines it prints below them at most: how many lines there are below, a reminder."""


def bodies(lines: Sequence[str]) -> list[str]:
    """What each line of the file says, without its number where a tool put numbers in front of all of them.

    What a tool adds above and below numbered lines is not of the file and becomes "".
    """
    first = _numbered(lines[:ABOVE])
    last = len(lines) - _numbered(reversed(lines[-BELOW:]))
    shown = lines[first:last]
    file = behind(shown)
    if file == shown or len(shown) <= len(lines) - len(shown):
        return list(lines)
    return [""] * first + file + [""] * (len(lines) - last)


def _numbered(lines: Iterable[str]) -> int:
    """How many lines come before the first with a number; none where there is no such line."""
    return next((count for count, line in enumerate(lines) if NUMBERED.match(line)), 0)
