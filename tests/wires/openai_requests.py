"""Messages of OpenAI chat requests, and the rules that a request breaks."""

from __future__ import annotations

from typing import Any

from trimtab.transcript import Finding, Frame, Transcript
from trimtab.wires.openai_chat import OPENAI_CHAT

USER = {"role": "user", "content": "go on"}


def made(call_id: str, arguments: Any = "{}", name: str = "read") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def assistant(*calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **fields}


def tool(call_id: str, content: Any = "text") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def findings(*messages: dict[str, Any], **fields: Any) -> list[Finding]:
    parsed = tuple(map(OPENAI_CHAT.message, messages))
    transcript = Transcript("openai_chat", Frame(), parsed)
    return [*OPENAI_CHAT.check(transcript), *OPENAI_CHAT.check_source(fields, messages)]


def broken(*messages: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    return [(one.rule, one.place) for one in findings(*messages, **fields)]
