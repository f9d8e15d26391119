"""The padding in front of line numbers: "     1\\t" becomes "1\\t"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.transcript import ToolResult

NUMBER = re.compile(r"^( *+)([1-9][0-9]{0,8})(?=[\t→]|\r?$)", re.MULTILINE)
"""What `cat -n` and the readers of agents put before a line: a number, then a tab or an arrow; before an
empty line sometimes the number alone."""

LEAST_RUN = 3
"""Lines with consecutive numbers from which they are believed to be line numbers."""


class NarrowNumbers(Struct, frozen=True):
    """Line numbers stand at the beginning of the line.

    Removes: the blanks before consecutive line numbers that are set flush right. Keeps: numbers, lines.
    Recovers: `widen` with the width puts the blanks back; the original is stored besides. Skips when: the
    lines are set to different widths, or would not come back exactly.
    """

    name: ClassVar[str] = "narrow_numbers"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.NONE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result that holds padded line numbers."""
        for at in view.open:
            part = view.part(at)
            if isinstance(part, ToolResult) and (width := width_of(part.text)):
                text = narrow(part.text)
                if widen(text, width) == part.text:
                    yield Replace(at, msgspec.structs.replace(part, text=text), "padded line numbers", Loss.NONE)


def width_of(text: str) -> int:
    """The columns of the first padded number, 0 when none is padded."""
    return next((len(match[0]) for match in NUMBER.finditer(text) if match[1]), 0)


def narrow(text: str) -> str:
    """The text without blanks before consecutive line numbers."""
    return widen(text, 0)


def widen(text: str, width: int) -> str:
    """The text with consecutive line numbers flush right in so many columns, or as many as they need."""
    lines = text.split("\n")
    found = [NUMBER.match(line) for line in lines]
    runs = groupby(enumerate(found), lambda one: one[1] and int(one[1][2]) - one[0])
    for shift, members in runs:
        run = list(members)
        if shift is not None and len(run) >= LEAST_RUN:
            for n, match in run:
                lines[n] = str(n + shift).rjust(width) + lines[n][match.end() if match else 0 :]
    return "\n".join(lines)
