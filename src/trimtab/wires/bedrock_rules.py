"""The structural rules of Bedrock Converse, as findings: those of Anthropic's wire that hold here, and its own.

B1: a history begins with a user message. B2: whoever sends tool calls or results also sends `toolConfig`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trimtab.invariants import pair, place
from trimtab.transcript import JSON, Finding, Message, Role, Text, Transcript
from trimtab.wires import blocks
from trimtab.wires.blocks import items


def check(transcript: Transcript) -> Iterator[Finding]:
    """The rules that values alone can tell."""
    messages = transcript.messages
    yield from _opening(messages)
    yield from pair(messages, unanswered="A1", orphan="A2", merges=True).findings
    for index, message in enumerate(messages):
        if not message.parts:
            yield Finding("A8", place(index), "a message without content", "put a short marker there")
        for part in message.parts:
            if isinstance(part, Text) and not part.text.strip():
                yield Finding("A8", place(index, part.path), "a blank text", "leave it out or put a marker there")


def _opening(messages: Sequence[Message]) -> Iterator[Finding]:
    first = next((n for n, one in enumerate(messages) if one.role is not Role.SYSTEM), None)
    if first is not None and messages[first].role is Role.ASSISTANT:
        yield Finding("B1", place(first), "the history begins with an assistant message", "begin with a user's")


def check_source(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """The rules that need the request as it stands; of a bare list of messages nobody knows the tools.

    Raises WireError for what is no message.
    """
    used = None
    for index, source in enumerate(messages):
        message, _ = blocks.fields_of(source)
        for n, item in enumerate(items(message.get("content"))):
            spot = place(index, ("content", n))
            if isinstance(item, dict) and not {"toolUse", "toolResult"}.isdisjoint(item):
                used = used or spot
            match item:
                case {"toolUse": {"input": given}} if not isinstance(given, dict):
                    yield Finding(
                        "A15", f"{spot}.toolUse.input", "an input must be an object", "send what the model wrote"
                    )
    config = fields.get("toolConfig")
    if used and "messages" in fields and not (isinstance(config, dict) and items(config.get("tools"))):
        yield Finding(
            "B2", used, "tool calls or results, but no `toolConfig`", "offer the tools, or send plain text"
        )
