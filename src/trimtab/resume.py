"""A request that begins afresh from a note."""

from __future__ import annotations

from typing import Any

from trimtab.body import GONE
from trimtab.errors import WireError
from trimtab.reader import Reader
from trimtab.request import countable
from trimtab.stores import open_store
from trimtab.tokens import counter_for
from trimtab.transcript import JSON
from trimtab.wires import by_name

NAMES = {"openai": "openai_chat", "responses": "openai_responses"}
"""Shorter names of wires."""

MOST = 4096
"""Tokens of an answer where a wire demands that they be limited."""


def resumed(note: str, payload: Any, wire: str, model: str | None = None) -> Any:
    """A request in `wire` whose one message is the note.

    Of a payload in the same wire everything but the messages stays as it is: system, tools, options, model; it is
    of the same kind. To another wire go the system texts and the model, or the `model` given. Raises WireError for
    a payload that is none, and for a wire that is none.
    """
    to = by_name(NAMES.get(wire, wire))
    request = Reader(counter_for(None), open_store(None), "").read(payload)
    body, heads = request.body, request.heads
    if request.wire.name == to.name and heads < body.size:
        return body.rewrite({**dict.fromkeys(range(heads, body.size), GONE), heads: body.whole(to.note(note))})
    said = (countable(part) for one in request.parsed[:heads] for part in one.message.parts)
    texts = [*request.frame.system, *said]
    return _fresh(to.name, to.note(note), "\n\n".join(filter(None, texts)), model or request.frame.model or "")


def _fresh(wire: str, message: JSON, system: str, model: str) -> JSON:
    """A request of another wire from scratch."""
    given: dict[str, JSON]
    match wire:
        case "openai_chat":
            head: list[JSON] = [{"role": "system", "content": system}] if system else []
            return {"model": model, "messages": [*head, message]}
        case "openai_responses":
            given = {"instructions": system} if system else {}
            return {"model": model, **given, "input": [message]}
        case "anthropic":
            given = {"system": system} if system else {}
            return {"model": model, "max_tokens": MOST, **given, "messages": [message]}
        case "gemini":
            given = {"systemInstruction": {"parts": [{"text": system}]}} if system else {}
            return {"model": model, **given, "contents": [message]}
        case "bedrock":
            given = {"system": [{"text": system}]} if system else {}
            return {"modelId": model, **given, "messages": [message]}
    raise WireError("only a conversation of LangChain is resumed as one: its messages are objects")
