"""The true line numbers of a text that is shown in part: which line of the original each shown line is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from trimtab.selection import rows

GAP = re.compile(r"\[…(?:\d+-)?(\d+) · .*\]")
"""The marker in the place of lines up to the number it names (see `stubs.gap_stub`)."""

KEPT = re.compile(r"\[…line (\d+)\]")
"""The marker above a line that was kept for a fact (see `stubs.kept_stub`)."""


def true_numbers(shown: str, original: str) -> list[int]:
    """For each line of `shown` its number in `original`, counted from 1; 0 for a marker and for what is not there.

    Lines are shown in order as a rule: each is the next one that reads so, and a marker says where to go on.
    What stands out of order is the first line that reads so.
    """
    places: dict[str, list[int]] = {}
    for place, line in enumerate(_lines(original)):
        places.setdefault(line, []).append(place)
    found, following = list[int](), 0
    for line in _lines(shown):
        if line in places:
            place = _next(places[line], following)
            following = place + 1
            found.append(following)
        else:
            found.append(0)
            if match := GAP.fullmatch(line):
                following = int(match[1])
            elif match := KEPT.fullmatch(line):
                following = int(match[1]) - 1
    return found


def _next(places: Sequence[int], least: int) -> int:
    number = bisect_left(places, least)
    return places[number if number < len(places) else 0]


def _lines(text: str) -> list[str]:
    return [row.rstrip("\r\n") for row in rows(text)]
