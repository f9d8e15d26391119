"""Reasons to show a unit of a text, a file each; every one yields claims with a name and a worth."""

from __future__ import annotations

from trimtab.claims.asked import asked, sections
from trimtab.claims.base import Claim, Page, Reason
from trimtab.claims.changes import changes
from trimtab.claims.environment import environment
from trimtab.claims.facts import facts
from trimtab.claims.failures import failures
from trimtab.claims.ranges import ranges
from trimtab.claims.rare import calls, rare
from trimtab.claims.structure import ends, structure
from trimtab.claims.used import used

REASONS: tuple[Reason, ...] = (
    structure,
    ends,
    failures,
    asked,
    sections,
    used,
    rare,
    calls,
    ranges,
    changes,
    environment,
    facts,
)
"""What claims are made of a text, in no particular order."""

__all__ = ["REASONS", "Claim", "Page", "Reason"]
