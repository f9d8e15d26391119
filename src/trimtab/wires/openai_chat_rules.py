"""The structural rules of OpenAI Chat Completions, as findings. A rule's id is that of the provider's rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trimtab.errors import WireError
from trimtab.invariants import pair, place
from trimtab.jsonbytes import decode
from trimtab.transcript import JSON, Finding, Path, Transcript
from trimtab.wires.leaves import fields_of, items, kind, string

MOST_TOOLS = 128

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})

RULES: dict[str, str] = {
    "C1": "an assistant's calls are answered, one result for each, before anyone else speaks",
    "C2": "a result follows the assistant message that made its call",
    "C3": "a message has content, unless it makes calls; results are texts; lists of calls are not empty",
    "C4": "a function's result names the function, an assistant's sound has its id",
    "C5": f"at most {MOST_TOOLS} tools",
    "C9": "the arguments of a call are valid JSON",
}
"""What each finding demands, by the id of the provider's rule."""

UNCHECKED: dict[str, str] = {
    "C6": "a system message may stand anywhere; which templates want it first the request does not say",
    "C7": "which servers want reasoning back the request does not say; the guard keeps it beside calls",
    "C8": "where a cache mark stood before cannot be seen; edits leave it on its part",
}
"""Rules that no request shows to be broken, and why."""


def check(transcript: Transcript) -> Iterator[Finding]:
    """The rules that values alone can tell."""
    yield from pair(transcript.messages, unanswered="C1", orphan="C2").findings


def check_source(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """The rules that need the request as it stands. Raises WireError for what is no message."""
    for name in ("tools", "functions"):
        if (tools := len(items(fields.get(name)))) > MOST_TOOLS:
            yield Finding("C5", name, f"{tools} tools, {MOST_TOOLS} are allowed", "offer fewer tools")
    for index, source in enumerate(messages):
        message, role = fields_of(source)
        yield from _content(index, message, role)
        yield from _names(index, message, role)
        yield from _arguments(index, message)


def _content(index: int, message: dict[str, Any], role: str) -> Iterator[Finding]:
    if message.get("tool_calls") == []:
        yield Finding("C3", place(index, ("tool_calls",)), "an empty list of calls", "leave the field out")
    instead = ("tool_calls", "function_call", "audio", "refusal") if role == "assistant" else ()
    if message.get("content") is None and role in ROLES and not any(message.get(key) for key in instead):
        yield Finding("C3", place(index), f"a message of role {role} without content", "give it a text")
    for n, item in enumerate(items(message.get("content")) if role == "tool" else []):
        if kind(item) in ("image_url", "input_audio", "file"):
            text = f"a result that holds a part of type {kind(item)}"
            yield Finding("C3", place(index, ("content", n)), text, "put it into a user message")


def _names(index: int, message: dict[str, Any], role: str) -> Iterator[Finding]:
    if role == "function" and not string(message.get("name")):
        yield Finding("C4", place(index), "a function result without a name", "name the function")
    sound = message.get("audio")
    if role == "assistant" and isinstance(sound, dict) and not string(sound.get("id")):
        yield Finding("C4", place(index, ("audio",)), "a sound without an id", "send the id it came with")


def _arguments(index: int, message: dict[str, Any]) -> Iterator[Finding]:
    """Blank arguments pass: many servers write them for tools that take none."""
    made: list[tuple[Path, JSON]] = [(("function_call",), message.get("function_call"))]
    for n, call in enumerate(items(message.get("tool_calls"))):
        made.append((("tool_calls", n, "function"), call.get("function") if isinstance(call, dict) else None))
    for path, function in made:
        given = string(function.get("arguments")) if isinstance(function, dict) else ""
        if given.strip() and not _is_json(given):
            spot = place(index, (*path, "arguments"))
            yield Finding("C9", spot, "the arguments are not valid JSON", "send what the model wrote")


def _is_json(text: str) -> bool:
    try:
        decode(text.encode(errors="replace"))
    except WireError:
        return False
    return True
