"""The one shape of a reason, and the page it reads: a text with what all reasons need to know of it.

A reason is a function of a page that yields claims: the number of a unit with the worth it has for that
reason. Reasons know nothing of each other; linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple, TypeAlias

from trimtab.edits import At
from trimtab.excerpts.base import NUMBERED, Outline
from trimtab.excerpts.marks import ESCAPE
from trimtab.interest import Interest
from trimtab.words import stems


class Claim(NamedTuple):
    """A reason to show a unit. `key` names it, its first word the reason; units with the same key share its
    worth."""

    key: str
    worth: float


Claimed: TypeAlias = tuple[int, Claim]
Reason: TypeAlias = "Callable[[Page], Iterator[Claimed]]"

NUMBERS = re.compile(rf"^{NUMBERED.pattern}", re.MULTILINE)
"""The numbers of lines that a tool put in front of them."""

SAMPLE = 8
"""Lines that must all have consecutive numbers if those are no part of the text."""

LETTERS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
"""A translation of ASCII that leaves letters and digits."""


class Page:
    """A text, its outline, and the interest it is read with; `at` is the part it belongs to."""

    def __init__(self, text: str, outline: Outline, interest: Interest, at: At | None = None) -> None:
        self.text, self.outline, self.interest, self.at = text, outline, interest, at
        self.units = outline.units
        self.starts = [unit.start for unit in self.units]
        self._spans = [*pairwise([*self.starts, len(text)])]

    @cached_property
    def face(self) -> str:
        """The text with escape codes and line numbers turned into blanks: all offsets stay."""
        face = ESCAPE.sub(_blank, self.text) if "\x1b" in self.text else self.text
        return NUMBERS.sub(_blank, face) if _is_numbered(face) else face

    @cached_property
    def wanted(self) -> Mapping[str, float]:
        """The stems asked for, with their weights."""
        return self.interest.wanted(self.at)

    @cached_property
    def telling(self) -> Mapping[str, frozenset[str]]:
        """The words of the page whose stems are asked for, with those stems."""
        wanted = self.wanted.keys()
        found = ((word, wanted & stems(word)) for word in self.times if not word.isdigit()) if wanted else ()
        return {word: frozenset(hit) for word, hit in found if hit}

    @cached_property
    def low(self) -> str:
        """The face in lower case, if that has the same offsets."""
        low = self.face.lower()
        return low if len(low) == len(self.face) else self.face

    @cached_property
    def lines(self) -> list[str]:
        """What is seen of each unit, without blanks at its ends."""
        face = self.face
        return [face[start:stop].strip() for start, stop in self._spans]

    @cached_property
    def words(self) -> list[list[str]]:
        """The runs of letters and digits in each unit, as written."""
        plain = self.face.translate(LETTERS)
        return [plain[start:stop].split() for start, stop in self._spans]

    @cached_property
    def times(self) -> Counter[str]:
        """How often each word stands in the text."""
        return Counter(chain.from_iterable(self.words))

    def unit(self, place: int) -> int:
        """The number of the unit that holds this offset."""
        return max(bisect_right(self.starts, place) - 1, 0)

    @cached_property
    def sections(self) -> Sequence[int]:
        """For each unit what it stands under: the number of the unit it needs, or of a paragraph's first."""
        found, first, apart = list[int](), 0, True
        for number, (unit, line) in enumerate(zip(self.units, self.lines, strict=True)):
            if apart and line:
                first = number
            apart = not line
            found.append(unit.needs if unit.needs >= 0 else first)
        return found


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _is_numbered(face: str) -> bool:
    """Whether the numbered lines among the first ones have consecutive numbers."""
    found = (NUMBERED.match(line) for line in face.split("\n", 2 * SAMPLE)[: 2 * SAMPLE])
    numbers = [int(match[1]) for match in found if match][:SAMPLE]
    return len(numbers) > 2 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
