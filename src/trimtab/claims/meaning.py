"""How much of what a section is about a unit of it carries."""

from __future__ import annotations

import re

from trimtab.claims.base import Page

OUTCOME = re.compile(r"(?:[+-]\s*)?(?:return|yield)\b.*\w|.*[^=!<>]=>? *[^=\s]|[\w.\"'-]+ *: +\S")
"""A line that says what comes out: what is returned, what a name is set to."""

COMMENT = re.compile(r"(?:#(?!include|define)|//|/?\*|--|;|<!--|\"\"\"|'''|[rRfFbBuU]{0,2}\"\"\")")
IMPORT = re.compile(r"(?:import|from|use|using|#include|require|package)\b|[\w.]+,$")
NOTE = re.compile(r"(?:#(?!include|define)|//|--|;|<!--)")
STATEMENT = re.compile(r".*[(\[{=:;]")
NOTHING = re.compile(r"[\W_]*$|(?:else|try|end|finally|begin|do|fi|done)\b\W*$")


def meaning(page: Page, number: int) -> float:
    """From 0 (a blank, a bracket) to 1 (what is returned or set)."""
    line = page.lines[number]
    if NOTHING.match(line):
        return 0.0
    if page.outline.kind == "diff":
        return 1.0 if line[0] in "+-" else 0.3
    if page.outline.kind != "code":
        return 0.6
    if is_comment(line):
        return 0.25
    return 1.0 if OUTCOME.match(line) else 0.5 if STATEMENT.match(line) else 0.25


COMMENTS = 0.4
"""What the words of a comment count."""


def weight(page: Page, number: int) -> float:
    """What the words of a unit count: in code comments and imports less than what is done."""
    if page.outline.kind != "code":
        return 1.0
    line = page.lines[number]
    return 0.3 if IMPORT.match(line) else COMMENTS if is_comment(line) or not STATEMENT.match(line) else 1.0


def is_comment(line: str) -> bool:
    """Whether a line of code is a comment, or the first line of a text about it."""
    return bool(COMMENT.match(line))


def is_note(line: str) -> bool:
    """Whether a line of code is a comment on what stands below it."""
    return bool(NOTE.match(line))
