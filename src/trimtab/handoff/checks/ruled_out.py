"""What was ruled out is not found."""

from __future__ import annotations

from collections.abc import Iterator

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.ground import REFUTES
from trimtab.handoff.headings import RULED_OUT
from trimtab.handoff.identifiers import identifiers
from trimtab.words import stems

ALIKE = 0.6
"""The part of a sentence's words that it shares with what was ruled out."""


def ruled_out(sentence: Sentence) -> Ruling | None:
    """Strikes what the note itself, or the source, says was ruled out; what says so itself stands."""
    if sentence.section == RULED_OUT or REFUTES.search(sentence.text):
        return None
    words, names = set(stems(sentence.text)), {one.text for one in identifiers(sentence.text)}
    for other in _refuted(sentence):
        shared = words & set(stems(other))
        named = {one.text for one in identifiers(other)}
        if (names and names == names & named and len(shared) >= ALIKE * len(words)) or (
            not names and len(words) > 2 and len(shared) >= ALIKE * len(words)
        ):
            return Ruling("", f"it was ruled out: {other[:80]!r}")
    return None


def _refuted(sentence: Sentence) -> Iterator[str]:
    yield from sentence.note.get(RULED_OUT, ())
    yield from sentence.ground.refuted
