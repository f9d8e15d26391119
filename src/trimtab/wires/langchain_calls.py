"""The calls of an AI message. LangChain keeps each in several places, and integrations send now one, now another.

What the model is told must not depend on which: where the arguments of a call change, they change in all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from trimtab.errors import WireError
from trimtab.jsonbytes import Op, Set, decode
from trimtab.transcript import JSON, Path, ToolCall
from trimtab.wires.leaves import items, json_text, string

Found: TypeAlias = "Iterator[Held]"

IN_CONTENT = {
    "tool_use": ("id", ("input",)),
    "tool_call": ("id", ("args",)),
    "tool_call_chunk": ("id", ("args",)),
    "invalid_tool_call": ("id", ("args",)),
    "function_call": ("call_id", ("arguments",)),
    "custom_tool_call": ("call_id", ("input",)),
}
"""The types of content that are calls: the fields of their id and arguments (Anthropic, LangChain, Responses)."""

FREE_TEXT = "__arg1"
"""What LangChain calls the one argument of a tool that takes free text (OpenAI's custom tools)."""


class Held(NamedTuple):
    """One place of a call's arguments: an object, JSON text, or (`is_free`) the free text of a custom tool."""

    id: str
    name: str
    arguments: JSON
    path: Path
    is_free: bool = False

    def part(self) -> ToolCall:
        """The call, as this place has it."""
        held = self.arguments
        text = held if isinstance(held, str) else "" if held is None else json_text(held)
        return ToolCall(self.id, self.name, text, self.path)

    def turned(self, arguments: str) -> Op:
        """The value edit that makes these the arguments here. Raises WireError where they do not fit."""
        if isinstance(self.arguments, str) and not self.is_free:
            return Set(self.path, arguments)
        value = decode(arguments.encode("utf-8", "surrogatepass"))
        if self.is_free:
            value = value.get(FREE_TEXT) if isinstance(value, dict) else None
        if type(value) is not type(self.arguments):
            raise WireError(f"these arguments do not fit what stands at {self.path!r}")
        return Set(self.path, value)


def calls(fields: dict[str, Any], base: Path) -> list[list[Held]]:
    """Each call with its places. The first place that holds arguments comes first and stands for the call.

    Places belong together that have the same id and name; of several such calls the first with the first.
    `base` leads to the fields.
    """
    found: dict[tuple[str, str, int], list[Held]] = {}
    for row in _rows(fields):
        seen = Counter[tuple[str, str]]()
        for held in row:
            key = (held.id, held.name)
            if key != ("", ""):
                found.setdefault((*key, seen[key]), []).append(held._replace(path=(*base, *held.path)))
                seen[key] += 1
    groups = [sorted(places, key=lambda held: not held.arguments) for places in found.values()]
    return _with_function_call(groups, fields, base)


def follow(groups: Sequence[Sequence[Held]], old: ToolCall, new: ToolCall) -> list[Op]:
    """The value edits at the other places of a call; an empty one says nothing and stays."""
    places = next(group for group in groups if group[0].path == old.path)
    return [held.turned(new.arguments) for held in places[1:] if held.arguments]


def _rows(fields: dict[str, Any]) -> Iterable[Found]:
    """The places of calls, a row of each kind; what was parsed first, valid or not."""
    content, besides = fields.get("content"), fields.get("additional_kwargs")
    raw = besides.get("tool_calls") if isinstance(besides, dict) else None
    parsed = [*_parsed(fields, "tool_calls"), *_parsed(fields, "invalid_tool_calls")]
    return (
        iter(parsed),
        _in_content(content),
        _streamed(content),
        _parsed(fields, "tool_call_chunks"),
        _raw(raw),
    )


def _parsed(fields: dict[str, Any], key: str) -> Found:
    for n, call in enumerate(items(fields.get(key))):
        if isinstance(call, dict):
            yield Held(string(call.get("id")), string(call.get("name")), call.get("args"), (key, n, "args"))


def _in_content(content: JSON) -> Found:
    for n, item in enumerate(items(content)):
        kind = string(item.get("type")) if isinstance(item, dict) else ""
        if kind in IN_CONTENT:
            name, path = IN_CONTENT[kind]
            given = item.get(path[0])
            yield Held(
                string(item.get(name)),
                string(item.get("name")),
                given,
                ("content", n, *path),
                kind == "custom_tool_call",
            )


def _streamed(content: JSON) -> Found:
    """Anthropic's input as it was streamed, beside an `input` that may be empty."""
    for n, item in enumerate(items(content)):
        match item:
            case {"type": "tool_use", "partial_json": str(given)}:
                yield Held(string(item.get("id")), string(item.get("name")), given, ("content", n, "partial_json"))


def _raw(given: JSON) -> Found:
    """Calls as OpenAI Chat has them, kept beside the parsed ones."""
    for n, call in enumerate(items(given)):
        path: Path = ("additional_kwargs", "tool_calls", n)
        match call:
            case {"function": dict(made)}:
                inside = (*path, "function", "arguments")
                yield Held(string(call.get("id")), string(made.get("name")), made.get("arguments"), inside)
            case {"custom": dict(made)}:
                inside = (*path, "custom", "input")
                yield Held(string(call.get("id")), string(made.get("name")), made.get("input"), inside, True)


def _with_function_call(groups: list[list[Held]], fields: dict[str, Any], base: Path) -> list[list[Held]]:
    """Together with `function_call`, which names no id: the last call of its name (so Gemini's integration
    writes it), or a call of its own where there is none."""
    match fields.get("additional_kwargs"):
        case {"function_call": {"name": str(name)} as made}:
            path = (*base, "additional_kwargs", "function_call", "arguments")
            held = Held("", name, made.get("arguments"), path)
            last = next((places for places in reversed(groups) if places[0].name == name), None)
            if last is None:
                return [*groups, [held]]
            last.append(held)
    return groups
