"""The one shape of a check: it looks at one sentence of a note, and lets it stand, corrects it, or strikes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from trimtab.handoff.ground import Ground


class Sentence(NamedTuple):
    """A sentence, the key of its section, what stands before it in its item, and all the note says."""

    text: str
    section: str
    before: str
    note: Mapping[str, Sequence[str]]
    ground: Ground


class Ruling(NamedTuple):
    """What a sentence becomes ("" where it is struck), and why."""

    text: str
    why: str


Check: TypeAlias = Callable[[Sentence], Ruling | None]

ENDS = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])|(?<=[。！？])")
"""Where a sentence ends; a point before a small letter ends an abbreviation."""
