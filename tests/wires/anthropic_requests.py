"""Blocks and messages of Anthropic requests, and the rules that a request breaks."""

from __future__ import annotations

from typing import Any

from trimtab.transcript import Frame, Transcript
from trimtab.wires.anthropic import ANTHROPIC

MARK = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
PNG = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
USER = {"role": "user", "content": "go on"}
DONE = {"role": "assistant", "content": "done"}


def text(said: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **fields}


def use(call_id: str, given: Any = None, **fields: Any) -> dict[str, Any]:
    return {
        "type": "tool_use",
        "id": call_id,
        "name": "read",
        "input": {} if given is None else given,
        **fields,
    }


def result(call_id: str, content: Any = "text", **fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **fields}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def system(said: str) -> dict[str, Any]:
    return {"role": "system", "content": said}


def broken(*messages: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    transcript = Transcript("anthropic", Frame(), tuple(map(ANTHROPIC.message, messages)))
    found = [*ANTHROPIC.check(transcript), *ANTHROPIC.check_source(fields, messages)]
    return [(one.rule, one.place) for one in found]
