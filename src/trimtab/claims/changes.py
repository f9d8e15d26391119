"""Notes of a change: a date or a ticket beside words that tell of what was before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trimtab.claims.base import Claim, Claimed, Page

CHANGE = 0.8
"""Worth of the first such note."""

WHEN = re.compile(r"\b(?:\d{4}-\d\d-\d\d|[A-Z][A-Z\d]+-\d+|v?\d+\.\d+\.\d+|#\d{2,}|\d{1,2}/\d{1,2}/\d{2,4})\b")
TOLD = re.compile(
    r"\b(?:was|were|since|until|chang(?:ed|es)|no longer|instead|previously|formerly|used to|renamed|replaced"
    r"|raised|lowered|switched|moved|removed|deprecated|migrated|reverted|because|due to)\b",
    re.IGNORECASE,
)
NOTED = frozenset({"code", "markdown", "prose", "text", "diff", "search"})
"""Kinds in which people leave notes; in records of events dates and tickets are on every line."""


def changes(page: Page) -> Iterator[Claimed]:
    """Units that say when or why something became other than it was."""
    if page.outline.kind not in NOTED:
        return
    found = [number for number, line in enumerate(page.lines) if "-" in line and _is_note(line)]
    if 10 * len(found) <= len(page.units) + 10:
        yield from ((number, Claim("change", CHANGE)) for number in found)


def _is_note(line: str) -> bool:
    return bool(WHEN.search(line) and TOLD.search(line))
