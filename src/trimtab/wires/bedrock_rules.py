"""The structural rules of Bedrock Converse, as findings: those of Anthropic's wire that hold here, and its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from trimtab.invariants import pair, place
from trimtab.transcript import JSON, Finding, Message, Role, Text, Transcript
from trimtab.wires import leaves
from trimtab.wires.leaves import items

RULES: dict[str, str] = {
    "A1": "each `toolUse` is answered by a `toolResult` in the very next message",
    "A2": "each `toolResult` answers a `toolUse` of the message before it",
    "A4": "the thinking of the latest assistant message stays as it is",
    "A5": "signed thinking that is bound to its prefix stands over what it was made over",
    "A8": "no message is empty, no text is blank",
    "A15": "the `input` of a call is an object",
    "B1": "the history begins with a user message",
    "B2": "whoever sends calls or results also sends `toolConfig`",
    "B3": "messages of users and assistants take turns",
}
"""What each finding demands, by the id of the provider's rule; B1 to B3 are this wire's own (B3:
langchain-aws#130, Portkey-AI/gateway#748, semantic-kernel#10281).

A4 and A5, of Claude's models, need the request before.
"""

UNCHECKED: dict[str, str] = {}
"""Rules that no request shows to be broken: none."""


def check(transcript: Transcript) -> Iterator[Finding]:
    """The rules that values alone can tell."""
    messages = transcript.messages
    yield from _opening(messages)
    yield from _turns(messages)
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


def _turns(messages: Sequence[Message]) -> Iterator[Finding]:
    for index, (one, following) in enumerate(pairwise(messages), 1):
        if one.role is following.role and one.role is not Role.SYSTEM:
            text = f"a second {following.role} message in a row"
            yield Finding("B3", place(index), text, "join the two, block by block")


def check_source(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """The rules that need the request as it stands; of a bare list of messages nobody knows the tools.

    Raises WireError for what is no message.
    """
    used = None
    for index, source in enumerate(messages):
        message, _ = leaves.fields_of(source)
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
