"""The one shape of a content kind: it reads a text into units that can be shown word for word.

A kind is taken only when the whole text verifiably is of that kind: what merely looks like it is
plain text. A kind decides where units begin and end, what must stand beside what, and which units are
structure or stand out for that kind; what the task asks for is judged elsewhere, alike for all kinds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol

from msgspec import Struct

STRUCTURE = 1.0
"""Weight of a unit that tells how the text is built: a heading, a definition, a header row, a hunk's head."""

ODD = 3.0
"""Weight of a unit that stands out: an error among information, the row that differs, a failed test."""

VERDICT = 5.0
"""Weight of a unit that says how all came out: the exit code, the last line of a traceback, the count of
failures."""


class Unit(NamedTuple):
    """What is shown or cut as one: `text[start:stop]`, a line as a rule.

    `weight` is 0 for the ordinary and else one of the weights above, `why` says in a word what earned it.
    `needs` is the number of an earlier unit that is shown along with this one (the header of a row, the
    definition a line stands in), -1 when it speaks for itself. `path` is the JSON path of an item where
    line numbers say nothing, else "".
    """

    start: int
    stop: int
    weight: float = 0.0
    why: str = ""
    needs: int = -1
    path: str = ""


class Outline(Struct, frozen=True):
    """A text as units of one kind: the units follow each other without gaps and together are the text.

    `sums` tells in a few words what a reader needs to know of what is not shown: rows, keys, ranges, counts.
    """

    kind: str
    units: Sequence[Unit]
    sums: str = ""


class Kind(Protocol):
    """Reads one kind of content. `name` equals the file name. Pure, linear in the length of the text."""

    name: ClassVar[str]

    def read(self, text: str) -> Outline | None:
        """The outline of a text that is of this kind, or None."""
        ...


NUMBERED = re.compile(r"[ \t]*(\d{1,7})(?:\t|→|[|:] ?|  ?)")
"""The number that `cat -n`, an editor or a search tool puts in front of a line."""
