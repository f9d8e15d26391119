"""Every identifier must stand in the source as it stands in the note."""

from __future__ import annotations

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.identifiers import identifiers, meant


def exact(sentence: Sentence) -> Ruling | None:
    """Corrects an identifier that can only be meant for one of the source's; else strikes the sentence."""
    text, told = sentence.text, list[str]()
    for one in reversed(identifiers(text)):
        if sentence.ground.places(one.text):
            continue
        right = meant(one.text, sentence.ground.known)
        if not right:
            return Ruling("", f"{one.text!r} is not in the source")
        text = text[: one.start] + right + text[one.stop :]
        told.append(f"{one.text!r} is {right!r} in the source")
    return Ruling(text, ", ".join(reversed(told))) if told else None
