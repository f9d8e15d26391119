"""A setting that had several values: no one of them is told as the one that holds."""

from __future__ import annotations

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.headings import RULED_OUT
from trimtab.handoff.identifiers import Kind, identifiers


def stale(sentence: Sentence) -> Ruling | None:
    """Strikes one of several values; the note has the lines with all of them, in their order."""
    if sentence.section == RULED_OUT:
        return None
    here = identifiers(sentence.text)
    for one in here:
        values = sentence.ground.values(one.text) if one.kind is Kind.NAME else []
        told = {other.text for other in here} & set(values)
        if told and len(values) > 1 and len(told) < len(values):
            return Ruling("", f"{one.text!r} had the values {', '.join(values[:5])}")
    return None
