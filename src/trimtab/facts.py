"""Facts: texts that must stay visible, given by the caller or found by trimtab itself."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from trimtab.errors import ConfigError


class Fact(Struct, frozen=True):
    """A text that must stay visible. `why` says whose it is, `text` is how the caller wrote it.

    `firm` facts are the caller's: a budget that cannot be met with them is an error. The others are
    trimtab's own finds, which a caller's budget may overrule. `told` facts are texts of the user or
    the assistant; for the others it counts only whether a result shows them.
    """

    pattern: re.Pattern[str]
    why: str = "facts"
    firm: bool = True
    told: bool = True
    text: str = ""

    def __str__(self) -> str:
        return self.text or self.pattern.pattern


def patterns(texts: Iterable[str]) -> list[re.Pattern[str]]:
    """Facts and pins as patterns: a text stands for itself, `re:` starts a regular expression.

    Raises ConfigError for a pattern that is none.
    """
    try:
        return [re.compile(text[3:] if text.startswith("re:") else re.escape(text)) for text in texts]
    except re.error as error:
        raise ConfigError(f"pattern {error.pattern!r}: {error}") from error


def given(texts: Iterable[str]) -> list[Fact]:
    """The caller's facts. Raises ConfigError for a pattern that is none."""
    asked = list(texts)
    return [Fact(pattern, text=text) for pattern, text in zip(patterns(asked), asked, strict=True)]


def lines_with(text: str, fact: Fact, most: int = 400) -> str:
    """The line of a text that shows a fact first, or what stands around it in an overlong one; "" when none
    does."""
    match = fact.pattern.search(text)
    if match is None:
        return ""
    start, stop = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    stop = len(text) if stop < 0 else stop
    if stop - start > most + match.end() - match.start():
        start, stop = max(start, match.start() - most // 2), min(stop, match.end() + most // 2)
    return text[start:stop]
