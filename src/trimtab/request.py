"""A payload read: its wire, its messages as values with their token counts, and the identity of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from trimtab import identity
from trimtab.body import Body
from trimtab.edits import Span
from trimtab.journal import Cut
from trimtab.marks import Mark
from trimtab.transcript import (
    Frame,
    Media,
    Message,
    Opaque,
    Part,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    Transcript,
)
from trimtab.wires.base import Wire

MESSAGE_TOKENS = 4
"""Raw tokens charged for the frame of a message, as chat templates need (OpenAI cookbook: 3 to 4)."""

MISSING = Opaque("missing")
"""Keeps the place of a part that an earlier output left out, so that the others keep their addresses."""


NOTE = 0xFFFF
"""Stands where the numbers of missing parts stand, when a whole message is a note."""


class Parsed(Struct, frozen=True):
    """A message as values, its content digest, the raw tokens of each part, and the last cache mark in it."""

    message: Message
    content: bytes
    sizes: tuple[int, ...]
    mark: Mark = Mark.NONE

    @property
    def size(self) -> int:
        return sum(self.sizes) + MESSAGE_TOKENS


class Request(Struct, frozen=True):
    """The present request. `names` are the identities of its messages, `index` finds a message by name.

    `fed_back` are the names of messages that arrived as trimtab once sent them, not as they were; those
    of `notes` arrived as a note, which bears the name of the last message it stands for. `heads` counts
    the system messages at the start: they belong to the frame. `frame_size` are the raw tokens of these,
    of system, tools and options. `mark` is what the top of the request says of cache marks; `bare` tells that it
    is a list of messages, around which nothing is known.
    """

    body: Body
    wire: Wire
    frame: Frame
    frame_size: int
    parsed: Sequence[Parsed]
    names: Sequence[bytes]
    index: Mapping[bytes, int]
    fed_back: frozenset[bytes]
    notes: frozenset[bytes]
    heads: int
    size: int
    """Raw tokens of the whole request as it was given."""
    mark: Mark = Mark.NONE
    bare: bool = False

    def where(self, span: Span | Cut) -> range:
        """The messages of a span: the note alone where that was fed back, none where it is not there."""
        first, last = self.index.get(span.first), self.index.get(span.last)
        if last is None or (first is None and span.last not in self.notes):
            return range(0)
        return range(last if first is None else first, last + 1)

    def outlived(self, cut: Cut) -> bool:
        """Whether the client sent a note into which this one went: one that ends with the same message."""
        where = self.where(cut)
        if len(where) != 1 or self.names[where.start] not in self.notes:
            return False
        return cut.handle not in countable(self.parsed[where.start].message.parts[0])

    @property
    def root(self) -> bytes:
        """The name of the first message that is not a system message; it stands for the conversation."""
        return self.names[self.heads] if self.heads < len(self.names) else identity.start(self.wire.name)

    def transcript(self) -> Transcript:
        """The request as values, as it was given."""
        given = (
            Message(one.message.role, tuple(part for part in one.message.parts if part is not MISSING))
            for one in self.parsed
        )
        return Transcript(self.wire.name, self.frame, tuple(given))

    def before(self, index: int) -> bytes:
        """The identity that the message at `index` is chained to."""
        return self.names[index - 1] if index > self.heads else identity.start(self.wire.name)


def stands_for(row: bytes) -> tuple[bytes, list[int]]:
    """What an identity in an output stands for: the name of the original, and the numbers of missing parts.

    For a note these numbers are `[NOTE]`.
    """
    size = identity.IDENTITY_BYTES
    return row[:size], [int.from_bytes(row[n : n + 2], "big") for n in range(size, len(row), 2)]


def countable(part: Part) -> str:
    """The text of a part whose tokens are counted; media are charged by rule, never by their base64."""
    match part:
        case Text() | Reasoning() | ToolResult() | Opaque():
            return part.text
        case ToolCall():
            return f"{part.name}\n{part.arguments}"
        case Media():
            return ""
