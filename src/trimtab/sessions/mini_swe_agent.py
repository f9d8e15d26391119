"""Trajectories of mini-swe-agent: its messages are those it sent, with what it notes for itself in `extra`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.base import Call, Session
from trimtab.sessions.lines import mapping
from trimtab.sessions.reported import seconds, usage, without_nulls
from trimtab.transcript import JSON
from trimtab.wires.leaves import string, value_at

_FORMAT = re.compile(rb'"trajectory_format"\s*:\s*"mini-swe-agent')
_OWN = ("extra", "timestamp", "provider_specific_fields")
"""What is not sent, or repeats what is."""


class MiniSweAgent:
    """Reads `.traj.json` files of mini-swe-agent: chat with tool calls, chat with text actions, or Responses."""

    name: ClassVar[str] = "mini-swe-agent"

    def sniff(self, data: bytes) -> bool:
        """An object that names this trajectory format."""
        return data.lstrip()[:1] == b"{" and _FORMAT.search(data) is not None

    def read(self, data: bytes) -> Iterator[Session]:
        """The one session of the file. Raises WireError."""
        file = decode(data)
        messages = file.get("messages") if isinstance(file, dict) else None
        if not isinstance(messages, list):
            raise WireError("a mini-swe-agent trajectory without a list of messages")
        model = string(value_at(file, ("info", "config", "model", "model_name"))) or None
        yield _session(string(file.get("instance_id")), model, [one for one in messages if isinstance(one, dict)])


def _session(name: str, model: str | None, recorded: Sequence[dict[str, Any]]) -> Session:
    calls: list[Call] = []
    sent: list[JSON] = []
    for message in recorded:
        answered = message.get("role") == "assistant" or message.get("object") == "response"
        if answered and sent:
            calls.append(_call(message, model, len(sent)))
        sent += _sent(message)
    responses = any(one.get("object") == "response" for one in recorded)
    tools = responses or any(one.get("tool_calls") for one in recorded)
    return Session(
        format=MiniSweAgent.name,
        name=name,
        wire="openai_responses" if responses else "openai_chat",
        messages=tuple(sent),
        calls=tuple(calls),
        fields={"model": model} if model else {},
        partial="tools" if tools else "",
    )


def _sent(message: dict[str, Any]) -> list[JSON]:
    """What goes to the model for a recorded message; nothing for the note on how the run ended."""
    if message.get("object") == "response":
        output = message.get("output")
        return output if isinstance(output, list) else []
    if not isinstance(message.get("role"), str):
        return [without_nulls(message, *_OWN)] if message.get("type") == "function_call_output" else []
    return [] if message["role"] == "exit" else [without_nulls(message, *_OWN)]


def _call(message: dict[str, Any], model: str | None, stop: int) -> Call:
    extra = mapping(message.get("extra"))
    response = message if message.get("object") == "response" else mapping(extra.get("response"))
    return Call(
        start=0,
        stop=stop,
        at=seconds(extra.get("timestamp") or message.get("timestamp") or response.get("created")),
        model=string(response.get("model")) or model,
        usage=usage(response.get("usage")),
    )


MINI_SWE_AGENT = MiniSweAgent()
