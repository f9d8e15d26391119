"""Edits: what a pass may propose. Three, no more; the engine alone carries them out."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from trimtab.transcript import JSON, Media, Message, Opaque, Part, Reasoning, Role, Text, ToolCall, ToolResult


class Loss(IntEnum):
    """What an edit takes from the visible request.

    NONE: the original can be rebuilt from the visible request, or only layout changed (tidying).
    RECOVERABLE: it comes back through the handle that the marker names.
    LOSSY: what replaces it says something else (a note), though the original is stored.
    """

    NONE = 0
    RECOVERABLE = 1
    LOSSY = 2


class Place(StrEnum):
    """The places of a request that a preset can declare it touches; all else stays byte-identical."""

    RESULTS = "results"
    ARGUMENTS = "arguments"
    REASONING = "reasoning"
    MEDIA = "media"
    ASSISTANT_TEXT = "assistant text"
    USER_TEXT = "user text"
    SYSTEM_TEXT = "system text"
    TOOLS = "tools"
    OPTIONS = "options"


class At(NamedTuple):
    """Address of a part: the identity of its message and its position in it.

    Identities, not indices: they mean the same in the next request, in a fork, and in output fed back.
    """

    message: bytes
    part: int


class Span(NamedTuple):
    """Consecutive messages, by the identities of the first and the last."""

    first: bytes
    last: bytes


class Replace(Struct, frozen=True):
    """Put `part` in the place of the part at `at`; its kind stays, except that media may become text.

    `base` is the part that the new text points to (a pointer, a difference): when a later fold edits the
    base, this part is sent as it was given again, in the same fold.
    """

    at: At
    part: Part
    reason: str
    loss: Loss = Loss.RECOVERABLE
    base: At | None = None


class Drop(Struct, frozen=True):
    """Take a whole reasoning part out. The only edit without a marker: thinking may not be quoted (A19)."""

    at: At
    reason: str
    loss: Loss = Loss.RECOVERABLE


class Ask(Struct, frozen=True):
    """A question to the model that writes notes: its answer, of at most `most` tokens within `seconds`.

    `schema` is a JSON schema with bounds that the answer may be held to where a server offers that. The prompt is
    the whole instruction all the same: a writer that cannot do schemas ignores it.
    """

    prompt: str
    system: str = ""
    most: int = 2048
    seconds: float = 60.0
    schema: Mapping[str, JSON] | None = None


class Brief(Struct, frozen=True):
    """What a handoff note is to be like: the engine has it written, checked, and put where the messages were.

    The writer has `seconds` in all and is asked for at most `most` tokens, in questions of at most `longest`
    tokens (`names_only`: without what calls and results hold; what stands between `tags` in messages is left
    out). It is asked for sections: `headings` gives titles by their keys ("" takes one out, a new key adds one),
    `extra` further instructions; or by a `prompt` of the caller's own, whose answer has no sections. The program
    adds what no model may touch, in about `program` tokens. A note has at most one `factor`-th of the tokens
    that it stands for. Where none can be had from the writer, the program's own stands if it `stands_alone`,
    else the messages stay.
    """

    prompt: str = ""
    headings: Mapping[str, str] = {}
    extra: str = ""
    most: int = 2048
    seconds: float = 60.0
    longest: int = 30_000
    names_only: bool = False
    tags: tuple[str, ...] = ()
    program: int = 2000
    factor: float = 1.5
    stands_alone: bool = False


class Summarize(Struct, frozen=True):
    """Put one user message holding `text` in the place of the messages of `span`.

    Instead of a text it may hold the brief of a handoff note.
    """

    span: Span
    text: str | Brief
    reason: str
    loss: Loss = Loss.LOSSY


Edit: TypeAlias = Replace | Drop | Summarize


def place_of(message: Message, part: Part) -> Place | None:
    """The place a part belongs to, or None when no preset may touch it."""
    match part:
        case Text():
            return {
                Role.SYSTEM: Place.SYSTEM_TEXT,
                Role.USER: Place.USER_TEXT,
                Role.ASSISTANT: Place.ASSISTANT_TEXT,
            }.get(message.role)
        case ToolCall():
            return Place.ARGUMENTS
        case Reasoning():
            return Place.REASONING
        case Media(call_id=None):
            return Place.USER_TEXT
        case Media():
            return Place.MEDIA
        case ToolResult():
            return Place.RESULTS
        case Opaque():
            return None
