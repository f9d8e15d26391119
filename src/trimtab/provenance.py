"""A request as it is sent beside the request as it was given: where each part came from, and its handle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct

from trimtab import identity
from trimtab.compactor import Compactor
from trimtab.edits import At
from trimtab.invariants import Position, pair
from trimtab.journal import SPAN, Kind
from trimtab.reader import Reader
from trimtab.request import Request, countable
from trimtab.stubs import HANDLE, label
from trimtab.transcript import Part, Reasoning, Text, ToolCall, ToolResult

FILE = -1
"""Stands for the position of a file that was cut from a system text."""


class Origin(Struct, frozen=True, kw_only=True):
    """A part as it was given.

    `index` is that of its message in the request as given, `part` its position there. `what` tells the
    call of a result. `handle` brings back what was cut of it: its own, or that of the messages that a
    note stands for (then it is `noted`); "" when nothing of it is stored. `above` is the number of lines
    of `text` above what the handle brings back: the name of a call is not among its arguments. A file in a system
    text has no message: its `index` and `part` are `FILE`.
    """

    name: bytes
    index: int
    part: int
    role: str
    what: str
    text: str
    handle: str
    noted: bool
    result: bool
    above: int

    @property
    def place(self) -> str:
        """As reports name it."""
        return "system text" if self.index == FILE else f"messages[{self.index}] part {self.part}"


class Provenance:
    """Two readings of one request: `given` is the original, `sent` what goes out.

    Without `given` the original is what the compactor's store makes of what is sent. Without a compactor
    nothing is known of a store: a handle then counts when what is sent names it. Raises WireError and
    StoreError.
    """

    def __init__(self, sent: Any, given: Any = None, compactor: Compactor | None = None) -> None:
        self.compactor = compactor or Compactor(store=None)
        settings, store = self.compactor.settings, self.compactor.store
        reader = Reader(self.compactor.counter, store, settings.namespace)
        self.sent = reader.read(sent, settings.model)
        original = self.compactor.undo(sent) if given is None else given
        self.given = self.sent if original is sent else reader.read(original, settings.model)

    @cached_property
    def around(self) -> tuple[str, ...]:
        """System texts and tools that stand outside the messages, as they are sent."""
        return (*self.sent.frame.system, *self.sent.frame.tools)

    @cached_property
    def shown(self) -> str:
        """All that is sent, as one text."""
        parts = (countable(part) for one in self.sent.parsed for part in one.message.parts)
        return "\n".join([*self.around, *parts])

    @cached_property
    def origins(self) -> list[Origin]:
        """Every part as it was given, in order, then the files that were cut from system texts.

        System messages at the head stand here as they are sent: but for these files they are as they were.
        """
        return [*self._origins(), *self._files()]

    def rendition(self, origin: Origin) -> str | None:
        """How a part is sent; None when its message is not there, or a note took its place.

        Of a file it is the system text, all of it.
        """
        if origin.index == FILE:
            return _system(self.sent)
        if origin.index < self.sent.heads:
            return origin.text
        index = self.sent.index.get(origin.name)
        if index is None or origin.name in self.sent.notes:
            return None
        parts = self.sent.parsed[index].message.parts
        return countable(parts[origin.part]) if origin.part < len(parts) else ""

    def span(self, index: int) -> str:
        """The handle of the messages that the note at message `index`, as sent, stands for; "" when it is none."""
        return self._stored[1].get(index, "")

    @cached_property
    def _notes(self) -> dict[bytes, int]:
        """The messages that gave way to notes: a note bears the name of the last one it stands for."""
        found, note = dict[bytes, int](), None
        for name in reversed(self.given.names):
            if name in self.sent.index:
                note = self.sent.index[name] if name in self.sent.notes else None
            if note is not None and name not in self.given.notes:
                found[name] = note
        return found

    def _origins(self) -> Iterator[Origin]:
        answers = pair((one.message for one in self.given.parsed), merges=True).answers
        stored, spans = self._stored
        heads = min(self.given.heads, self.sent.heads)
        parsed = [*self.sent.parsed[:heads], *self.given.parsed[heads:]]
        for index, (name, one) in enumerate(zip(self.given.names, parsed, strict=True)):
            note = self._notes.get(name)
            for number, part in enumerate(one.message.parts):
                own = identity.handle(At(name, number))
                yield Origin(
                    name=name,
                    index=index,
                    part=number,
                    role=str(one.message.role),
                    what=_what(self.given, answers, (index, number), part),
                    text=countable(part),
                    handle=(own if own in stored else "") if note is None else spans.get(note, ""),
                    noted=note is not None,
                    result=isinstance(part, ToolResult),
                    above=int(isinstance(part, ToolCall)),
                )

    def _files(self) -> Iterator[Origin]:
        """The files that were cut from system texts."""
        store, space = self.compactor.store, self.compactor.settings.namespace
        held = store.artifacts(space, [self.given.root]) if store.keeps else []
        given = _system(self.given)
        for one in held:
            text = one.data.decode("utf-8", "surrogatepass") if one.kind is Kind.TEXT and one.part == SPAN else ""
            if text and text in given:
                yield Origin(
                    name=one.origin,
                    index=FILE,
                    part=FILE,
                    role="system",
                    what=one.label,
                    text=text,
                    handle=one.handle,
                    noted=False,
                    result=False,
                    above=0,
                )

    @cached_property
    def _stored(self) -> tuple[set[str], dict[int, str]]:
        """The handles that resolve, and those of notes by the position of the note."""
        store, space = self.compactor.store, self.compactor.settings.namespace
        if not store.keeps:
            return set(HANDLE.findall(self.shown)), {}
        artifacts = store.artifacts(space, self.given.names)
        spans = [one for one in artifacts if one.kind is Kind.SPAN and one.origin in self.sent.notes]
        noted = [(self.sent.index[one.origin], one.handle) for one in spans]
        notes = {at: handle for at, handle in noted if handle in self._text(at)}
        return {one.handle for one in artifacts}, notes

    def _text(self, index: int) -> str:
        return "\n".join(countable(part) for part in self.sent.parsed[index].message.parts)


def _system(request: Request) -> str:
    """All system texts."""
    heads = (part for one in request.parsed[: request.heads] for part in one.message.parts)
    return "\n".join([*request.frame.system, *map(countable, heads)])


def _what(request: Request, answers: dict[Position[int], Position[int]], at: Position[int], part: Part) -> str:
    """What a part is, in a few words: the call that it makes or answers, else its kind."""
    index, number = answers.get(at, at)
    owner = request.parsed[index].message.parts[number]
    if isinstance(owner, ToolCall):
        return label(owner)
    return {ToolResult: "tool result", Text: "text", Reasoning: "reasoning"}.get(type(part), "media")
