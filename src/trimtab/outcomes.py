"""What came of a call, in one line: rows, ids, success, counts, addresses, errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nsmallest
from typing import NamedTuple

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.stubs import cleared_stub, clip, first_line
from trimtab.transcript import JSON
from trimtab.words import WORD

KEYS: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "error errors exception failure failed stderr reason",
        "success succeeded ok status state exit returncode",
        "count counts total rows affected matched inserted updated deleted",
        "id ids uuid key number sha hash version revision",
        "url urls uri link href",
        "path file files filename",
        "name title message detail summary",
    )
)
"""Words in the names of fields that tell what came of a call, most telling first."""

SUCCESS = 1

MOST = 6
"""Fields that are told."""

LONGEST = 80
"""Characters of a value, or of a line, that are told."""

FEW = 3
"""Items up to which a list is told item by item."""

DEEP = 2
"""Objects within objects whose fields are looked at."""

FAILED = re.compile(r"\s*(?:error|exception|traceback|fatal|failed|failure)\b", re.IGNORECASE)
ADDRESS = re.compile(r"https?://[^\s\"'<>\[\]]{1,200}")


class Field(NamedTuple):
    """A field as it is told, with its rank among others."""

    rank: int
    order: int
    text: str


def pruned(tool: str, text: str, handle: str, *, meaningful: bool = True) -> str:
    """One line in the place of a result: the tool, the facts that tell what came of it, and the way back."""
    return cleared_stub(f"pruned: {tool or 'tool'}: {outcome(text) if meaningful else _size(text)}", handle)


def outcome(text: str) -> str:
    """What a result says came of its call: the telling fields of a JSON object, the items of a list, or lines."""
    value = _value(text)
    if isinstance(value, list):
        return _items(value)
    if not isinstance(value, dict):
        return _lines(text)
    told = [field.text for field in nsmallest(MOST, _fields(value))]
    return ", ".join(told) or f"{_size(text)} in {_items(value)}"


def failed(text: str) -> bool:
    """Whether a result says that the call failed."""
    value = _value(text)
    if isinstance(value, dict):
        return bool(value.get("error")) or value.get("success") is False or value.get("ok") is False
    return FAILED.match(text) is not None


def _value(text: str) -> JSON:
    """The object or list that a text is, or None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return decode(text.encode())
    except (WireError, UnicodeEncodeError):
        return None


def _fields(value: JSON) -> Iterator[Field]:
    """The telling fields of an object and of those within it."""
    todo: list[tuple[str, JSON]] = list(value.items())
    order = 0
    while todo:
        deeper: list[tuple[str, JSON]] = []
        for name, one in todo:
            order += 1
            if isinstance(one, dict) and name.count(".") < DEEP:
                deeper += [(f"{name}.{key}", inner) for key, inner in one.items()]
            elif (rank := _rank(name, one)) is not None:
                yield Field(rank, order, _told(name, one))
        todo = deeper


def _rank(name: str, value: JSON) -> int | None:
    """How telling a field is, None for one that tells nothing; a list always tells how many."""
    if value is None or value in ("", [], {}) or (value is False and not _named(name, KEYS[SUCCESS])):
        return None
    found = next((rank for rank, words in enumerate(KEYS) if _named(name, words)), None)
    return len(KEYS) if found is None and isinstance(value, list) else found


def _named(name: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(map(str.lower, WORD.findall(name)))


def _told(name: str, value: JSON) -> str:
    if name in ("row_count", "rowCount", "rowcount"):
        return f"returned {_short(value)} rows"
    if isinstance(value, bool) and name in ("success", "ok"):
        return "succeeded" if value else "failed"
    if isinstance(value, list) and (len(value) > FEW or any(isinstance(one, dict | list) for one in value)):
        return f"{_short(name)}: {_items(value)}"
    said = " ".join(map(str, value)) if isinstance(value, list) else value
    return f"{_short(name)}={_short(said)}"


def _lines(text: str) -> str:
    """The first and the last line of a text that is no JSON, how long it is, and the first address in it."""
    rows = [row for row in text.splitlines() if row.strip()]
    first = first_line(text, LONGEST)
    told = [f'"{first}"'] if first else []
    if len(rows) > 1:
        told = [f"{len(rows):,} lines", *told, f'to "{first_line(rows[-1], LONGEST)}"']
    address = ADDRESS.search(text)
    if address and not any(address[0] in one for one in told):
        told.append(address[0])
    return ", ".join(told) or _size(text)


def _items(value: JSON) -> str:
    what = "field" if isinstance(value, dict) else "item"
    return f"{len(value):,} {what}{'s' * (len(value) != 1)}"


def _size(text: str) -> str:
    return f"{len(text):,} characters"


def _short(value: JSON) -> str:
    return first_line(clip(str(value), LONGEST + 1), LONGEST)
