"""Done is what a call did; and what a call did is not the next step."""

from __future__ import annotations

from trimtab.handoff.actions import ONCE
from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.headings import DOING, DONE, NEXT
from trimtab.handoff.identifiers import Kind, identifiers
from trimtab.handoff.source import same_file
from trimtab.words import PIECE, stems

EFFECTS = {
    **{
        stem: stem
        for word in [*ONCE, *"commit delete remove install rename revert restart refund cancel".split()]
        for stem in stems(word)
    },
    "sent": "send",
    "paid": "pay",
    "bought": "buy",
}
"""Stems that say that something was done which a tool or a command has to be called for."""


def done(sentence: Sentence) -> Ruling | None:
    """Strikes what is told as done without a call that did it, and what is told as next though it was done."""
    if sentence.section == DONE:
        return _is_done(sentence)
    return _is_next(sentence) if sentence.section in (NEXT, DOING) else None


def _is_done(sentence: Sentence) -> Ruling | None:
    """Each file must have been changed; and one call, or an earlier note, must tell of what is told."""
    evidence, named = sentence.ground.evidence, identifiers(sentence.text)
    for path in (one.text for one in named if one.kind is Kind.PATH):
        if not any(same_file(path, other) for names, _ in evidence for other in names):
            return Ruling("", f"no call changed {path!r}")
    words, texts = set(stems(sentence.text)), {one.text for one in named}
    verbs = {EFFECTS[stem] for stem in words & EFFECTS.keys()}
    for names, said in evidence:
        if not verbs <= {EFFECTS.get(stem, stem) for stem in said}:
            continue
        shared = len(words & said)
        if texts & names or (shared >= 2 and 2 * shared >= len(words)):
            return None
    return Ruling("", "no call did it")


def _is_next(sentence: Sentence) -> Ruling | None:
    words = {EFFECTS.get(stem, stem) for stem in stems(sentence.text)}
    for one in sentence.ground.actions:
        if one.failed or not one.changes:
            continue
        named = PIECE.findall(f"{one.name} {one.command}")
        verbs = {stem for word in named if word.lower() in ONCE for stem in stems(word.lower())} & words
        if verbs and (words & set(stems(one.arguments))) - verbs:
            return Ruling("", f"it was executed: {one.title[:80]}")
    return None
