"""Items and messages of Bedrock Converse requests, and the rules that a request breaks."""

from __future__ import annotations

from typing import Any

from trimtab.transcript import Frame, Transcript
from trimtab.wires.bedrock import BEDROCK

POINT = {"cachePoint": {"type": "default"}}
PNG = {"image": {"format": "png", "source": {"bytes": "AAAA"}}}
THOUGHT = {"reasoningContent": {"reasoningText": {"text": "t", "signature": "s"}}}
SEALED = {"reasoningContent": {"redactedContent": "ZW5j"}}
SPEC = {"toolSpec": {"name": "read", "inputSchema": {"json": {"type": "object"}}}}


def text(said: str) -> dict[str, Any]:
    return {"text": said}


def use(call_id: str, given: Any = None, **fields: Any) -> dict[str, Any]:
    made = {"toolUseId": call_id, "name": "read", "input": {} if given is None else given}
    return {"toolUse": {**made, **fields}}


def result(call_id: str, *content: Any, **fields: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": call_id, "content": list(content or (text("text"),)), **fields}}


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def assistant(*content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content)}


USER = user(text("go on"))
DONE = assistant(text("done"))


def broken(*messages: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    transcript = Transcript("bedrock", Frame(), tuple(map(BEDROCK.message, messages)))
    found = [*BEDROCK.check(transcript), *BEDROCK.check_source(fields, messages)]
    return [(one.rule, one.place) for one in found]
