"""What stands out by being rare: words in a text whose units share theirs, an argument among like calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from trimtab.claims.base import Claim, Claimed, Page

RARE = 2.2
"""Worth of a unit with words that no other has, in a text where else no unit has any."""

FEW, OFTEN = 2, 6
"""Units that have a rare word at most, and how often it may stand in them."""

SHORTEST = 3
"""Letters of a word that can be rare."""

FAMILY = 4
"""Calls of one name from which on an argument may be odd."""

ODD_CALL = 2.4
"""Worth of a unit with an odd argument."""

ARGUMENT = re.compile(r"\((?<=\w{3}.)([A-Za-z_][\w.]*)")
"""The first argument of a call; it begins with what `re` finds quickest."""

BACKWARDS, LONGEST = re.compile(r"\w+"), 80
"""A name, read from its end; characters of it that count."""


def rare(page: Page) -> Iterator[Claimed]:
    """Units with words that hardly another unit has, where most units have none such."""
    likely = {
        word for word, times in page.times.items() if times <= OFTEN and len(word) >= SHORTEST and word.isalpha()
    }
    held = [() if likely.isdisjoint(words) else likely.intersection(words) for words in page.words]
    spread = Counter(chain.from_iterable(held))
    found = [sorted(word for word in words if spread[word] <= FEW) if words else () for words in held]
    solid = sum(1 for words in page.words if words)
    plain = 1 - sum(1 for words in found if words) / max(solid, 1)
    if plain <= 0.5:
        return
    for number, words in enumerate(found):
        if words:
            worth = RARE * (2 * plain - 1) / min(spread[word] for word in words)
            yield number, Claim(f"rare {words[0]}", worth * (1 - 0.5 ** len(words)) * 4 / 3)


def calls(page: Page) -> Iterator[Claimed]:
    """Units of code that call what others call as well, with an argument that hardly another gives it."""
    if page.outline.kind not in ("code", "diff", "search"):
        return
    found = list(_called(page.face))
    families = Counter(name for name, _, _ in found)
    pairs = Counter((name, argument) for name, argument, _ in found)
    usual = dict.fromkeys(families, 0)
    for (name, _), times in pairs.items():
        usual[name] = max(usual[name], times)
    for name, argument, place in found:
        times = pairs[name, argument]
        if families[name] >= FAMILY and 2 * usual[name] >= families[name] and 3 * times <= families[name]:
            yield page.unit(place), Claim(f"odd {name}", ODD_CALL / times)


def _called(face: str) -> Iterator[tuple[str, str, int]]:
    """Each call's name, its first argument and its place; calls within an argument that was read do not count."""
    read = 0
    for match in ARGUMENT.finditer(face):
        before = face[max(match.start() - LONGEST, 0) : match.start()]
        name = BACKWARDS.match(before[::-1])
        if name and (start := match.start() - name.end()) >= read:
            yield face[start : match.start()], match[1], start
            read = match.end()
