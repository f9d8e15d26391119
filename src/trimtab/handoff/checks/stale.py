"""A setting that had several values: no one of them is told as the one that holds."""

from __future__ import annotations

import re

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.headings import RULED_OUT
from trimtab.handoff.identifiers import identifiers

TOLD = re.compile(r"[^\W\d][\w.-]*\w|[^\W\d]")
SWITCHES = frozenset({"true", "false", "enabled", "disabled", "null", "none"})


def stale(sentence: Sentence) -> Ruling | None:
    """Strikes some of several values, and all of them unless the last is the last; the note has the lines that
    gave them, in their order."""
    if sentence.section == RULED_OUT:
        return None
    words = TOLD.findall(sentence.text)
    values: list[tuple[int, str]] = [(one.start, one.text) for one in identifiers(sentence.text)]
    values += [(match.start(), match[0]) for match in TOLD.finditer(sentence.text) if match[0].lower() in SWITCHES]
    for name in dict.fromkeys(words):
        had = [one.value for one in sentence.ground.settings.changing.get(name, ())]
        told = [text for _, text in sorted(values) if text in had]
        if told and (set(told) != set(had) or told[-1] != had[-1]):
            return Ruling("", f"{name!r} had the values {', '.join(had[:5])}")
    return None
