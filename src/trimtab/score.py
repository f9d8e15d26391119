"""What makes a unit worth showing: the claims of all reasons, and what units side by side give each other.

Two units that make the same claim share its worth: the second example of a kind counts for little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from trimtab.claims import REASONS, Claim, Page
from trimtab.claims.meaning import is_note
from trimtab.edits import At
from trimtab.excerpts.base import Outline
from trimtab.interest import Interest

BESIDE = 0.6
"""What a comment and the line below it give each other of their worth."""

OUTSTANDING, ROW, IN_ROW = 2.0, 16, 0.3
"""Worth from which on a unit stands out; units a row has at most; what they get of the worth of one."""


def claims(text: str, outline: Outline, interest: Interest, at: At | None = None) -> list[list[Claim]]:
    """The claims of each unit of a text. `at` is the part it belongs to, whose own uses do not count."""
    return scored(Page(text, outline, interest, at))


def scored(page: Page) -> list[list[Claim]]:
    """The claims of each unit of a page."""
    found: list[list[Claim]] = [[] for _ in page.units]
    for reason in REASONS:
        for number, claim in reason(page):
            found[number].append(claim)
    if page.outline.kind == "code":
        _side_by_side(page, found)
    if page.outline.kind in ("json", "json_lines"):
        _row_by_row(page, found)
    return found


def _side_by_side(page: Page, found: Sequence[list[Claim]]) -> None:
    """A comment is about the line below it."""
    notes = [number for number, line in enumerate(page.lines[:-1]) if page.words[number] and is_note(line)]
    for number in (note + 1 for note in reversed(notes)):
        above, line = page.lines[number - 1], page.lines[number]
        if not page.words[number]:
            continue
        given = found[number]
        taken = (
            [] if is_note(line) else [claim for claim in found[number - 1] if not claim.key.startswith("within")]
        )
        added = _shared(given, f"of {line[:80]}")
        found[number] += _shared(taken, f"of {above[:80]}")
        found[number - 1] += added


def _row_by_row(page: Page, found: Sequence[list[Claim]]) -> None:
    """What else stands in the row of what stands out tells which row it is."""
    odd: dict[int, float] = {}
    for section, claims in zip(page.sections, found, strict=True):
        most = max((claim.worth for claim in claims), default=0.0)
        if most >= OUTSTANDING:
            odd[section] = max(odd.get(section, 0.0), most)
    sizes = Counter(page.sections)
    for number, section in enumerate(page.sections):
        if section in odd and sizes[section] <= ROW and page.words[number]:
            found[number].append(Claim(f"row {section}", IN_ROW * odd[section]))


def _shared(claims: Sequence[Claim], key: str) -> list[Claim]:
    worth = BESIDE * sum(claim.worth for claim in claims)
    return [Claim(key, worth)] if worth > 0 else []
