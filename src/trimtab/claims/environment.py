"""Where code takes what it does from outside: variables of the environment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trimtab.claims.base import Claim, Claimed, Page

ENVIRONMENT = 1.2
"""Worth of the first such line."""

MARKS = ("environ", "getenv", "env::var", "process.env", "ENV[", "${")
READS = re.compile(
    r"\b(?:environ\b|getenv\(|env::var|process\.env\b|ENV\[|System\.getenv|\$\{[A-Z][A-Z_\d]{3,}[:}])"
)


def environment(page: Page) -> Iterator[Claimed]:
    """Units of code that read a variable of the environment."""
    if page.outline.kind == "code" and any(mark in page.face for mark in MARKS):
        for match in READS.finditer(page.face):
            yield page.unit(match.start()), Claim("environment", ENVIRONMENT)
