"""The structural rules of Anthropic Messages, as findings. A rule's id is that of the provider's rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trimtab.bindings import adaptive_only
from trimtab.invariants import pair, place
from trimtab.transcript import JSON, Finding, Media, Message, Opaque, Role, Text, ToolResult, Transcript
from trimtab.wires import blocks
from trimtab.wires.blocks import items, string

MOST_MARKS = 4
MOST_MEDIA = 100
MOST_MEDIA_CHARACTERS = 5 * 1024 * 1024
"""Base64 characters of one medium (A13)."""

SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})


def check(transcript: Transcript) -> Iterator[Finding]:
    """The rules that values alone can tell. The API takes assistant messages in a row for one message."""
    messages = transcript.messages
    yield from pair(messages, unanswered="A1", orphan="A2", merges=True).findings
    yield from _split_results(messages)
    for index, message in enumerate(messages):
        yield from _empty(index, message, last=index == len(messages) - 1)
    yield from _system_messages(messages)
    yield from _media(messages)


def _split_results(messages: Sequence[Message]) -> Iterator[Finding]:
    before = False
    for index, message in enumerate(messages):
        answers = any(isinstance(part, ToolResult) for part in message.parts)
        if answers and before:
            text = "results of parallel calls are spread over several messages"
            yield Finding("A3", place(index), text, "put them into one user message")
        before = answers


def _empty(index: int, message: Message, last: bool) -> Iterator[Finding]:
    said = message.parts not in ((), (Text("", ("content",)),))
    if not said and not (last and message.role is Role.ASSISTANT):
        yield Finding("A8", place(index), "a message without content", "put a short marker there")
    for part in message.parts if said else ():
        blank = isinstance(part, Text) and not part.text.strip()
        hollow = isinstance(part, ToolResult) and not part.text and part.path[-1:] == ("text",)
        if blank or hollow:
            yield Finding(
                "A8", place(index, part.path), "an empty text block", "leave it out or put a marker there"
            )


def _system_messages(messages: Sequence[Message]) -> Iterator[Finding]:
    for index, message in enumerate(messages):
        if message.role is not Role.SYSTEM:
            continue
        if any(not isinstance(part, Text) for part in message.parts):
            yield Finding("A10", place(index), "a system message may hold text only", "move the rest")
        before = messages[index - 1] if index else None
        if before is None or not (before.role is Role.USER or _pauses(before)):
            text = "a system message must follow a user message or a server tool use"
            yield Finding("A10", place(index), text, "use the top-level `system` field")
        if index + 1 < len(messages) and messages[index + 1].role is not Role.ASSISTANT:
            text = "a system message must be the last or be followed by an assistant message"
            yield Finding("A10", place(index), text, "put it after the user message")


def _pauses(message: Message) -> bool:
    """Whether an assistant message ends in a server tool use, which the provider then carries on."""
    end = message.parts[-1] if message.parts else None
    return message.role is Role.ASSISTANT and isinstance(end, Opaque) and _is_server(end.kind)


def _is_server(kind: str) -> bool:
    return kind in SERVER_CALLS or _is_server_result(kind)


def _is_server_result(kind: str) -> bool:
    return kind.endswith("_tool_result")


def _media(messages: Sequence[Message]) -> Iterator[Finding]:
    number = 0
    for index, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, Media):
                number += 1
                if len(part.data) > MOST_MEDIA_CHARACTERS:
                    yield Finding(
                        "A13", place(index, part.path), "a medium of more than 5 MB", "send a smaller one"
                    )
    if number > MOST_MEDIA:
        text = f"{number} media, {MOST_MEDIA} are allowed"
        yield Finding("A13", "messages", text, "replace the oldest by text")


def check_source(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """The rules that need the request as it stands. Raises WireError for what is no message."""
    yield from _options(fields)
    for n, item in enumerate(items(fields.get("system"))):
        if isinstance(item, dict) and isinstance(item.get("text"), str) and not item["text"].strip():
            yield Finding("A8", f"system[{n}]", "an empty text block", "leave it out")
    yield from _marks(fields, messages)
    seen: set[str] = set()
    for index, source in enumerate(messages):
        message, _ = blocks.fields_of(source)
        content = items(message.get("content"))
        yield from _server_tools(index, content, seen, last=index == len(messages) - 1)
        yield from _inputs(index, content)
    yield from _end(messages)


def _options(fields: Mapping[str, JSON]) -> Iterator[Finding]:
    if not adaptive_only(string(fields.get("model"))):
        return
    choice, thinking = fields.get("tool_choice"), fields.get("thinking")
    if isinstance(choice, dict) and choice.get("type") in ("any", "tool"):
        yield Finding("A7", "tool_choice", "this model refuses a forced tool", "use `auto`")
    if isinstance(thinking, dict) and thinking.get("type") in ("enabled", "disabled"):
        yield Finding("A7", "thinking", f"this model refuses thinking `{thinking['type']}`", "use `adaptive`")


def _marks(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    marks = list(_marked(fields, messages))
    if len(marks) > MOST_MARKS:
        text = f"{len(marks)} cache marks, {MOST_MARKS} are allowed"
        yield Finding("A9", marks[MOST_MARKS][0], text, "remove the oldest marks in messages")
    short = False
    for spot, item in marks:
        mark = item["cache_control"]
        lasts = isinstance(mark, dict) and mark.get("ttl") == "1h"
        if lasts and short:
            yield Finding("A9", spot, "a cache mark of 1 h stands after one of 5 min", "order them longest first")
        short = short or not lasts
        if item.get("type") in ("thinking", "redacted_thinking"):
            yield Finding("A9", spot, "a cache mark on thinking", "put it on the block before")


def _marked(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every item with a cache mark, in the order in which the provider reads the request."""
    for name in ("tools", "system"):
        yield from _marked_items(items(fields.get(name)), name)
    for index, message in enumerate(messages):
        content = items(message.get("content")) if isinstance(message, dict) else []
        for n, item in enumerate(content):
            if isinstance(item, dict) and item.get("type") == "tool_result":
                yield from _marked_items(items(item.get("content")), place(index, ("content", n, "content")))
            yield from _marked_items([item], place(index, ("content",)), n)


def _marked_items(found: Sequence[JSON], where: str, start: int = 0) -> Iterator[tuple[str, dict[str, Any]]]:
    for n, item in enumerate(found, start):
        if isinstance(item, dict) and item.get("cache_control") is not None:
            yield f"{where}[{n}]", item


def _server_tools(index: int, content: list[JSON], seen: set[str], last: bool) -> Iterator[Finding]:
    """Pairs of server tools. `seen` holds the ids of all their uses so far.

    A use may wait for its result in the last message, and while code it runs calls the client's tools.
    """
    found = [(n, block, blocks.kind(block)) for n, block in enumerate(content) if isinstance(block, dict)]
    answered = {string(block.get("tool_use_id")) for _, block, kind in found if _is_server_result(kind)}
    waits = last or any(kind == "tool_use" and block.get("caller") for _, block, kind in found)
    for n, block, kind in found:
        spot = place(index, ("content", n))
        if kind in SERVER_CALLS:
            seen.add(string(block.get("id")))
            if not waits and block.get("id") not in answered:
                yield Finding("A11", spot, f"a {kind} without its result", "keep both or drop both")
        elif _is_server_result(kind) and string(block.get("tool_use_id")) not in seen:
            yield Finding("A11", spot, f"a {kind} without its call before it", "keep both or drop both")


def _inputs(index: int, content: list[JSON]) -> Iterator[Finding]:
    for n, block in enumerate(content):
        match block:
            case {"type": "tool_use"} if not isinstance(block.get("input"), dict):
                spot = place(index, ("content", n, "input"))
                yield Finding("A15", spot, "the input of a call must be an object", "send what the model wrote")
            case {"type": "compaction", "content": ""}:
                spot = place(index, ("content", n))
                yield Finding("A17", spot, "a compaction block with empty content", "send it as it came")


def _end(messages: Sequence[JSON]) -> Iterator[Finding]:
    """A prefilled answer. Open calls and server tools that are carried on end a request rightly."""
    if not messages or blocks.fields_of(messages[-1])[1] != "assistant":
        return
    content = items(messages[-1].get("content"))
    kinds = [blocks.kind(block) for block in content]
    if "tool_use" not in kinds and not (kinds and _is_server(kinds[-1])):
        text = "the request ends with an assistant message; newer models refuse to continue it"
        yield Finding("A20", place(len(messages) - 1), text, "end with a user message")
