"""A sentence must be about what the source is about."""

from __future__ import annotations

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.language import language
from trimtab.words import stems

LEAST = 0.5
"""The part of a sentence's words that the source must have as well."""


def grounded(sentence: Sentence) -> Ruling | None:
    """Strikes what has hardly a word in common with the source, where both are in one language."""
    words = set(stems(sentence.text))
    if len(words) < 3 or language(sentence.text) not in ("", sentence.ground.language or sentence.ground.spoken):
        return None
    known = words & sentence.ground.stems
    return None if len(known) >= LEAST * len(words) else Ruling("", "the source is not about this")
