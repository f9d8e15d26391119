"""What changed between two requests, message by message, shortened for the eye."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct

from trimtab import wires
from trimtab.body import open_body
from trimtab.request import countable
from trimtab.transcript import JSON, Media, Part, Text
from trimtab.wires.base import Wire

CONTEXT = 2
"""Equal lines shown around a difference."""

MOST_LINES = 14
MOST_CHARACTERS = 300


class Change(Struct, frozen=True):
    """Messages that read otherwise; `before` and `after` are their differing lines, long stretches left out."""

    place: str
    role: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def changes(before: Any, after: Any) -> list[Change]:
    """The messages of a request that differ after it was compacted. Raises WireError.

    Where messages were left out, all from the first to the last difference are one change.
    """
    wire, old = _messages(before)
    _, new = _messages(after)
    if len(old) == len(new):
        pairs = [(n, [one], [other]) for n, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
    else:
        head, tail = _shared(old, new)
        pairs = [(head, old[head : len(old) - tail], new[head : len(new) - tail])]
    return [_change(wire, first, one, other) for first, one, other in pairs]


def _messages(payload: Any) -> tuple[Wire, list[JSON]]:
    body = open_body(payload)
    messages = [body.source(index) for index in range(body.size)]
    return wires.sniff(body.fields(), messages), messages


def _change(wire: Wire, first: int, old: Sequence[JSON], new: Sequence[JSON]) -> Change:
    last = first + len(old) - 1
    spot = f"messages[{first}]" if last <= first else f"messages[{first}-{last}]"
    role = str((old or new)[0].get("role", ""))
    before, after = (_lines(wire, messages) for messages in (old, new))
    head, tail = _shared(before, after)
    start, stop = max(head - CONTEXT, 0), max(tail - CONTEXT, 0)
    return Change(spot, role, _short(before[start : len(before) - stop]), _short(after[start : len(after) - stop]))


def _lines(wire: Wire, messages: Sequence[JSON]) -> list[str]:
    return [line for one in messages for part in wire.message(one).parts for line in _spoken(part).splitlines()]


def _spoken(part: Part) -> str:
    if isinstance(part, Media):
        return f"({part.media_type}, {part.tokens:,} tokens)"
    return countable(part) if isinstance(part, Text) or countable(part) else f"({type(part).__name__.lower()})"


def _shared(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """How many items both begin with, and how many of the others both end with."""
    head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    rest = zip(reversed(old[head:]), reversed(new[head:]), strict=False)
    return head, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], rest))


def _short(lines: Sequence[str]) -> tuple[str, ...]:
    """At most `MOST_LINES` lines, none overlong."""
    cut = len(lines) - MOST_LINES + 1
    if cut > 1:
        head = MOST_LINES * 2 // 3
        lines = [*lines[:head], f"⋮ {cut:,} lines", *lines[head + cut :]]
    return tuple(one if len(one) <= MOST_CHARACTERS else f"{one[:MOST_CHARACTERS]}…" for one in lines)
