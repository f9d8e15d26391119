"""Facts that must stay visible: above all else."""

from __future__ import annotations

from collections.abc import Iterator

from trimtab.claims.base import Claim, Claimed, Page

FACT, FOUND = 50.0, 6.0
"""Worth of a unit that holds a fact of the caller's, and of one that holds a fact found here."""


def facts(page: Page) -> Iterator[Claimed]:
    """Units that hold a fact, all of those it reaches over."""
    for fact in page.interest.facts:
        claim = Claim(f"fact {fact}", FACT if fact.firm else FOUND)
        for match in fact.pattern.finditer(page.text):
            first, last = page.unit(match.start()), page.unit(max(match.end() - 1, match.start()))
            yield from ((number, claim) for number in range(first, last + 1) if page.units)
