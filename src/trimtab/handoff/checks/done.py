"""Done is what a call did; and what a call did is not the next step."""

from __future__ import annotations

import re

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.ground import same_file
from trimtab.handoff.headings import DOING, DONE, NEXT
from trimtab.handoff.identifiers import Kind, identifiers
from trimtab.words import stems

ONCE = frozenset(
    "send notify email post publish deploy launch pay buy submit merge push order book transfer invite".split()
)
"""Words of tools whose effect nobody wants twice."""

WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def done(sentence: Sentence) -> Ruling | None:
    """Strikes what is told as done without a call that did it, and what is told as next though it was done."""
    if sentence.section == DONE:
        return _is_done(sentence)
    return _is_next(sentence) if sentence.section in (NEXT, DOING) else None


def _is_done(sentence: Sentence) -> Ruling | None:
    effects = [one for one in sentence.ground.actions if one.changes and not one.failed]
    named = identifiers(sentence.text)
    for path in (one.text for one in named if one.kind is Kind.PATH):
        if not any(same_file(path, other.text) for one in effects for other in identifiers(one.text)):
            return Ruling("", f"no call changed {path!r}")
    words = set(stems(sentence.text))
    texts = {one.text for one in named}
    for one in effects:
        if texts & {other.text for other in identifiers(one.text)} or len(words & set(stems(one.text))) >= 2:
            return None
    return Ruling("", "no call did it")


def _is_next(sentence: Sentence) -> Ruling | None:
    words = set(stems(sentence.text))
    for one in sentence.ground.actions:
        verbs = {word.lower() for word in WORDS.findall(one.name)} & ONCE
        if one.failed or not one.changes or not any(stem in words for verb in verbs for stem in stems(verb)):
            continue
        if len(words & set(stems(one.arguments))) >= 1:
            return Ruling("", f"it was executed: {one.title[:80]}")
    return None
