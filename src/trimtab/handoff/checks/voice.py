"""A note tells what happened; it neither gives orders to who reads it nor speaks as the assistant's reasoning."""

from __future__ import annotations

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.identifiers import identifiers
from trimtab.handoff.speech import unfit
from trimtab.words import stems

ALIKE = 0.6
"""The part of a sentence's words that stand in an order."""


def voice(sentence: Sentence) -> Ruling | None:
    """Strikes orders, reasoning and forged marks, and what a tool's result ordered though the user did not."""
    if why := unfit(sentence.text):
        return Ruling("", why)
    words, names = set(stems(sentence.text)), {one.text for one in identifiers(sentence.text)}
    for order in sentence.ground.orders:
        shared = words & set(stems(order))
        named = {one.text for one in identifiers(order)}
        if words and len(shared) >= ALIKE * len(words) and names <= named and not shared <= sentence.ground.wanted:
            return Ruling("", "an order from a tool's result")
    return None
