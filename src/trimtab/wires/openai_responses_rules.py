"""The structural rules of OpenAI Responses, as findings. A rule's id is that of the provider's rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trimtab.errors import WireError
from trimtab.invariants import pair, place
from trimtab.transcript import (
    COMPACT,
    JSON,
    Finding,
    Message,
    Opaque,
    Reasoning,
    Role,
    ToolCall,
    ToolResult,
    Transcript,
)
from trimtab.wires.leaves import kind, string

PREFIXES = {"function_call": "fc", "reasoning": "rs", "message": "msg", "compaction": "cmp"}
"""How the ids begin that the provider gives to items of its own (R5)."""

PAIRS = {
    "tool_search_output": ("call_id", "tool_search_call", "call_id"),
    "program_output": ("call_id", "program", "call_id"),
    "mcp_approval_response": ("approval_request_id", "mcp_approval_request", "id"),
}
"""Answers that are kept whole: the field that names the call, the type of the call, and its field (R1)."""

NO_PAIR = ("", "", "")
CALLERS = {name: field for _, name, field in PAIRS.values()}
REFERENCE = "item_reference"

RULES: dict[str, str] = {
    "R1": "a result answers a call that stands before it, and each call but the newest has its result",
    "R2": "reasoning is followed by an item of the same output",
    "R3": "reasoning has a `summary`, be it empty",
    "R5": "an id that the provider gave begins as it gives them",
    "R7": "a history at the provider comes from one place, and nothing compacted is sent beside it",
    "R8": "a `compaction_trigger` is the last item; a `compaction` has its `encrypted_content`",
    "R10": "arguments are texts, outputs are texts or lists",
    "R11": "with `store: false` no item only names what was not kept",
}
"""What each finding demands, by the id of the provider's rule."""

UNCHECKED: dict[str, str] = {
    "R4": "whose key an encrypted item was made with, only the provider can tell; no edit touches it",
    "R6": "which `phase` a message had cannot be seen; edits leave it",
    "R9": "whether the provider cuts from the front is its own affair",
}
"""Rules that no request shows to be broken, and why."""


def item_of(source: JSON) -> tuple[dict[str, Any], str]:
    """An item's fields and type; bare messages and references need not name theirs. Raises WireError."""
    if isinstance(source, dict):
        if isinstance(name := source.get("type"), str):
            return source, name
        for key, name in (("role", "message"), ("id", REFERENCE)):
            if isinstance(source.get(key), str):
                return source, name
    raise WireError(f"expected an item, an object with a `type` or a `role`; found: {kind(source)}")


def check(transcript: Transcript) -> Iterator[Finding]:
    """The rules that values alone can tell."""
    if not _reaches_beyond(transcript):
        yield from _pairs(transcript.messages)
    yield from _dangling(transcript.messages)


def _reaches_beyond(transcript: Transcript) -> bool:
    """Whether the provider holds items that are not here, calls and results perhaps."""
    return bool(transcript.frame.hands_off) or any(
        isinstance(part, Opaque) and part.kind == REFERENCE
        for message in transcript.messages
        for part in message.parts
    )


def _pairs(messages: Sequence[Message]) -> Iterator[Finding]:
    """A result needs its call before it, a call its result anywhere after; the newest calls may be open."""
    answers = pair(messages, merges=True).answers
    answered, newest = set(answers.values()), _newest_exchange(messages)
    for index, message in enumerate(messages):
        for number, part in enumerate(message.parts):
            here = (index, number)
            if isinstance(part, ToolResult) and here not in answers:
                yield _unpaired(index, f"the result for call {part.call_id[:80]!r} answers no call before it")
            elif isinstance(part, ToolCall) and here not in answered and index < newest:
                yield _unpaired(index, f"call {part.id[:80]!r} has no result")


def _unpaired(index: int, text: str) -> Finding:
    return Finding("R1", place(index), text, "keep a call and its results together, or drop both")


def _newest_exchange(messages: Sequence[Message]) -> int:
    """Where the model's last output begins, when nothing but results follow it."""
    index = len(messages)
    for role in (Role.TOOL, Role.ASSISTANT):
        while index and messages[index - 1].role is role:
            index -= 1
    return index


def _dangling(messages: Sequence[Message]) -> Iterator[Finding]:
    """Reasoning, alone or in a row, that no item of the same output follows."""
    found, followed = [], False
    for index, message in reversed(list(enumerate(messages))):
        if not any(isinstance(part, Reasoning) for part in message.parts):
            followed = message.role is Role.ASSISTANT
        elif not followed:
            text = "reasoning without the item that followed it"
            found.append(Finding("R2", place(index), text, "send the item too, or leave the reasoning out"))
    yield from reversed(found)


def check_source(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """The rules that need the request as it stands. Raises WireError for what is no item."""
    if fields.get("previous_response_id") and fields.get("conversation"):
        text = "`previous_response_id` and `conversation` exclude each other"
        yield Finding("R7", "conversation", text, "send one of them")
    found = [item_of(source) for source in messages]
    for index, (item, name) in enumerate(found):
        if name == "compaction" and fields.get("previous_response_id"):
            text = "a compaction beside `previous_response_id` brings the history twice"
            yield Finding("R7", place(index), text, "send one of them")
        yield from _item(index, item, name, last=index == len(found) - 1)
        if fields.get("store") is False and _is_bare(item, name):
            text = f"a {name} that only names what `store: false` did not keep"
            yield Finding("R11", place(index), text, "send the item in full, or leave it out")
    if not any(name == REFERENCE for _, name in found) and not (
        fields.get("previous_response_id") or fields.get("conversation")
    ):
        yield from _answers(found)


def _is_bare(item: dict[str, Any], name: str) -> bool:
    says = any(item.get(key) for key in ("summary", "content", "encrypted_content"))
    return name == REFERENCE or (name == "reasoning" and not says)


def _item(index: int, item: dict[str, Any], name: str, last: bool) -> Iterator[Finding]:
    spot = place(index)
    if name == "reasoning" and not isinstance(item.get("summary"), list):
        yield Finding("R3", spot, "reasoning without `summary`", "send it, be it `[]`")
    prefix = PREFIXES.get(name, "") if name != "message" or item.get("role") == "assistant" else ""
    if (given := string(item.get("id"))) and not given.startswith(prefix):
        yield Finding("R5", f"{spot}.id", f"the id of a {name} begins with {prefix!r}", "leave the id out")
    if name == COMPACT and not last:
        yield Finding("R8", spot, f"a {COMPACT} must be the last item", "put it last")
    if name == "compaction" and not string(item.get("encrypted_content")):
        yield Finding("R8", spot, "a compaction without `encrypted_content`", "send it as it came")
    if name == "function_call" and not isinstance(item.get("arguments"), str):
        yield Finding("R10", f"{spot}.arguments", "arguments must be a text", "send what the model wrote")
    if name == "custom_tool_call" and not isinstance(item.get("input"), str):
        yield Finding("R10", f"{spot}.input", "the input must be a text", "send what the model wrote")
    if name in ("function_call_output", "custom_tool_call_output") and not isinstance(
        item.get("output"), str | list
    ):
        yield Finding("R10", f"{spot}.output", "an output must be a text or a list", "give it a text")


def _answers(found: Sequence[tuple[dict[str, Any], str]]) -> Iterator[Finding]:
    """The pairs that are kept whole. What the server runs by itself names no call."""
    made: dict[tuple[str, str], int] = {}
    answered: set[tuple[str, str]] = set()
    turn = max((index for index, (item, _) in enumerate(found) if item.get("role") == "user"), default=-1)
    for index, (item, name) in enumerate(found):
        if name in CALLERS and (own := string(item.get(CALLERS[name]))):
            made[name, own] = index
        field, caller, _ = PAIRS.get(name, NO_PAIR)
        if field and (asked := string(item.get(field))):
            answered.add((caller, asked))
            if (caller, asked) not in made:
                yield _unpaired(index, f"the {name} for {asked[:80]!r} answers nothing before it")
    for (name, own), index in made.items():
        if (name, own) not in answered and index < turn and name != "mcp_approval_request":
            yield _unpaired(index, f"the {name} {own[:80]!r} has no output")
