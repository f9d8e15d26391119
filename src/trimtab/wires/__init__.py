"""The wires: request formats that trimtab reads and writes. A new one is a file and a line in `WIRES`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trimtab.errors import WireError
from trimtab.transcript import JSON
from trimtab.wires.anthropic import ANTHROPIC
from trimtab.wires.base import Wire
from trimtab.wires.bedrock import BEDROCK
from trimtab.wires.gemini import GEMINI
from trimtab.wires.langchain import LANGCHAIN
from trimtab.wires.leaves import kind
from trimtab.wires.openai_chat import OPENAI_CHAT
from trimtab.wires.openai_responses import OPENAI_RESPONSES

WIRES: tuple[Wire, ...] = (LANGCHAIN, OPENAI_CHAT, ANTHROPIC, OPENAI_RESPONSES, GEMINI, BEDROCK)
"""All wires; where two are equally sure of a request, the first takes it."""

SURE = 2


def by_name(name: str) -> Wire:
    """The wire of that name. Raises WireError."""
    for wire in WIRES:
        if wire.name == name:
            return wire
    raise WireError(f"no wire is named {name[:40]!r}; there are: {_names()}")


def sniff(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Wire:
    """The wire that is surest of the request. Raises WireError, with what was seen, when none can be."""
    best, most = None, 0
    for wire in WIRES:
        score = wire.sniff(fields, messages)
        if score > most:
            best, most = wire, score
        if most == SURE:
            break
    if best is None:
        raise WireError(f"this is no request that trimtab reads ({_seen(fields, messages)}); it reads: {_names()}")
    return best


def _names() -> str:
    return ", ".join(wire.name for wire in WIRES)


def _seen(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> str:
    present = ", ".join(str(name)[:40] for name, value in list(fields.items())[:12] if value is not None)
    first = messages[0] if len(messages) else None
    keys = ", ".join(str(key)[:40] for key in list(first)[:12]) if isinstance(first, dict) else ""
    looks = f"an object with {keys}" if keys else kind(first)
    return f"fields: {present or 'none'}; messages: {len(messages)}" + (f", the first {looks}" if messages else "")
