"""What was ruled out is not found."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.headings import RULED_OUT
from trimtab.handoff.identifiers import identifiers
from trimtab.handoff.refuting import REFUTES
from trimtab.words import stems

ALIKE = 0.6
"""The part of a sentence's words that it shares with what was ruled out."""

CAUSES = re.compile(
    r"\b(?:caus(?:e[sd]?|ing)|culprit|root|reason|due to|because|bug|fault|responsible|to blame|problem|issue"
    r"|ursache|schuld|liegt an|wegen|grund|causa\w*|culpa|debido|por culpa|à cause|problème|причин\w*)\b"
    r"|原因|问题|원인",
    re.IGNORECASE,
)
"""How a sentence says what something comes from."""

CLAUSE = re.compile(r"[,;:—–]\s+|\s(?:but|rather|instead|sondern|sino|mais|mas|ma)\s")


def ruled_out(sentence: Sentence) -> Ruling | None:
    """Strikes what was ruled out unless it says so, and what is told as ruled out though nothing failed."""
    if sentence.section == RULED_OUT:
        return None if _is_told(sentence) else Ruling("", "nothing says that it was ruled out")
    if REFUTES.search(sentence.text):
        return None
    for other in _refuted(sentence):
        if _says(sentence.text, other):
            return Ruling("", f"it was ruled out: {other[:80]!r}")
    return None


def _is_told(sentence: Sentence) -> bool:
    """Whether something that failed, was taken back, or stands in an earlier note is about the same."""
    words = {stem for stem in stems(sentence.text) if len(stem) > 2 or not stem.isascii()}
    names = {one.text for one in identifiers(sentence.text)}
    failed = (one.text for one in sentence.ground.actions if one.failed)
    kept = (row.text for row in sentence.ground.rows if row.kept)
    for text in (*sentence.ground.refuted, *failed, *kept):
        shared = words & set(stems(text))
        if len(shared) >= min(2, len(words)) or names & {one.text for one in identifiers(text)}:
            return True
    return not words


def _says(text: str, other: str) -> bool:
    """Whether a text says what another says does not hold."""
    words, names = set(stems(text)), {one.text for one in identifiers(text)}
    general = {stem for match in CAUSES.finditer(f"{text} {other}") for stem in stems(match[0])}
    gone, named = set(stems(REFUTES.sub(" ", other))) - general, {one.text for one in identifiers(other)}
    if CAUSES.search(text) and (names & named or (gone and gone <= words) or (words - general) <= gone):
        return bool(words & gone)
    if names and not names <= named:
        return False
    shared = words & (gone | general)
    return (
        bool(words & gone) and len(shared) >= ALIKE * len(words) and bool(names or len(words) > 2 or words <= gone)
    )


def _refuted(sentence: Sentence) -> Iterator[str]:
    """What was ruled out; of a sentence that says more than that, the clause."""
    yield from sentence.note.get(RULED_OUT, ())
    kept = [row.text for row in sentence.ground.rows if row.kept and REFUTES.search(row.text)]
    for told in (*sentence.ground.refuted, *kept):
        clauses = [one for one in CLAUSE.split(told) if REFUTES.search(one)]
        whole = not clauses or any(len(set(stems(REFUTES.sub(" ", one)))) < 2 for one in clauses)
        yield from [told] if whole else clauses
