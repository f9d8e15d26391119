"""LangChain messages: objects, and the three forms of JSON in which they are kept.

Those are what `model_dump` gives, what `message_to_dict` gives (`{"type": …, "data": …}`), and what `dumpd`
gives (`{"lc": 1, "type": "constructor", …}`). Pairs such as ("human", "text") are templates, no messages, and
refused.

A message is named by what its model is sent: type (a chunk is named as the whole message), name, call id,
whether it failed, content, calls, and reasoning, refusal, audio and raw calls in `additional_kwargs`. Its id,
`response_metadata`, `usage_metadata`, `artifact` and all else may come or go, in a checkpoint or on the way to
one, and rename nothing.

Rules: L1, a call without its result right after the message; L2, a result that answers no open call. LangChain
turns messages into those of a provider one by one and in this order, so every provider's rules ask for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from trimtab.errors import WireError
from trimtab.invariants import pair
from trimtab.jsonbytes import Op, Set
from trimtab.transcript import (
    JSON,
    Finding,
    Frame,
    Media,
    Message,
    Opaque,
    Part,
    Path,
    Reasoning,
    Role,
    Text,
    ToolCall,
    ToolResult,
    Transcript,
)
from trimtab.wires import langchain_calls, langchain_items, leaves
from trimtab.wires.base import Fate, Row
from trimtab.wires.leaves import items, json_text, kind, string, value_at

ROLES = {
    "system": Role.SYSTEM,
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
SPEAKERS = {"system": "system", "developer": "system", "user": "human", "assistant": "ai"}
"""What the role of a chat message makes of it; any other is kept whole."""

BESIDE = ("reasoning_content", "reasoning", "thinking_blocks", "refusal", "audio", "tool_calls", "function_call")
"""What integrations send of `additional_kwargs`."""

ROWS = (
    Row("a text, or a content given as a string", Fate.EDITED, Text),
    Row("the content of a tool or function message", Fate.EDITED, ToolResult, "its id, name and status stay"),
    Row("a document of plain text", Fate.EDITED, Text),
    Row("the arguments of a call", Fate.EDITED, ToolCall, "in every place of the message that holds them"),
    Row("the arguments of a `function_call`", Fate.EDITED, ToolCall, "with those of the call that it repeats"),
    Row(
        "an image, sound, video or file: base64, URL or id",
        Fate.REPLACED,
        Media,
        "in any form, a cache mark stays",
    ),
    Row("the same in a result", Fate.REPLACED, Media),
    Row("reasoning in the content", Fate.DROPPED, Reasoning),
    Row("reasoning in `additional_kwargs`", Fate.DROPPED, Reasoning, "never beside calls"),
    Row("arguments that are no JSON", Fate.KEPT, ToolCall, "invalid calls, free text"),
    Row("what has citations or annotations, or may be cited", Fate.KEPT, Opaque),
    Row("a refusal, the sound of an answer", Fate.KEPT, Opaque),
    Row("a result inside another message's content", Fate.KEPT, Opaque, "Anthropic's form of it"),
    Row("what the provider did by itself, and unknown content", Fate.KEPT, Opaque),
    Row("a message of a type or role that is not known", Fate.KEPT, Opaque),
    Row("a `RemoveMessage`", Fate.KEPT, Opaque, "no model is sent it: it counts nothing"),
    Row("an object, or any of its forms in JSON", Fate.SAME),
    Row("a chunk, or the whole message", Fate.SAME),
    Row("`cache_control`", Fate.SAME, remark="it moves from call to call"),
    Row("`id`, `response_metadata`, `usage_metadata`", Fate.SAME, remark="a checkpoint may add or lose them"),
    Row("`artifact`, other `additional_kwargs`", Fate.SAME, remark="never read, counted or touched"),
    Row("`name`, whether a result is an error", Fate.COUNTS),
)

RULES = {
    "L1": "each call is answered by a tool message right after its message",
    "L2": "each tool message answers a call of the message before it and its results",
}
"""What each finding demands; both are this wire's own, and every provider's behind it."""


class LangChain:
    """The wire of lists of `langchain_core.messages`. Paths lead into the JSON of one message."""

    name: ClassVar[str] = "langchain"
    alternates: ClassVar[bool] = False
    rows: ClassVar[tuple[Row, ...]] = ROWS
    rules: ClassVar[Mapping[str, str]] = RULES
    unchecked: ClassVar[Mapping[str, str]] = {}

    def sniff(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> int:
        """2 for a message whose `type` is one of LangChain's, 1 for a pair that could become one."""
        match first := messages[0] if len(messages) else None:
            case [str(speaker), _]:
                return int(speaker in ROLES or speaker in SPEAKERS)
        try:
            held, name, _ = opened(first)
        except WireError:
            return 0
        return 2 if (name in ROLES and "role" not in held) or name in ("chat", "remove") else 0

    def frame(self, fields: Mapping[str, JSON]) -> Frame:
        """Model, system, tools and options that may stand beside the messages."""
        return Frame(
            model=string(fields.get("model")) or None,
            system=leaves.texts(fields.get("system")),
            tools=tuple(map(json_text, items(fields.get("tools")))),
            max_output=leaves.count(fields.get("max_tokens")),
            structured=fields.get("response_format") is not None,
        )

    def message(self, source: JSON) -> Message:
        """One message as parts; an artifact is no part. Raises WireError for what is none.

        What tells a reducer to remove a message is sent to no model: it counts nothing.
        """
        fields, name, base = opened(source)
        if name == "remove":
            return Message(Role.SYSTEM, (Opaque(name),))
        role = ROLES.get(SPEAKERS.get(string(fields.get("role")), name) if name == "chat" else name)
        if role is None:
            return Message(Role.USER, (langchain_items.kept(fields, base, name),))
        if role is Role.TOOL:
            return Message(role, _result(fields, base))
        said = _content(fields.get("content"), (*base, "content"), None)
        return Message(role, tuple(_answer(fields, base, said) if role is Role.ASSISTANT else said))

    def canonical(self, source: JSON) -> JSON:
        """What the model is sent of it, in one form for all; see above. Raises WireError."""
        fields, name, _ = opened(source)
        content = fields.get("content")
        if isinstance(content, list):
            content = [{"type": "text", "text": item} if isinstance(item, str) else item for item in content]
        calls = (call for key in ("tool_calls", "invalid_tool_calls") for call in items(fields.get(key)))
        named = {
            "type": name,
            "content": leaves.plain(content),
            "failed": fields.get("status") == "error",
            "calls": [_chosen(call, ("id", "name", "args")) for call in calls],
            "beside": _chosen(fields.get("additional_kwargs") or {}, BESIDE),
        }
        return named | _chosen(fields, ("name", "role", "tool_call_id"))

    def overlay(self, source: JSON, old: Part, new: Part) -> list[Op]:
        """The value edits that turn `old` into `new`, a call's arguments in all places that hold them.

        Raises WireError for a change that cannot be.
        """
        match old, new:
            case (Text(), Text(text=now)) | (ToolResult(), ToolResult(text=now)) if old != new and isinstance(
                value_at(source, old.path), str
            ):
                return [Set(old.path, now)]
            case ToolCall(), ToolCall() if old != new:
                fields, _, base = opened(source)
                ops = leaves.overlay(source, old, new)
                return [*ops, *langchain_calls.follow(langchain_calls.calls(fields, base), old, new)]
        return leaves.overlay(source, old, new)

    def drop(self, source: JSON, part: Part) -> list[Op]:
        """Takes reasoning out. Raises WireError for any other part."""
        return leaves.drop(part)

    def note(self, text: str) -> JSON:
        """A human message: after it every provider takes calls."""
        return {"type": "human", "content": text}

    def check(self, transcript: Transcript) -> Iterator[Finding]:
        """L1 calls without results, L2 results without calls."""
        yield from pair(transcript.messages, unanswered="L1", orphan="L2").findings

    def check_source(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Sequence[Finding]:
        """Nothing more; content is checked by the provider that it is converted for. Raises WireError."""
        for source in messages:
            opened(source)
        return ()


def opened(source: JSON) -> tuple[dict[str, Any], str, Path]:
    """The fields of a message in any of its forms, its type, and the path to the fields. Raises WireError."""
    match source:
        case {"type": "constructor", "id": [*_, str(name)], "kwargs": dict(fields)}:
            return fields, _type(name), ("kwargs",)
        case {"type": str(name), "data": dict(fields)} if "content" not in source:
            return fields, _type(name), ("data",)
        case {"type": str(name), "content": _}:
            return source, _type(name), ()
        case list():
            way = "make messages of it with langchain_core.messages.convert_to_messages"
            raise WireError(f"a pair of role and text is a template, no message; {way}")
    raise WireError(f"expected a LangChain message, with a `type` and a `content`; found: {kind(source)}")


def _type(name: str) -> str:
    """The type by that of a message, of a chunk, or by the name of a class."""
    short = name.removesuffix("Chunk").removesuffix("Message")
    return short.lower() if short != name else name


def _chosen(value: JSON, keys: Sequence[str]) -> JSON:
    """Those members of an object that say something."""
    return {key: value[key] for key in keys if value.get(key)} if isinstance(value, dict) else value


def _answer(fields: dict[str, Any], base: Path, said: Iterator[Part]) -> Iterator[Part]:
    """The parts of an AI message: each call once, after all that is said. No words are no part."""
    calls = langchain_calls.calls(fields, base)
    taken = {held.path[: len(base) + 2] for places in calls for held in places}
    yield from _beside(fields, base, bool(calls))
    yield from (part for part in said if part.path not in taken and part != Text("", part.path))
    yield from (places[0].part() for places in calls)


def _result(fields: dict[str, Any], base: Path) -> tuple[Part, ...]:
    """The parts of a result; one without text or media still says which call it answers."""
    call_id, failed = string(fields.get("tool_call_id")), fields.get("status") == "error"
    parts = tuple(_content(fields.get("content"), (*base, "content"), call_id, failed))
    if any(isinstance(part, ToolResult | Media) for part in parts):
        return parts
    return (ToolResult(call_id, "", failed), *parts)


def _content(content: JSON, path: Path, call_id: str | None, failed: bool = False) -> Iterator[Part]:
    """The parts of a message's content; those of a result when `call_id` is given."""
    if not isinstance(content, list):
        content, places = [content] if content is not None else [], [path]
    else:
        places = [(*path, n) for n in range(len(content))]
    for item, place in zip(content, places, strict=True):
        match item:
            case {"type": "tool_result", "tool_use_id": str(answered)}:
                yield ToolResult(answered, "", path=place)
                yield langchain_items.kept(item, place)
            case _ if (found := langchain_items.text(item, place)) is not None:
                text, inside = found
                yield Text(text, inside) if call_id is None else ToolResult(call_id, text, failed, inside)
            case _:
                yield (
                    langchain_items.thought(item, place)
                    or langchain_items.medium(item, place, call_id)
                    or langchain_items.kept(item, place)
                )


def _beside(fields: dict[str, Any], base: Path, has_calls: bool) -> Iterator[Part]:
    """What integrations keep in `additional_kwargs`. Reasoning as text is bound beside calls (C7)."""
    besides = fields.get("additional_kwargs")
    for key, held in besides.items() if isinstance(besides, dict) else ():
        place = (*base, "additional_kwargs", key)
        match key:
            case "reasoning_content" | "reasoning" if isinstance(held, str) and held:
                yield Reasoning(held, has_calls, place)
            case "reasoning" | "thinking_blocks" if held:
                entries = items(held.get("summary") if isinstance(held, dict) else held)
                said = [one.get("thinking") or one.get("text") for one in entries if isinstance(one, dict)]
                yield Reasoning("\n".join(filter(None, map(string, said))), True, place)
            case "refusal" | "audio" if held:
                yield langchain_items.kept(held, place, key)


LANGCHAIN = LangChain()
