"""Short transcripts, written once and rendered for both wires, and what is read back from a payload."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

import pytest

import trimtab
from trimtab.compactor import Result
from trimtab.stores import open_store
from trimtab.transcript import JSON

MODELS = {"anthropic": "claude-sonnet-4-5", "openai_chat": "gpt-4o"}
MARKER = re.compile(r"\[trimtab: [^\n]*?(t:[0-9a-f]{16})[^\n]*?\]")

wires = pytest.mark.parametrize("wire", list(MODELS))
forms = pytest.mark.parametrize("form", ["bytes", "dict"])

Step: TypeAlias = "Said | Made | Answered | dict[str, Any]"


class Said(NamedTuple):
    """What the user or the assistant says: a text, or a list of texts and images."""

    role: str
    content: Any


class Call(NamedTuple):
    """A tool call."""

    id: str
    name: str
    arguments: dict[str, JSON]


class Made(NamedTuple):
    """An assistant's calls, with what it thinks and says before them."""

    calls: tuple[Call, ...]
    thinking: str = ""


class Answered(NamedTuple):
    """Results: pairs of call id and content (a text, or a list of texts and images)."""

    results: tuple[tuple[str, Any], ...]


class Image(NamedTuple):
    """An image or document in base64."""

    data: str
    media_type: str = "image/png"


def user(content: Any) -> Said:
    return Said("user", content)


def says(content: Any) -> Said:
    return Said("assistant", content)


def calls(*made: Call | tuple[str, str], thinking: str = "") -> Made:
    """Calls; a pair of id and path is a `read` of that path."""
    return Made(tuple(one if isinstance(one, Call) else read(*one) for one in made), thinking)


def read(call_id: str, path: str) -> Call:
    return Call(call_id, "read", {"path": path})


def results(*given: tuple[str, Any]) -> Answered:
    return Answered(given)


def png(width: int = 640, height: int = 480, size: int = 2_000) -> Image:
    """An image of these pixels with a body of `size` bytes."""
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return Image(base64.b64encode(head + bytes(range(256)) * (size // 256 + 1)).decode())


def log(lines: int, about: str = "step") -> str:
    """Lines that all differ, about eleven tokens each."""
    return "".join(f"{about} {n}: value {n * 7919 % 1000} is set\n" for n in range(1, lines + 1))


def request(wire: str, *steps: Step, system: str = "", tools: bool = True, **fields: Any) -> dict[str, Any]:
    """A request of these steps; a dict among them is a message as it stands."""
    messages = [message for step in steps for message in _messages(wire, step)]
    made: dict[str, Any] = {"model": MODELS[wire], "max_tokens": 1_000}
    if tools:
        made["tools"] = [_tool(wire)]
    if system and wire == "anthropic":
        made["system"] = system
    elif system:
        messages.insert(0, {"role": "system", "content": system})
    return {**made, **fields, "messages": messages}


def _messages(wire: str, step: Step) -> Iterable[dict[str, Any]]:
    match step:
        case dict():
            yield step
        case Said():
            yield {"role": step.role, "content": _content(wire, step.content)}
        case Made() if wire == "anthropic":
            uses = [
                {"type": "tool_use", "id": one.id, "name": one.name, "input": one.arguments} for one in step.calls
            ]
            thought = [{"type": "thinking", "thinking": step.thinking, "signature": "c2ln"}]
            yield {"role": "assistant", "content": [*(thought if step.thinking else []), *uses]}
        case Made():
            uses = [
                {
                    "id": one.id,
                    "type": "function",
                    "function": {"name": one.name, "arguments": json.dumps(one.arguments, separators=(",", ":"))},
                }
                for one in step.calls
            ]
            thoughts = {"reasoning_content": step.thinking} if step.thinking else {}
            yield {"role": "assistant", "content": None, **thoughts, "tool_calls": uses}
        case Answered() if wire == "anthropic":
            blocks = [
                {"type": "tool_result", "tool_use_id": one, "content": _content(wire, content)}
                for one, content in step.results
            ]
            yield {"role": "user", "content": blocks}
        case Answered():
            for one, content in step.results:
                yield {"role": "tool", "tool_call_id": one, "content": _content(wire, content)}


def _content(wire: str, content: Any) -> Any:
    return [_item(wire, one) for one in content] if isinstance(content, list) else content


def _item(wire: str, item: Any) -> dict[str, Any]:
    match item:
        case str():
            return {"type": "text", "text": item}
        case Image(data, media_type) if wire == "anthropic":
            kind = "image" if media_type.startswith("image") else "document"
            return {"type": kind, "source": {"type": "base64", "media_type": media_type, "data": data}}
        case Image(data, media_type) if media_type.startswith("image"):
            return {"type": "image_url", "image_url": {"url": f"data:{media_type};base64,{data}"}}
        case Image(data, media_type):
            return {"type": "file", "file": {"filename": "a", "file_data": f"data:{media_type};base64,{data}"}}
    given: dict[str, Any] = item
    return given


def _tool(wire: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    if wire == "anthropic":
        return {"name": "read", "description": "Read a file.", "input_schema": schema}
    return {"type": "function", "function": {"name": "read", "description": "Read a file.", "parameters": schema}}


class Sent(NamedTuple):
    """A compacted request: the payload as a dict, the result as it came, and who made it."""

    payload: dict[str, Any]
    result: Result
    compactor: trimtab.Compactor

    @property
    def messages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.payload["messages"]
        return found


def compact(given: dict[str, Any], form: str = "dict", force: bool = False, **options: Any) -> Sent:
    """The request compacted by a compactor of its own; the output is checked against the provider's rules.

    Settings without an argument go into `config`.
    """
    arguments = {"budget", "target", "facts", "pins", "passes", "store", "model", "writer", "preset"}
    config = {name: value for name, value in options.items() if name not in arguments}
    known = {name: value for name, value in options.items() if name in arguments}
    compactor = trimtab.Compactor(config=config, **{"store": open_store("memory:"), **known})
    result = compactor.compact(encoded(given) if form == "bytes" else given, force=force)
    assert result.report.outcome != "failed", result.report
    payload = json.loads(result.payload) if form == "bytes" else result.payload
    assert broken(payload) - broken(given) == set()
    return Sent(payload, result, compactor)


def encoded(given: dict[str, Any]) -> bytes:
    return json.dumps(given).encode()


def broken(payload: dict[str, Any]) -> set[tuple[str, str]]:
    """The rules that a payload breaks, with places."""
    return {(one.rule, one.place) for one in trimtab.validate(payload)}


def made_calls(payload: dict[str, Any]) -> list[Call]:
    """Every call of a payload, in order."""
    return [call for message in payload["messages"] for call in _made(message)]


def _made(message: dict[str, Any]) -> Iterable[Call]:
    for block in _blocks(message, "tool_use"):
        yield Call(block["id"], block["name"], block["input"])
    for one in message.get("tool_calls", []):
        yield Call(one["id"], one["function"]["name"], json.loads(one["function"]["arguments"]))


def answers(payload: dict[str, Any]) -> list[tuple[str, Any]]:
    """Every result of a payload, in order: call id and content as it stands."""
    return [answer for message in payload["messages"] for answer in _answered(message)]


def _answered(message: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    if message["role"] == "tool":
        yield message["tool_call_id"], message["content"]
    for block in _blocks(message, "tool_result"):
        yield block["tool_use_id"], block["content"]


def _blocks(message: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    content = message.get("content")
    return [block for block in content if block.get("type") == kind] if isinstance(content, list) else []


def texts(payload: dict[str, Any]) -> list[Any]:
    """The contents of all results, in order."""
    return [content for _, content in answers(payload)]


def strings(value: JSON) -> Iterable[str]:
    """Every string of a payload."""
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings(item)


def handles(payload: JSON) -> list[str]:
    """The handles that markers of a payload name."""
    return [handle for text in strings(payload) for handle in MARKER.findall(text)]


def scripted(script: Callable[[trimtab.View], Iterable[Any]]) -> Any:
    """A fold pass that proposes what a function says."""
    from trimtab.testing import Scripted

    return Scripted(script)
