"""Stretches of long recorded sessions, one of each format, with facts planted in them; and the bundled example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchmarks.handoff.planted import Planted, exchanges, planted, user
from trimtab import example, sessions
from trimtab.reader import Reader
from trimtab.sessions.base import Session
from trimtab.stores import open_store
from trimtab.tokens import counter_for

MOST = 8_000
"""Raw tokens of a stretch, what is planted included."""

STRETCHES = 5
LEAST = 6_000
"""Raw tokens of a stretch that is worth a note."""
LONG = 60_000
"""Raw tokens from which on a session is long."""

WIRES = ("anthropic", "openai_chat", "openai_responses")
KEYS = {"openai_responses": "input"}


class Stretch(NamedTuple):
    """A request to be noted. `planted` is what stands in it, None in the example."""

    name: str
    request: dict[str, Any]
    planted: Planted | None
    required: tuple[str, ...]


def stretches(corpus: Path | None) -> Iterator[Stretch]:
    """The example, and where there is a corpus the stretches."""
    given = msgspec.json.decode(example.cut(5, example.session("anthropic")))
    yield Stretch("example", given, None, tuple(example.facts().values()))
    chosen = _longest(corpus) if corpus else {}
    made = (_stretch(name, session, planted(seed)) for seed, (name, session) in enumerate(sorted(chosen.items())))
    yield from islice((one for one, size in made if size >= LEAST), STRETCHES)


def _longest(corpus: Path) -> dict[str, Session]:
    """The longest session of each format that has a long one, in the wires that can be planted in."""
    found = dict[str, tuple[int, Session]]()
    for path in sorted(one for one in corpus.rglob("*") if one.is_file()):
        data = path.read_bytes()
        reader = sessions.reader_of(data)
        for session in reader.read(data) if reader else ():
            size = len(msgspec.json.encode(session.messages))
            if session.wire in WIRES and size > found.get(session.format, (3 * LONG, None))[0]:
                found[session.format] = (size, session)
    return {name: session for name, (_, session) in found.items()}


def _stretch(name: str, session: Session, what: Planted) -> tuple[Stretch, int]:
    """The messages from a third of the session on, with the planted ones among them; and their tokens."""
    extra = exchanges(session.wire, what)
    room = MOST - _size(session, [one for group in extra for one in group])
    kept = list[Sequence[Any]]()
    for group in _groups(session.messages, len(session.messages) // 3):
        size = _size(session, group)
        if size <= room:
            kept.append(group)
            room -= size
    for number, group in enumerate(extra):
        kept.insert(number * max(len(kept) // len(extra), 1), group)
    made = [*(one for group in kept for one in group), user(session.wire, "Go on.")]
    return Stretch(name, _request(session, made), what, what.required), _size(session, made)


def _boundary(messages: Sequence[Any], start: int) -> int:
    """The next place from `start` on at which no call waits for its result."""
    waiting = set[str]()
    for index, one in enumerate(messages):
        if index >= start and not waiting and _answers(one).isdisjoint(_asks(one)) and not _answers(one):
            return index
        waiting = (waiting | _asks(one)) - _answers(one)
    return len(messages)


def _groups(messages: Sequence[Any], start: int) -> Iterator[Sequence[Any]]:
    """The messages from about `start` on, in groups that tear no call from its result."""
    start = _boundary(messages, start)
    while start < len(messages):
        stop = _boundary(messages, start + 1)
        yield messages[start:stop]
        start = stop


def _asks(message: Any) -> set[str]:
    if message.get("type") == "function_call":
        return {message["call_id"]}
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    used = {part["id"] for part in parts if isinstance(part, dict) and part.get("type") == "tool_use"}
    return used | {call["id"] for call in message.get("tool_calls") or ()}


def _answers(message: Any) -> set[str]:
    if message.get("type") == "function_call_output":
        return {message["call_id"]}
    if message.get("role") == "tool":
        return {message["tool_call_id"]}
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return {part["tool_use_id"] for part in parts if isinstance(part, dict) and part.get("type") == "tool_result"}


def _request(session: Session, messages: Sequence[Any]) -> dict[str, Any]:
    fields = {key: value for key, value in session.fields.items() if key == "model"}
    return {**fields, KEYS.get(session.wire, "messages"): list(messages)}


def _size(session: Session, messages: Sequence[Any]) -> int:
    return (
        Reader(counter_for(None), open_store(None), "").read(_request(session, messages)).size if messages else 0
    )
