"""The structural rules of Anthropic Messages, as findings. A rule's id is that of the provider's rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trimtab.bindings import adaptive_only
from trimtab.images import image_size
from trimtab.invariants import pair, place
from trimtab.transcript import JSON, Finding, Media, Message, Opaque, Role, Text, ToolResult, Transcript
from trimtab.wires import anthropic_rules_marks, anthropic_rules_references, leaves
from trimtab.wires.leaves import items, string

MOST_MEDIA = 100
MOST_CHARACTERS = 32 * 1024 * 1024
"""Base64 characters of all media: no request may be larger (A13)."""
MOST_IMAGE_CHARACTERS = 5 * 1024 * 1024
"""Base64 characters of one image (A13)."""
MANY_IMAGES = 20
MOST_PIXELS = 2000
"""Pixels of either side of an image among many (A13)."""

RULES: dict[str, str] = {
    "A1": "each `tool_use` is answered by a `tool_result` in the very next message",
    "A2": "each `tool_result` answers a `tool_use` of the message before it",
    "A3": "results of parallel calls stand in one user message",
    "A4": "the thinking of the latest assistant message stays as it is",
    "A5": "signed thinking that is bound to its prefix stands over what it was made over",
    "A7": "models that think as they see fit take no forced `tool_choice`, no disabled or budgeted `thinking`",
    "A8": "no message is empty but a last assistant's; no text block is empty or blank",
    "A9": "at most four cache marks, the automatic one included; longer ones first; none on thinking",
    "A10": "a system message holds text, follows a user or a server tool use, and is last or before an assistant",
    "A11": "a server tool's use and result stand in one assistant message, or both are gone",
    "A13": "at most 100 media, 32 MB together; images of at most 5 MB, among many of at most 2000 pixels a side",
    "A14": "a result is a text or a list of blocks, its `is_error` a boolean",
    "A15": "the `input` of a call is an object",
    "A16": "a citation names a document that is there, and words that stand in it",
    "A17": "a compaction block comes back as it came; a signed one is alone and first",
    "A18": "a tool that is added, taken away or found is defined at that place",
    "A20": "the request ends with a user message or with results",
}
"""What each finding demands, by the id of the provider's rule. A4 and A5 need the request before."""

UNCHECKED: dict[str, str] = {
    "A6": "which model made the thinking does not stand in the request",
    "A12": "whether encrypted content is as it came, only the provider can tell; no edit touches it",
    "A19": "which text was once thinking cannot be seen; no edit quotes any",
}
"""Rules that no request shows to be broken, and why."""

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
    found = [(index, part) for index, one in enumerate(messages) for part in one.parts if isinstance(part, Media)]
    images = [(index, part) for index, part in found if part.media_type.startswith("image/")]
    if len(found) > MOST_MEDIA:
        text = f"{len(found)} media, {MOST_MEDIA} are allowed"
        yield Finding("A13", "messages", text, "replace the oldest by text")
    if sum(len(part.data) for _, part in found) > MOST_CHARACTERS:
        yield Finding("A13", "messages", "media of more than 32 MB", "replace the oldest by text")
    for index, part in images:
        if len(part.data) > MOST_IMAGE_CHARACTERS:
            yield Finding("A13", place(index, part.path), "an image of more than 5 MB", "send a smaller one")
        size = image_size(part.data) if len(images) > MANY_IMAGES else None
        if size and max(size) > MOST_PIXELS:
            text = f"an image of {size.width} × {size.height} pixels among more than {MANY_IMAGES}"
            yield Finding("A13", place(index, part.path), text, f"send at most {MOST_PIXELS} pixels a side")


def check_source(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """The rules that need the request as it stands. Raises WireError for what is no message."""
    yield from _options(fields)
    for n, item in enumerate(items(fields.get("system"))):
        if isinstance(item, dict) and isinstance(item.get("text"), str) and not item["text"].strip():
            yield Finding("A8", f"system[{n}]", "an empty text block", "leave it out")
    yield from anthropic_rules_marks.check(fields, messages)
    yield from anthropic_rules_references.check(fields, messages)
    seen: set[str] = set()
    for index, source in enumerate(messages):
        message, _ = leaves.fields_of(source)
        content = items(message.get("content"))
        yield from _server_tools(index, content, seen, last=index == len(messages) - 1)
        yield from _exchanges(index, content)
    yield from _end(messages)


def _options(fields: Mapping[str, JSON]) -> Iterator[Finding]:
    if not adaptive_only(string(fields.get("model"))):
        return
    choice, thinking = fields.get("tool_choice"), fields.get("thinking")
    if isinstance(choice, dict) and choice.get("type") in ("any", "tool"):
        yield Finding("A7", "tool_choice", "this model refuses a forced tool", "use `auto`")
    if isinstance(thinking, dict) and thinking.get("type") in ("enabled", "disabled"):
        yield Finding("A7", "thinking", f"this model refuses thinking `{thinking['type']}`", "use `adaptive`")


def _server_tools(index: int, content: list[JSON], seen: set[str], last: bool) -> Iterator[Finding]:
    """Pairs of server tools. `seen` holds the ids of all their uses so far.

    A use may wait for its result in the last message, and while code it runs calls the client's tools.
    """
    found = [(n, block, leaves.kind(block)) for n, block in enumerate(content) if isinstance(block, dict)]
    answered = {string(block.get("tool_use_id")) for _, block, kind in found if _is_server_result(kind)}
    waits = last or any(kind == "tool_use" and block.get("caller") for _, block, kind in found)
    for n, block, kind in found:
        spot = place(index, ("content", n))
        if kind in SERVER_CALLS:
            seen.add(string(block.get("id")))
            if not waits and string(block.get("id")) not in answered:
                yield Finding("A11", spot, f"a {kind} without its result", "keep both or drop both")
        elif _is_server_result(kind) and string(block.get("tool_use_id")) not in seen:
            yield Finding("A11", spot, f"a {kind} without its call before it", "keep both or drop both")


def _exchanges(index: int, content: list[JSON]) -> Iterator[Finding]:
    for n, block in enumerate(content):
        match block:
            case {"type": "tool_use"} if not isinstance(block.get("input"), dict):
                spot = place(index, ("content", n, "input"))
                yield Finding("A15", spot, "the input of a call must be an object", "send what the model wrote")
            case {"type": "tool_result"}:
                yield from _result(place(index, ("content", n)), block)


def _result(spot: str, block: dict[str, Any]) -> Iterator[Finding]:
    if not isinstance(block.get("content"), str | list | None):
        yield Finding("A14", f"{spot}.content", "a result must be a text or a list of blocks", "give it a text")
    if not isinstance(block.get("is_error"), bool | None):
        yield Finding("A14", f"{spot}.is_error", "`is_error` must be a boolean", "send true or false")


def _end(messages: Sequence[JSON]) -> Iterator[Finding]:
    """A prefilled answer. Open calls and server tools that are carried on end a request rightly."""
    if not messages or leaves.fields_of(messages[-1])[1] != "assistant":
        return
    content = items(messages[-1].get("content"))
    kinds = [leaves.kind(block) for block in content]
    if "tool_use" not in kinds and not (kinds and _is_server(kinds[-1])):
        text = "the request ends with an assistant message; newer models refuse to continue it"
        yield Finding("A20", place(len(messages) - 1), text, "end with a user message")
