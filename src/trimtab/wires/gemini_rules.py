"""The structural rules of Gemini, as findings, and how its fields are spelled.

A rule's id is that of the provider's rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trimtab.errors import WireError
from trimtab.invariants import place
from trimtab.transcript import JSON, Finding, Media, Message, Role, ToolCall, ToolResult, Transcript
from trimtab.wires.leaves import items, kind, string

SIGNATURE = "thoughtSignature"

RESULT = (("functionResponse",), ("function_response",))
"""The third step of a path into a result; what stands beside results is no result of its own."""

CAMEL = {
    re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name): name
    for name in (
        *("functionCall", "functionResponse", "inlineData", "fileData", SIGNATURE, "executableCode"),
        *("codeExecutionResult", "toolCall", "toolResponse", "videoMetadata", "partMetadata", "mediaResolution"),
        *("mimeType", "fileUri", "displayName", "systemInstruction", "generationConfig", "cachedContent"),
        *("maxOutputTokens", "responseMimeType", "responseSchema", "responseJsonSchema"),
    )
}
"""The names of fields in camel case by those in snake case; the API takes both."""

_SNAKE = {camel: snake for snake, camel in CAMEL.items()}

SIGNING = re.compile(r"\bgemini-(?:[3-9]|[1-9]\d)")
"""Models that refuse a call of the current turn without its signature: Gemini 3 and later (G4)."""

RULES: dict[str, str] = {
    "G1": "a turn's function calls have as many results, right after them",
    "G2": "the request neither opens with a function call nor ends with a model's words",
    "G3": "results of one turn's calls stand in one content",
    "G4": "the first call of each step of the current turn has its `thoughtSignature`, from Gemini 3 on",
    "G5": "calls and results name their function; an id is that of a call",
    "G6": "roles are `user` and `model`",
}
"""What each finding demands, by the id of the provider's rule."""

UNCHECKED: dict[str, str] = {
    "G7": "whether a signature is as it came, only the provider can tell; no edit touches it",
}
"""Rules that no request shows to be broken, and why."""


def spelled(held: JSON, name: str) -> str:
    """The key under which an object holds a field, given in camel case."""
    snake = _SNAKE[name]
    return snake if isinstance(held, dict) and held.get(name) is None and snake in held else name


def field(held: JSON, name: str) -> JSON:
    """The value of a field, whichever way it is spelled; None where there is none."""
    return held.get(spelled(held, name)) if isinstance(held, Mapping) else None


def content_of(source: JSON) -> tuple[dict[str, Any], str]:
    """A content's fields and its role, which is the user's when none is given. Raises WireError."""
    if not isinstance(source, dict):
        raise WireError(f"expected a content, an object with `parts`; found: {kind(source)}")
    role = source.get("role")
    if role is not None and not isinstance(role, str):
        raise WireError(f"expected a content with a `role` of type string; its role is: {kind(role)}")
    return source, role or "user"


def check(transcript: Transcript) -> Iterator[Finding]:
    """The rules that values alone can tell."""
    messages = transcript.messages
    yield from _opening(messages)
    yield from _groups(messages)
    last = messages[-1] if messages else None
    if last and last.role is Role.ASSISTANT and not _calls(last):
        yield Finding("G2", place(len(messages) - 1), "the request ends with a model's turn", "end with a user's")


def _opening(messages: Sequence[Message]) -> Iterator[Finding]:
    if messages and messages[0].role is Role.ASSISTANT and _calls(messages[0]):
        text = "the request opens with a function call, which must follow a user's turn"
        yield Finding("G2", place(0), text, "keep the user's turn before it")


def _groups(messages: Sequence[Message]) -> Iterator[Finding]:
    """Calls and their results. Model turns in a row count as one; a group at the end may be open."""
    group = _Group()
    for index, message in enumerate(messages):
        if message.role is Role.ASSISTANT:
            if group.closed or group.answers:
                yield from group.close()
                group = _Group()
            group.add(index, _calls(message))
        elif answers := _answers(message):
            yield from group.answer(index, answers)
        else:
            yield from group.close()
    if group.answers:
        yield from group.close()


class _Group:
    """The calls of a model's turn and how many of them were answered."""

    def __init__(self) -> None:
        self.index, self.calls = 0, list[ToolCall]()
        self.answers, self.closed = 0, False

    def add(self, index: int, calls: Sequence[ToolCall]) -> None:
        """Take in calls of a model's content."""
        self.index = self.index if self.calls else index
        self.calls += calls

    def answer(self, index: int, ids: Sequence[str]) -> Iterator[Finding]:
        """Take in the results of a user's content."""
        if self.closed or not self.calls:
            text = "results that answer no call of the turn before"
            yield Finding("G1", place(index), text, "keep calls and their results together, or drop both")
            return
        if self.answers:
            text = "results of one turn's calls are spread over several contents"
            yield Finding("G3", place(index), text, "put them into one content")
        self.answers += len(ids)
        known = {call.id for call in self.calls}
        for one in ids:
            if one and "" not in known and one not in known:
                text = f"the id {one[:80]!r} is that of no call of the turn before"
                yield Finding("G5", place(index), text, "send the id of the call, or none")

    def close(self) -> Iterator[Finding]:
        """No more results can come."""
        if not self.closed and self.answers != len(self.calls):
            text = f"{len(self.calls)} function calls, but {self.answers} results right after them"
            yield Finding(
                "G1", place(self.index), text, "send one result for each call, in the order of the calls"
            )
        self.closed = True


def _calls(message: Message) -> list[ToolCall]:
    return [part for part in message.parts if isinstance(part, ToolCall)]


def _answers(message: Message) -> list[str]:
    """The call id of each result: its values stand below one part of the content, a medium may stand beside it."""
    found = {
        part.path[:2]: part.call_id
        for part in message.parts
        if isinstance(part, ToolResult | Media) and part.path[2:3] in RESULT
    }
    return [call_id or "" for call_id in found.values()]


def check_source(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """The rules that need the request as it stands. Raises WireError for what is no content."""
    turn = 0
    for index, source in enumerate(messages):
        content, role = content_of(source)
        parts = items(content.get("parts"))
        if role not in ("user", "model"):
            yield Finding("G6", place(index), f"the role {role[:40]!r}", "use `user` or `model`")
        elif role == "user" and not any(field(part, "functionResponse") for part in parts):
            turn = index
        yield from _names(index, parts)
    if SIGNING.search(string(fields.get("model"))):
        for index in range(turn, len(messages)):
            yield from _signature(index, items(messages[index].get("parts")))


def _names(index: int, parts: Sequence[JSON]) -> Iterator[Finding]:
    for n, part in enumerate(parts):
        for name in ("functionCall", "functionResponse"):
            held = field(part, name)
            if isinstance(held, dict) and not string(held.get("name")):
                yield Finding("G5", place(index, ("parts", n)), f"a {name} without a name", "name the function")


def _signature(index: int, parts: Sequence[JSON]) -> Iterator[Finding]:
    """The first of parallel calls carries the signature of all."""
    n = next((n for n, part in enumerate(parts) if field(part, "functionCall") is not None), None)
    if n is not None and not field(parts[n], SIGNATURE):
        text = "a call of the current turn without its thoughtSignature"
        yield Finding("G4", place(index, ("parts", n)), text, "send the part as it came")
