"""Overlong units in parts: each part needs the first, and what counted whole units counts parts after that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trimtab.excerpts.base import Unit
from trimtab.excerpts.text import LONGEST, pieces


def in_parts(
    text: str, units: Iterable[Unit], cut: Callable[[str, int, int], Iterable[Unit]] = pieces
) -> Iterator[Unit]:
    """The units, those above `LONGEST` characters as `cut` divides them; `needs` is renumbered."""
    firsts, made = list[int](), 0
    for unit in units:
        needs = firsts[unit.needs] if unit.needs >= 0 else -1
        firsts.append(made)
        if unit.stop - unit.start <= LONGEST:
            yield unit if needs == unit.needs else unit._replace(needs=needs)
            made += 1
            continue
        for part in cut(text, unit.start, unit.stop):
            first = made == firsts[-1]
            yield (
                unit._replace(stop=part.stop, needs=needs)
                if first
                else part._replace(needs=firsts[-1], path=unit.path)
            )
            made += 1
