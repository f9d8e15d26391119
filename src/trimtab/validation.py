"""Whether a provider will accept a request: every structural rule it breaks, with place and mend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from trimtab import wires
from trimtab.bindings import binds
from trimtab.body import open_body
from trimtab.invariants import place
from trimtab.transcript import JSON, Finding, Message, Part, Reasoning, Role, Transcript, is_turn
from trimtab.wires.base import Wire
from trimtab.wires.leaves import items, json_text, plain, unmarked, value_at


def validate(payload: Any, before: Any = None) -> list[Finding]:
    """The rules a request breaks, in the order of its messages; empty when it is fine. Raises WireError.

    With `before`, those on thinking too, which no request shows alone: that of the latest assistant
    message stays as it is (A4), and what is signed and bound stands over what it was made over (A5).
    `before` is the request that was sent last in this conversation or, where none was, the one that
    `payload` was made from.
    """
    given = _read(payload)
    transcript = Transcript(given.wire.name, given.wire.frame(given.fields), given.messages)
    found = [*given.wire.check(transcript), *given.wire.check_source(given.fields, given.sources)]
    if before is not None:
        found += _thinking(given, _read(before))
    return found


class _Given(NamedTuple):
    """A request as it stands and as values."""

    wire: Wire
    fields: Mapping[str, JSON]
    sources: Sequence[JSON]
    messages: tuple[Message, ...]


def _read(payload: Any) -> _Given:
    body = open_body(payload)
    fields = body.fields()
    sources = [body.source(index) for index in range(body.size)]
    wire = wires.sniff(fields, sources)
    return _Given(wire, fields, sources, tuple(map(wire.message, sources)))


def _thinking(now: _Given, before: _Given) -> Iterator[Finding]:
    if "A4" in now.wire.rules:
        yield from _changed(now, before)
    if "A5" in now.wire.rules and binds(now.wire.frame(now.fields).model) and not _drops(now.fields):
        yield from _unbound(now, before)


def _changed(now: _Given, before: _Given) -> Iterator[Finding]:
    """Thinking of the latest assistant message, where both have it; when a user has spoken it may be gone."""
    here, there = _latest(now), _latest(before)
    if here is None or there is None or _besides(now.messages[here]) != _besides(before.messages[there]):
        return
    kept = _thoughts(now, here)
    is_over = any(is_turn(one) for one in now.messages[here + 1 :])
    if kept != _thoughts(before, there) and (kept or not is_over):
        text = "the thinking of the latest assistant message is not what it was"
        yield Finding("A4", place(here), text, "send it as it came")


def _latest(given: _Given) -> int | None:
    indices = range(len(given.messages) - 1, -1, -1)
    return next((index for index in indices if given.messages[index].role is Role.ASSISTANT), None)


def _besides(message: Message) -> list[Part]:
    """What tells a message from others: its parts but thinking, wherever they stand."""
    return [replace(part, path=()) for part in message.parts if not isinstance(part, Reasoning)]


def _thoughts(given: _Given, index: int) -> list[JSON]:
    parts = given.messages[index].parts
    return [value_at(given.sources[index], one.path) for one in parts if isinstance(one, Reasoning)]


def _drops(fields: Mapping[str, JSON]) -> bool:
    """Whether the provider is asked to drop thinking that no longer holds, rather than refuse it."""
    return bool(value_at(fields, ("thinking", "block_binding", "prefix_mismatch_behavior")) == "drop_block")


def _unbound(now: _Given, before: _Given) -> Iterator[Finding]:
    """Signed thinking behind the first difference; what goes beyond the request before is new, no difference."""
    was = [json_text(block) for _, block in _blocks(before)]
    differs = False
    for number, (index, block) in enumerate(_blocks(now)):
        differs = differs or (number < len(was) and json_text(block) != was[number])
        if differs and index is not None and _is_signed(now.wire, block):
            text = "signed thinking over something else than it was made over"
            yield Finding("A5", place(index), text, "leave it out, and all thinking after it")


def _blocks(given: _Given) -> Iterator[tuple[int | None, JSON]]:
    """The request as the provider reads it: its frame, then for each message its own fields and its blocks."""
    fields = given.fields
    tools = [unmarked(tool) for tool in items(fields.get("tools"))]
    yield None, [tools, fields.get("toolConfig"), plain(fields.get("system"))]
    for index, source in enumerate(given.sources):
        named = given.wire.canonical(source)
        content = items(named.get("content"))
        yield None, {**named, "content": None}
        yield from ((index, block) for block in content)


def _is_signed(wire: Wire, block: JSON) -> bool:
    message = wire.message({"role": "assistant", "content": [block]})
    return any(isinstance(part, Reasoning) and part.bound for part in message.parts)
