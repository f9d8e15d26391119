"""Long histories for judges that bring none: made up, and recorded ones from the folder TRIMTAB_CORPUS names."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.conversation import SYSTEM, WORDS, Exchange, exchanges
from benchmarks.judges.compacting import Messages, length
from trimtab import sessions
from trimtab.errors import TrimtabError
from trimtab.sessions.base import Session
from trimtab.transcript import Message, Role, Text, ToolCall, ToolResult
from trimtab.wires import by_name

CHARACTERS = 400_000
TURNS, RECORDED = 8, 2
"""The user's messages that a recorded history must have at least; the longest such are taken."""


def histories() -> dict[str, Messages]:
    """Histories as chat messages whose texts are strings, by name."""
    return {"made up": _made_up(), **_recorded(os.environ.get("TRIMTAB_CORPUS"))}


def _made_up(seed: int = 1) -> Messages:
    """A user who speaks up before every eighth call, until there is enough."""
    random, messages = Random(seed), [{"role": "system", "content": SYSTEM}]
    calls = exchanges(seed, 3000)
    while length(messages) < CHARACTERS:
        words = [" ".join(random.choices(WORDS, k=9)) for _ in range(3)]
        messages.append({"role": "user", "content": ". ".join(text.capitalize() for text in words) + "."})
        for one in islice(calls, 8):
            messages += _exchange(one, f"call_{len(messages):06d}")
    return messages


def _exchange(one: Exchange, name: str) -> Messages:
    function = {"name": one.tool, "arguments": json.dumps(one.arguments)}
    calls = [{"id": name, "type": "function", "function": function}]
    return [
        {"role": "assistant", "content": one.said, "tool_calls": calls},
        {"role": "tool", "tool_call_id": name, "content": one.result},
    ]


def _recorded(folder: str | None) -> dict[str, Messages]:
    found = _readable(sorted(Path(folder).iterdir())) if folder else ()
    longest = sorted(found, key=length, reverse=True)[:RECORDED]
    return {f"recorded {number}": messages for number, messages in enumerate(longest, 1)}


def _readable(paths: Iterable[Path]) -> Iterator[Messages]:
    """The sessions in which the user speaks often enough."""
    for path in paths:
        try:
            for session in sessions.read(path):
                messages = _chat(session)
                if sum(message["role"] == "user" for message in messages) >= TURNS:
                    yield messages
        except TrimtabError:
            continue


def _chat(session: Session) -> Messages:
    """A session of any wire as chat messages: what is said, called and answered."""
    wire = by_name(session.wire)
    return [one for source in session.messages for one in _turned(wire.message(source))]


def _turned(message: Message) -> Messages:
    results = [part for part in message.parts if isinstance(part, ToolResult)]
    texts = [part.text for part in message.parts if isinstance(part, Text)]
    calls = [part for part in message.parts if isinstance(part, ToolCall)]
    turned: Messages = [{"role": "tool", "tool_call_id": one.call_id, "content": one.text} for one in results]
    role = "user" if message.role is Role.TOOL else message.role.value
    said: dict[str, Any] = {"role": role, "content": "\n".join(texts)}
    if calls:
        functions = [(one.id, {"name": one.name, "arguments": one.arguments}) for one in calls]
        said["tool_calls"] = [{"id": name, "type": "function", "function": one} for name, one in functions]
    return [*turned, said] if texts or calls else turned
