"""Words that tell of a failure, in texts that report what happened."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trimtab.claims.base import Claim, Claimed, Page
from trimtab.claims.structure import shape
from trimtab.excerpts.base import ODD

REPORTS = frozenset({"text", "log", "trace", "terminal", "table", "json", "json_lines"})
"""Kinds that tell what happened; elsewhere such words are what code and papers speak about."""

FAILURE = ODD * 0.7
"""Worth of a unit with such a word."""

SPOKEN = 0.2
"""What remains of it in other kinds; in source it is nothing, for there a failure is only provided for."""

ROOTS = (
    "error",
    "exception",
    "traceback",
    "fail",
    "fatal",
    "panic",
    "critical",
    "denied",
    "refused",
    "rejected",
    "timed out",
    "timeout",
    "cannot",
    "could not",
    "unable to",
    "not found",
    "not exist",
    "invalid",
    "abort",
    "killed",
    "warn",
    "assertion",
    "mismatch",
    "exceeded",
    "no space",
    "unreachable",
    "deadlock",
    "segmentation fault",
    "core dumped",
    "giving up",
    "gave up",
    "corrupt",
    "exit code",
    "exit status",
    "http 5",
    "status 5",
    "err!",
    "signal ",
    "overflow",
    "out of memory",
    "unhandled",
    "violat",
)
"""What such words begin with; they are looked for first, for that is quick."""

FAILING = re.compile(
    r"(?<!\b0 )(?<!\bno )(?:errors?|exceptions?|(?<![a-z])(?:traceback|fail(?:s|ed|ures?|ing)?|fatal|panic(?:ked)?"
    r"|critical|denied|refused|rejected|timed? ?out|cannot|could not|unable to|not found"
    r"|(?:does|did) not exist|invalid"
    r"|abort(?:ed)?|killed|warn(?:ing)?s?|assertion|mismatch(?:es)?|exceeded|no space|unreachable|deadlock"
    r"|segmentation fault|core dumped|giving up|gave up|corrupt(?:ed)?|exit (?:code|status):? [1-9]|http 5\d\d"
    r"|status 5\d\d|err!|signal \d+|overflow|out of memory|unhandled|violat(?:ion|es|ed)))"
    r"(?![a-z])(?!(?::|=| =)? ?\b(?:0|none|null|false)\b)"
)
"""The words, unless their count is zero."""


def failures(page: Page) -> Iterator[Claimed]:
    """Units with a word of a failure; alike ones share their worth."""
    if page.outline.kind == "code":
        return
    worth = FAILURE * (1.0 if page.outline.kind in REPORTS else SPOKEN)
    for number in sorted(_likely(page)):
        unit = page.units[number]
        if not unit.weight and FAILING.search(page.low, unit.start, unit.stop):
            yield number, Claim(f"failure {shape(page.lines[number])}", worth)


def _likely(page: Page) -> set[int]:
    """The units with a root. Words of the page are looked through instead of the page, for they are fewer."""
    words = "\n".join(["", *page.times, ""]).lower()
    found = {word for root in ROOTS if root.isalpha() for word in _words_with(words, root)}
    telling = {word for word in page.times if word.lower() in found} if found else found
    likely = {number for number, run in enumerate(page.words) if not telling.isdisjoint(run)}
    phrases = (
        root for root in ROOTS if not root.isalpha() and all(one in words for one in root.strip("!").split())
    )
    return likely.union(*(_units_with(page, root) for root in phrases))


def _words_with(words: str, root: str) -> Iterator[str]:
    """Those of the words, one a line, that have a root."""
    place = words.find(root)
    while place >= 0:
        stop = words.find("\n", place)
        yield words[words.rfind("\n", 0, place) + 1 : stop]
        place = words.find(root, stop)


def _units_with(page: Page, root: str) -> Iterator[int]:
    place = page.low.find(root)
    while place >= 0:
        number = page.unit(place)
        yield number
        place = page.low.find(root, page.units[number].stop)
