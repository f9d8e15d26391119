"""Identifiers that other parts of the conversation name, and what is defined under such a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from trimtab.claims.base import Claim, Claimed, Page
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
    used, at = page.interest.used, page.at
    known = {
        name
        for name, holders in used.items()
        if any(holder != at for holder in holders)
        and (len(name) >= DIGITS or not name.isdigit() or name in page.interest.said)
    }
    if not known:
        return {}
    plain = page.face.translate(INSIDE)
    runs = [plain[unit.start : unit.stop].split() for unit in page.units]
    telling = {
        chunk: found for chunk in set(chain.from_iterable(runs)) if (found := known.intersection(pieces(chunk)))
    }
    chunks, held = set(telling), dict[int, set[str]]()
    for number, run in enumerate(runs):
        if not chunks.isdisjoint(run):
            held[number] = set[str]().union(*(telling[chunk] for chunk in chunks.intersection(run)))
    for match in DEFINED.finditer(page.face) if page.outline.kind == "code" else ():
        if match[1] in known:
            held.setdefault(page.unit(match.start()), set()).add(match[1])
    return held
