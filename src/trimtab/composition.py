"""Where the context goes: the tokens of a request by role, kind and tool, its largest parts, what it repeats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from trimtab.invariants import pair, place
from trimtab.reader import Reader
from trimtab.request import MESSAGE_TOKENS, Request
from trimtab.stores.none import NoStore
from trimtab.stubs import first_line, label
from trimtab.tokens import Counter, counter_for
from trimtab.transcript import Media, Message, Opaque, Part, Reasoning, Role, Text, ToolCall, ToolResult

SHOWN = 10
"""Largest parts and repeats that are listed."""


class Share(Struct, frozen=True):
    """Raw tokens of what goes by one name, and in how many parts."""

    name: str
    tokens: int
    parts: int


class ToolShare(Struct, frozen=True):
    """Raw tokens of one tool: what its calls say and what came back."""

    name: str
    tokens: int
    calls: int
    arguments: int
    results: int


class Large(Struct, frozen=True):
    """One part: where it stands, of which kind, what it is, and its raw tokens."""

    place: str
    kind: str
    what: str
    tokens: int


class Repeat(Struct, frozen=True):
    """Results equal byte for byte; `tokens` are those of one, `spent` those of all but the first."""

    what: str
    times: int
    tokens: int
    spent: int
    places: tuple[str, ...]


class Composition(Struct, frozen=True):
    """The make-up of a request in raw tokens by `counter`; roles add up to `tokens`, and so do kinds.

    `largest` and `repeats` are the first `SHOWN` of them; `repeated` the tokens of all repeats.
    """

    wire: str
    model: str | None
    messages: int
    tokens: int
    counter: str
    roles: tuple[Share, ...]
    kinds: tuple[Share, ...]
    tools: tuple[ToolShare, ...]
    largest: tuple[Large, ...]
    repeats: tuple[Repeat, ...]
    repeated: int

    def to_dict(self) -> dict[str, Any]:
        """The composition as plain JSON."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


class _Piece(NamedTuple):
    """A part with all that is asked of it. `text` is given for results, `tool` for calls and what answers them."""

    place: str
    role: str
    kind: str
    what: str
    tokens: int
    tool: str | None = None
    text: str | None = None


def composition(payload: Any, model: str | None = None) -> Composition:
    """Where the context of a request goes. `model` decides the tokenizer. Raises WireError."""
    counter = counter_for(model)
    request = Reader(counter, NoStore(), "").read(payload, model)
    messages = [one.message for one in request.parsed]
    pieces = [*_frame(request, counter), *_parts(messages, [one.sizes for one in request.parsed])]
    framing = [_Piece("", one.role.value, "framing", "", MESSAGE_TOKENS) for one in messages]
    repeats = sorted(_repeats(pieces), key=lambda one: -one.spent)
    return Composition(
        wire=request.wire.name,
        model=model or request.frame.model,
        messages=len(messages),
        tokens=request.size,
        counter=counter.name,
        roles=_shares((piece.role, piece.tokens, piece.kind != "framing") for piece in [*pieces, *framing]),
        kinds=_shares((piece.kind, piece.tokens, True) for piece in [*pieces, *framing]),
        tools=_tools(pieces),
        largest=tuple(
            Large(one.place, one.kind, one.what, one.tokens)
            for one in nlargest(SHOWN, pieces, key=lambda one: one.tokens)
            if one.tokens
        ),
        repeats=tuple(repeats[:SHOWN]),
        repeated=sum(one.spent for one in repeats),
    )


def tool_shares(messages: Sequence[Message], sizes: Sequence[Sequence[int]]) -> tuple[ToolShare, ...]:
    """Raw tokens by tool, largest first; `sizes` are the raw tokens of each part of each message."""
    return _tools(_parts(messages, sizes))


def _frame(request: Request, counter: Counter) -> Iterator[_Piece]:
    """System texts and tool definitions that stand beside the messages."""
    for name, kind, texts in (("system", "system", request.frame.system), ("tools", "tools", request.frame.tools)):
        for number, (text, tokens) in enumerate(zip(texts, counter.count(texts), strict=True)):
            yield _Piece(f"{name}[{number}]", name, kind, first_line(text), tokens)


def _parts(messages: Sequence[Message], sizes: Sequence[Sequence[int]]) -> Iterator[_Piece]:
    answers = pair(messages, merges=True).answers
    for index, (message, counts) in enumerate(zip(messages, sizes, strict=True)):
        for number, (part, tokens) in enumerate(zip(message.parts, counts, strict=True)):
            asked = answers.get((index, number))
            call = messages[asked[0]].parts[asked[1]] if asked else None
            yield _piece(message, part, place(index, part.path), tokens, call)


def _piece(message: Message, part: Part, spot: str, tokens: int, call: Part | None) -> _Piece:
    asked = call if isinstance(call, ToolCall) else None
    tool = asked.name if asked else "(no call)"
    role = message.role.value
    match part:
        case ToolResult():
            return _Piece(spot, "tool", "results", label(asked), tokens, tool, part.text)
        case Media(call_id=str()):
            return _Piece(spot, "tool", "media", f"{part.media_type} of {label(asked)}", tokens, tool)
        case Media():
            return _Piece(spot, role, "media", part.media_type, tokens)
        case ToolCall():
            return _Piece(spot, role, "arguments", label(part), tokens, part.name)
        case Reasoning():
            return _Piece(spot, role, "reasoning", first_line(part.text), tokens)
        case Text():
            kind = "system" if message.role is Role.SYSTEM else "text"
            return _Piece(spot, role, kind, first_line(part.text), tokens)
        case Opaque():
            return _Piece(spot, role, "other", part.kind, tokens)


def _shares(pieces: Iterable[tuple[str, int, bool]]) -> tuple[Share, ...]:
    """Tokens and number of parts by name, largest first."""
    tokens: dict[str, int] = {}
    parts: dict[str, int] = {}
    for name, size, counts in pieces:
        tokens[name] = tokens.get(name, 0) + size
        parts[name] = parts.get(name, 0) + counts
    return tuple(Share(name, tokens[name], parts[name]) for name in sorted(tokens, key=lambda one: -tokens[one]))


def _tools(pieces: Iterable[_Piece]) -> tuple[ToolShare, ...]:
    found: dict[str, list[int]] = {}
    for piece in pieces:
        if piece.tool is not None:
            counts = found.setdefault(piece.tool, [0, 0, 0])
            called = piece.kind == "arguments"
            counts[0] += called
            counts[1 if called else 2] += piece.tokens
    shares = [ToolShare(name, said + came, calls, said, came) for name, (calls, said, came) in found.items()]
    return tuple(sorted(shares, key=lambda one: -one.tokens))


def _repeats(pieces: Iterable[_Piece]) -> Iterator[Repeat]:
    same: dict[str, list[_Piece]] = {}
    for piece in pieces:
        if piece.text:
            same.setdefault(piece.text, []).append(piece)
    for group in same.values():
        if len(group) > 1:
            times, tokens = len(group), group[0].tokens
            places = tuple(piece.place for piece in group)
            yield Repeat(group[0].what, times, tokens, (times - 1) * tokens, places)
