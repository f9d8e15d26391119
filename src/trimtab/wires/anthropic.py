"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from trimtab.images import image_tokens
from trimtab.jsonbytes import Op
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
from trimtab.wires import anthropic_rules, leaves
from trimtab.wires.base import Fate, Row
from trimtab.wires.leaves import items, json_text, opaque, string
from trimtab.wires.signs import Signs, score

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}

OWN = Signs(
    fields=frozenset(
        {"system", "anthropic_version", "anthropic_beta", "thinking", "stop_sequences"}
        | {"output_config", "output_format", "mcp_servers"}
    ),
    types=frozenset(
        {"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document", "server_tool_use"}
    ),
    tools=frozenset({"input_schema"}),
)
OPENAI_ONLY = Signs(
    keys=frozenset({"tool_calls", "function_call", "tool_call_id"}),
    roles=frozenset({"tool", "function", "developer"}),
    types=frozenset({"image_url", "input_audio", "file"}),
    tools=frozenset({"function"}),
)

ROWS = (
    Row("a text, or a content given as a string", Fate.EDITED, Text),
    Row("a result: a string, or its texts", Fate.EDITED, ToolResult, "its id, `is_error` and cache mark stay"),
    Row("a `document` of plain text", Fate.EDITED, Text, "it stays a document, by which citations count"),
    Row("a `document` of plain text in a result", Fate.EDITED, ToolResult),
    Row("the `input` of a `tool_use`", Fate.EDITED, ToolCall, "values only: keys and types stay (A15)"),
    Row("an `image` or other `document`: base64, URL or file", Fate.REPLACED, Media, "a cache mark stays"),
    Row("an `image` or other `document` in a result", Fate.REPLACED, Media),
    Row("`thinking`, signed or not", Fate.DROPPED, Reasoning, "never of the newest exchange (A4)"),
    Row("`redacted_thinking`", Fate.DROPPED, Reasoning, "likewise"),
    Row("a text with `citations`", Fate.KEPT, Opaque, "they name places in documents (A16)"),
    Row("a `document` that may be cited", Fate.KEPT, Opaque),
    Row("a `search_result`", Fate.KEPT, Opaque),
    Row("a `server_tool_use`, an `mcp_tool_use`", Fate.KEPT, Opaque, "the pair stays (A11)"),
    Row("a `web_search_tool_result` and its like", Fate.KEPT, Opaque, "encrypted, in part (A12)"),
    Row("a `compaction`", Fate.KEPT, Opaque, "with its `tool_changes` (A17)"),
    Row("a `tool_addition` or `tool_removal`", Fate.KEPT, Opaque, "it changes the tools from there on (A18)"),
    Row("a `tool_reference` or `browser_state` in a result", Fate.KEPT, Opaque),
    Row("a block of a type that is not known", Fate.KEPT, Opaque),
    Row("a message of a role that is not known", Fate.KEPT, Opaque),
    Row("`cache_control` on a block", Fate.SAME, remark="it moves from call to call"),
    Row("a content given as a string, or as one text", Fate.SAME, remark="in results too"),
    Row("fields that are not known", Fate.COUNTS, remark="they pass through untouched"),
)


class Anthropic:
    """The wire of `POST /v1/messages`. Paths lead into one object of `messages`."""

    name: ClassVar[str] = "anthropic"
    alternates: ClassVar[bool] = False
    rows: ClassVar[tuple[Row, ...]] = ROWS
    rules: ClassVar[Mapping[str, str]] = anthropic_rules.RULES
    unchecked: ClassVar[Mapping[str, str]] = anthropic_rules.UNCHECKED

    def sniff(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> int:
        """0 no, 1 could be, 2 shows a mark of its own, such as a Claude model."""
        found = score(fields, messages, OWN, OPENAI_ONLY)
        return 2 if found == 1 and "claude" in string(fields.get("model")).lower() else found

    def frame(self, fields: Mapping[str, JSON]) -> Frame:
        """Model, system, tools and options."""
        config = fields.get("output_config")
        return Frame(
            model=string(fields.get("model")) or None,
            system=leaves.texts(fields.get("system")),
            tools=tuple(map(json_text, items(fields.get("tools")))),
            max_output=leaves.count(fields.get("max_tokens")),
            structured=bool(fields.get("output_format") or (isinstance(config, dict) and config.get("format"))),
        )

    def message(self, source: JSON) -> Message:
        """One message as parts, in the order of its leaves. Raises WireError without a role."""
        fields, role = leaves.fields_of(source)
        if role not in ROLES:
            return Message(Role.USER, (opaque(fields, (), role),))
        return Message(ROLES[role], tuple(_parts(fields.get("content"))))

    def canonical(self, source: JSON) -> JSON:
        """All fields but cache marks; content, also of results, as leaves. Raises WireError."""
        fields: dict[str, JSON] = leaves.unmarked(leaves.fields_of(source)[0])
        if "content" in fields:
            fields["content"] = leaves.plain(fields["content"])
        return fields

    def overlay(self, source: JSON, old: Part, new: Part) -> list[Op]:
        """The value edits that turn `old` into `new`. Raises WireError for a change that cannot be."""
        return leaves.overlay(source, old, new)

    def drop(self, source: JSON, part: Part) -> list[Op]:
        """Takes a thinking block out. Raises WireError for any other part."""
        return leaves.drop(part)

    def note(self, text: str) -> JSON:
        """A user message: a request may not end with an assistant's (A20)."""
        return {"role": "user", "content": [{"type": "text", "text": text}]}

    def check(self, transcript: Transcript) -> Iterator[Finding]:
        """A1, A2, A3 pairs of call and result; A8 empty text; A10 system messages; A13 media."""
        yield from anthropic_rules.check(transcript)

    def check_source(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
        """The rules that need the request as it stands; `rules` has them all."""
        yield from anthropic_rules.check_source(fields, messages)


def _parts(content: JSON) -> Iterator[Part]:
    if isinstance(content, str):
        yield Text(content, ("content",))
    elif isinstance(content, list):
        for n, block in enumerate(content):
            yield from _block(block, ("content", n))
    elif content is not None:
        yield opaque(content, ("content",))


def _block(block: JSON, path: Path) -> Iterator[Part]:
    match block:
        case {"type": "tool_use"}:
            arguments = json_text(block.get("input"))
            yield ToolCall(string(block.get("id")), string(block.get("name")), arguments, (*path, "input"))
        case {"type": "tool_result"}:
            yield from _result(block, path)
        case {"type": "thinking", "thinking": str(text)}:
            yield Reasoning(text, bool(block.get("signature")), path)
        case {"type": "redacted_thinking"}:
            yield Reasoning("", True, path)
        case _:
            yield _leaf(block, path, Text, None)


def _result(block: dict[str, Any], path: Path) -> Iterator[Part]:
    """The texts and media of a result; one that has none still says which call it answers."""
    call_id, content = string(block.get("tool_use_id")), block.get("content")
    words = partial(_answer, call_id, block.get("is_error") is True)
    inside = (*path, "content")
    if isinstance(content, str):
        yield words(content, inside)
        return
    parts = [_leaf(item, (*inside, n), words, call_id) for n, item in enumerate(items(content))]
    if not any(isinstance(part, ToolResult | Media) for part in parts):
        yield words("", path)
    yield from parts
    if content is not None and not isinstance(content, list):
        yield opaque(content, inside)


def _answer(call_id: str, is_error: bool, text: str, path: Path) -> ToolResult:
    return ToolResult(call_id, text, is_error, path)


def _leaf(item: JSON, path: Path, words: Callable[[str, Path], Part], call_id: str | None) -> Part:
    """A text, image or document. What carries citations, or may be cited, is kept whole (A16)."""
    match item:
        case {"type": "text", "text": str(text)} if not item.get("citations"):
            return words(text, (*path, "text"))
        case {"type": "document", "citations": {"enabled": True}}:
            return opaque(item, path)
        case {"type": "document", "source": {"type": "text", "data": str(text)}}:
            return words(text, (*path, "source", "data"))
        case {"type": "image" | "document" as kind, "source": {"type": "base64" | "url" | "file"} as source}:
            data = string(source.get("data"))
            media_type = string(source.get("media_type")) or ("image/*" if kind == "image" else "application/pdf")
            return Media(media_type, data, image_tokens(Anthropic.name, media_type, data), call_id, path)
    return opaque(item, path)


ANTHROPIC = Anthropic()
