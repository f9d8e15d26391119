"""What no edit may do, whoever proposes it. Each rule stands here once and gives its reason in words."""

from __future__ import annotations

from collections.abc import Sequence, Set

from trimtab.bindings import binds
from trimtab.edits import At, Drop, Loss, Place, Replace, Summarize, place_of
from trimtab.errors import WireError
from trimtab.facts import patterns
from trimtab.jsonbytes import decode
from trimtab.request import Request, countable
from trimtab.state import State
from trimtab.transcript import (
    JSON,
    Media,
    Message,
    Opaque,
    Part,
    Reasoning,
    Role,
    Text,
    ToolCall,
    ToolResult,
    is_turn,
)


def unfit(old: Part, new: Part) -> str | None:
    """Why `new` cannot stand where `old` stands, or None."""
    match old, new:
        case Opaque() | Reasoning(), _:
            return "this part is kept whole"
        case ToolCall(), ToolCall() if (old.id, old.name) == (new.id, new.name):
            return (
                None if _same_shape(old.arguments, new.arguments) else "arguments must keep their keys and types"
            )
        case ToolResult(), ToolResult() if (old.call_id, old.is_error) == (new.call_id, new.is_error):
            return None if new.text.strip() else "a result must not become empty"
        case ((Text() | Media()), Text()):
            return None if new.text.strip() else "a text must not become empty"
    return f"a {type(old).__name__} cannot become this {type(new).__name__}"


def _same_shape(old: str, new: str) -> bool:
    try:
        return _alike(decode(old.encode()), decode(new.encode()))
    except (WireError, UnicodeEncodeError, RecursionError):
        return False


def _alike(old: JSON, new: JSON) -> bool:
    if isinstance(old, dict):
        return isinstance(new, dict) and old.keys() == new.keys() and all(_alike(old[k], new[k]) for k in old)
    if isinstance(old, list):
        return isinstance(new, list) and len(old) == len(new) and all(map(_alike, old, new))
    return type(old) is type(new)


class Guard:
    """The rules for one decision: what is declared, protected and pinned."""

    def __init__(
        self,
        request: Request,
        state: State,
        upto: int,
        places: frozenset[Place],
        ceiling: Loss,
        pins: Sequence[str],
        task_stays: bool = True,
    ) -> None:
        self._request, self._state, self._upto = request, state, upto
        self._places, self._ceiling = places, ceiling
        self._pins, self._task_stays = patterns(pins), task_stays

    def pinned(self, part: Part) -> bool:
        """Whether a pin names this part: by a text in it or by the id of its call."""
        text = countable(part)
        ids = (getattr(part, "call_id", None), getattr(part, "id", None))
        return any(pin.search(text) or any(one and pin.fullmatch(one) for one in ids) for pin in self._pins)

    def replace(self, edit: Replace, opened: Set[At], handle: str) -> str | None:
        """Why this edit is refused, or None. `handle` is that of the part."""
        if edit.at not in opened:
            return "the part is protected, pinned, too small or not there"
        message = self._request.parsed[self._request.index[edit.at.message]].message
        original = message.parts[edit.at.part]
        if place_of(message, original) not in self._places:
            return "the preset does not declare this place"
        if edit.loss > self._ceiling:
            return "without a store only edits that lose nothing are made"
        if (problem := unfit(original, edit.part)) is not None:
            return problem
        if edit.loss > Loss.NONE and handle not in countable(edit.part):
            return f"the marker does not name the handle {handle}"
        return None

    def drop(self, edit: Drop) -> str | None:
        """Why this part may not be dropped, or None."""
        position = self._request.index[edit.at.message]
        message = self._request.parsed[position].message
        part = message.parts[edit.at.part]
        if not isinstance(part, Reasoning):
            return "only reasoning may be dropped; everything else leaves a marker"
        if Place.REASONING not in self._places:
            return "the preset does not declare this place"
        if edit.loss > self._ceiling:
            return "without a store only edits that lose nothing are made"
        if self.pinned(part):
            return "the part is pinned"
        if all(isinstance(one, Reasoning) for one in message.parts):
            return "the message would be empty"
        if not self._request.body.comes_back(position):
            return "the message holds what cannot be stored"
        return self._wanted_back(position, message, part)

    def _wanted_back(self, position: int, message: Message, reasoning: Reasoning) -> str | None:
        """Why the provider wants this reasoning back, or None: A4 while its exchange is open, C7 beside calls."""
        newest = self._request.index.get(self._state.newest, self._upto + 1)
        if position >= newest and not is_turn(self._request.parsed[self._upto].message):
            return "the reasoning of an open exchange stays"
        has_calls = any(isinstance(one, ToolCall) for one in message.parts)
        if reasoning.bound and has_calls and not binds(self._request.frame.model):
            return "reasoning that the provider checks stays beside its calls"
        return None

    def summarize(self, edit: Summarize, reach: range) -> str | None:
        """Why this span may not give way to a note, or None. `reach` are the messages that may."""
        where = self._request.where(edit.span)
        if not where:
            return "the span is not in this request"
        first, last = where.start, where.stop - 1
        if first not in reach or last not in reach:
            return "the span reaches beyond what may be folded"
        if edit.loss > self._ceiling:
            return "without a store only edits that lose nothing are made"
        return self._kept(first, last) or self._torn(first, last)

    def _kept(self, first: int, last: int) -> str | None:
        """What stands in the span and must stay, or None."""
        return next((why for index in range(first, last + 1) if (why := self.stays(index)) is not None), None)

    def stays(self, position: int) -> str | None:
        """Why this message may not give way to a note, or None."""
        name, message = self._request.names[position], self._request.parsed[position].message
        if not self._request.body.comes_back(position):
            return "the span holds a part that cannot be stored"
        if name in self._request.notes:
            return None
        needed = {place for part in message.parts if (place := place_of(message, part)) is not None}
        if not needed <= self._places:
            return "the preset does not declare " + ", ".join(sorted(needed - self._places))
        if message.role is Role.SYSTEM:
            return "system messages stay"
        if any(isinstance(part, Opaque) or self.pinned(part) for part in message.parts):
            return "the span holds a pinned part or one that is kept whole"
        return "the task stays" if self._task_stays and name in self._state.turns[:1] else None

    def _torn(self, first: int, last: int) -> str | None:
        """What the span would tear apart, or None; reasoning needs every item that came with it (R2)."""
        notes = self._state.notes_in(self._request, range(first, last + 1))
        if any(not first <= index <= last for one in notes for index in self._request.where(one)):
            return "the span splits what a note stands for"
        if self._splits(first, last):
            return "the span splits a call from its result"
        roles = [one.message.role for one in self._request.parsed[max(first - 1, 0) : last + 2]]
        head, tail = roles[: 2 if first else 1], roles[-2:]
        if (first and head == [Role.ASSISTANT] * 2) or tail == [Role.ASSISTANT] * 2:
            return "the span splits one answer of the model"
        beside = [*roles[: 1 if first else 0], *(roles[-1:] if last + 1 < len(self._request.parsed) else ())]
        if self._request.wire.alternates and Role.USER in beside:
            return "the note would stand beside a message of the user"
        return None

    def _splits(self, first: int, last: int) -> bool:
        """Whether a call and its result would stand on two sides of an end of the span."""
        index = self._request.index
        inside = range(first, last + 1)
        answered = set(self._state.pairing.answers.values())
        pairs = self._state.pairing.answers.items()
        known = [(At(*a), At(*b)) for a, b in pairs if a[0] in index and b[0] in index]
        if any((index[a.message] in inside) != (index[b.message] in inside) for a, b in known):
            return True
        for position in inside:
            for number, part in enumerate(self._request.parsed[position].message.parts):
                if isinstance(part, ToolCall) and At(self._request.names[position], number) not in answered:
                    return True
        return False
