"""Identifiers that other parts of the conversation name, and what is defined under such a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from trimtab.claims.base import LETTERS, Claim, Claimed, Page
from trimtab.claims.meaning import meaning, weight
from trimtab.words import DEFINED, INSIDE, pieces

SAID, USED = 2.6, 1.0
"""Worth of an identifier that the user, the assistant or a call named; of one that only other results have."""

SETS = 2.0
"""How much more it is worth where it is given its value."""

VALUE = re.compile(r"[\"'{\[(,\s]*([\w.-]+)[\"']?\s*[:=](?![=:])")
"""A line that gives a name its value."""

UNDER = 2.2
"""How much more the first unit below such an identifier is worth; of what was named in words all are worth it."""

DIGITS = 5
"""Digits from which on a number that nobody but results name is an identifier."""


def used(page: Page) -> Iterator[Claimed]:
    """Units with identifiers that other parts use, less if many units have them; for as much, what is defined
    by one."""
    held = _held(page)
    spread = Counter(name for names in held.values() for name in names)
    worth = {name: (SAID if name in page.interest.said else USED) / times for name, times in spread.items()}
    for number, names in held.items():
        share = weight(page, number)
        value = VALUE.match(page.lines[number])
        for name in sorted(names):
            if value and value[1] == name:
                yield number, Claim(f"set {name}", worth[name] * SETS)
            else:
                yield number, Claim(f"used {name}", worth[name] * share)
    for number, unit in enumerate(page.units):
        if unit.needs in held and (share := meaning(page, number)):
            name = max(held[unit.needs], key=lambda one: (worth[one], one))
            if name in page.interest.said:
                yield number, Claim(f"under {name}, unit {number}", share * worth[name])
            else:
                yield number, Claim(f"under {name}", UNDER * share * worth[name])


def _held(page: Page) -> dict[int, set[str]]:
    """The units with names that other parts use as well, and these names."""
    known = _known(page)
    if not known:
        return {}
    telling, plain, held = set(known.values()), page.face.translate(INSIDE), dict[int, set[str]]()
    for number, (unit, words) in enumerate(zip(page.units, page.words, strict=True)):
        if telling.isdisjoint(words):
            continue
        chunks = plain[unit.start : unit.stop].split()
        if found := known.keys() & {piece for chunk in chunks for piece in pieces(chunk)}:
            held.setdefault(number, set()).update(found)
        above = page.units[max(number - 1, 0)].start
        for match in DEFINED.finditer(page.face, above, unit.stop) if page.outline.kind == "code" else ():
            if match[1] in known:
                held.setdefault(page.unit(match.start()), set()).add(match[1])
    return held


def _known(page: Page) -> dict[str, str]:
    """The names that other parts use and this one may, each with the rarest of the words it is made of."""
    times, at, said = page.times, page.at, page.interest.said
    return {
        name: min(words, key=times.__getitem__)
        for name, holders in page.interest.used.items()
        if times.keys() >= (words := _words(name))
        and words
        and any(holder != at for holder in holders)
        and (len(name) >= DIGITS or not name.isdigit() or name in said)
    }


@lru_cache(maxsize=50_000)
def _words(name: str) -> frozenset[str]:
    """The runs of letters and digits in a name: as words of a page they stand in a unit that has the name."""
    return frozenset(name.translate(LETTERS).split())
