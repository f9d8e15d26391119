"""What a note gets right: its identifiers, the planted ones that are missing, pairs that are bound wrongly."""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from benchmarks.handoff.planted import Planted
from trimtab.words import identifiers

OURS = re.compile(r"\[trimtab: note [^\n]*\]|t:[0-9a-f]{16}|\d[\d,]* characters")
"""What trimtab puts into a note by itself: marks, handles, sizes."""


class Score(Struct, frozen=True):
    """Identifiers that stand in the source, those that do not, planted ones missing, pairs bound wrongly."""

    right: int
    wrong: tuple[str, ...]
    missing: int
    bound: tuple[str, ...]
    tokens: int

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """How many of each."""
        return self.right, len(self.wrong), self.missing, len(self.bound)


def score(note: str, source: str, what: Planted | None, tokens: int) -> Score:
    """Hold a note against the texts of the request. The identifiers are found by other means than the checks'."""
    found = {name for item in _items(note) for name in identifiers(OURS.sub(" ", item))}
    wrong = tuple(sorted(one for one in found if one not in source))
    return Score(
        right=len(found) - len(wrong),
        wrong=wrong,
        missing=sum(one not in note for one in what.identifiers) if what else 0,
        bound=tuple(_bound(note, what)) if what else (),
        tokens=tokens,
    )


def _bound(note: str, what: Planted) -> list[str]:
    """The items that name one setting, or its file, and what belongs to another."""
    found = list[str]()
    for item in _items(note):
        named = [one for one in what.facts if one.name in item or one.path in item]
        others = [one for one in what.facts if one not in named]
        found += [item[:200] for other in others if named and any(_has(item, text) for text in other.told)]
        if len(named) == 1:
            own = named[0]
            if re.search(rf"\b{own.name}\b\W{{1,4}}(?!{own.value}\b)\d{{3,5}}\b", item) and own.value not in item:
                found.append(item[:200])
    return found


def _items(note: str) -> list[str]:
    """The items of a note, be it JSON or text; a line that is set in belongs to the item above it."""
    try:
        value = json.loads(note)
        return texts(list(value.values()) if isinstance(value, dict) else value)
    except ValueError:
        return re.split(r"\n(?=\S)", note)


def _has(item: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(text)}(?!\w)", item) is not None


def texts(value: Any) -> list[str]:
    """All strings of a request, and its numbers as they are written."""
    match value:
        case str():
            return [value]
        case int() | float():
            return [json.dumps(value)]
        case dict():
            return [text for key, one in value.items() for text in [key, *texts(one)]]
        case list():
            return [text for one in value for text in texts(one)]
    return []
