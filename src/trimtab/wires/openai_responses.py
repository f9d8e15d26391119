"""OpenAI Responses: every item of `input` is a message of its own, calls and results too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from trimtab.errors import WireError
from trimtab.images import image_size, image_tokens
from trimtab.jsonbytes import Op, Set
from trimtab.transcript import (
    COMPACT,
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
from trimtab.wires import leaves, openai_responses_rules
from trimtab.wires.base import Fate, Row
from trimtab.wires.leaves import items, json_text, kind, string
from trimtab.wires.openai_responses_rules import item_of
from trimtab.wires.signs import is_item

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}

ARGUMENTS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "shell_call": "action",
    "local_shell_call": "action",
    "apply_patch_call": "operation",
}
"""Calls that the client carries out, with the field that holds what was asked for."""

CONTROLS = frozenset({"additional_tools", "configuration_update", COMPACT})
"""Items with which the client sets something from that place on (R8)."""

BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{512,}+")
BASE64_TOKENS = 0.68
"""Tokens of a character of base64, measured with o200k over random bytes."""

ROWS = (
    Row("a text of a message, or a content given as a string", Fate.EDITED, Text),
    Row("the `output` of a call: a string, or its texts", Fate.EDITED, ToolResult, "its id and status stay (R10)"),
    Row("`stdout` and `stderr` of a shell", Fate.EDITED, ToolResult, "each by itself"),
    Row("the `arguments` of a `function_call`", Fate.EDITED, ToolCall, "values in them: they stay JSON"),
    Row("the `action` of a shell call", Fate.EDITED, ToolCall, "values only: keys and types stay"),
    Row("the `operation` of an `apply_patch_call`", Fate.EDITED, ToolCall, "likewise"),
    Row("an `input_image`, `input_file` or `input_audio`", Fate.REPLACED, Media),
    Row("an `input_image` or `input_file` in an output", Fate.REPLACED, Media),
    Row("a `reasoning` item", Fate.KEPT, Reasoning, "it goes with its output group, or stays (R2)"),
    Row("the `input` of a `custom_tool_call`, as free text", Fate.KEPT, ToolCall, "it has no shape to keep"),
    Row("a `computer_call` and its screenshot", Fate.KEPT, Opaque),
    Row("a text with `annotations`", Fate.KEPT, Opaque, "they name places in it"),
    Row("a `refusal`", Fate.KEPT, Opaque),
    Row("a `compaction` or `compaction_trigger`", Fate.KEPT, Opaque, "nothing new is decided (R8)"),
    Row("an `item_reference`", Fate.KEPT, Opaque, "the provider holds the item"),
    Row("`additional_tools`, a `configuration_update`", Fate.KEPT, Opaque, "they hold from their place on (R8)"),
    Row("calls of the provider's tools, `mcp_…`, programs", Fate.KEPT, Opaque),
    Row("an item or part of a type that is not known", Fate.KEPT, Opaque),
    Row("a message of a role that is not known", Fate.KEPT, Opaque),
    Row("`previous_response_id`", Fate.ALONE, remark="the provider holds the history (R7)"),
    Row("`conversation`", Fate.ALONE, remark="likewise"),
    Row("`prompt_cache_breakpoint` on a part", Fate.SAME, remark="it moves from call to call"),
    Row("a content given as a string, or as one text", Fate.SAME),
    Row("the `type` of a message, which may be left out", Fate.SAME),
    Row("`id`, `status`, `phase`, fields that are not known", Fate.COUNTS, remark="they pass through (R6)"),
)


class OpenAIResponses:
    """The wire of `POST /v1/responses`. Paths lead into one item of `input`."""

    name: ClassVar[str] = "openai_responses"
    alternates: ClassVar[bool] = False
    rows: ClassVar[tuple[Row, ...]] = ROWS
    rules: ClassVar[Mapping[str, str]] = openai_responses_rules.RULES
    unchecked: ClassVar[Mapping[str, str]] = openai_responses_rules.UNCHECKED

    def sniff(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> int:
        """2 for a list under `input`, or with an item no other wire has; else 0: what is plain is Chat's."""
        if fields.get("messages") is not None:
            return 0
        given = isinstance(fields.get("input"), list)
        for item in messages:
            if not isinstance(item, dict):
                return 0
            if is_item(item):
                return 2
            if not isinstance(item.get("role"), str):
                return 0
            if given:
                break
        return 2 if given else 0

    def frame(self, fields: Mapping[str, JSON]) -> Frame:
        """Model, instructions, tools and options; hands off what continues a history at the provider (R7)."""
        text = fields.get("text")
        form = text.get("format") if isinstance(text, dict) else None
        held = next((name for name in ("previous_response_id", "conversation") if fields.get(name)), None)
        return Frame(
            model=string(fields.get("model")) or None,
            system=(*leaves.texts(fields.get("instructions")), *leaves.texts(fields.get("system"))),
            tools=tuple(map(json_text, items(fields.get("tools")))),
            max_output=leaves.count(fields.get("max_output_tokens")),
            structured=isinstance(form, dict) and form.get("type") in ("json_object", "json_schema"),
            hands_off=f"`{held}`: the provider holds the history, so nothing here is edited" if held else "",
        )

    def message(self, source: JSON) -> Message:
        """One item. Raises WireError for what is none."""
        fields, name = item_of(source)
        if name == "message":
            role = ROLES.get(string(fields.get("role")))
            if role is None:
                return Message(Role.USER, (_kept(fields, (), string(fields.get("role")) or name),))
            return Message(role, tuple(_content(fields.get("content"), ("content",), None)))
        if name in ARGUMENTS or name == "computer_call":
            return Message(Role.ASSISTANT, _call(fields, name))
        if name.removesuffix("_output") in ARGUMENTS or name == "computer_call_output":
            return Message(Role.TOOL, _result(fields, name))
        if name == "reasoning":
            return Message(Role.ASSISTANT, (_reasoning(fields),))
        return Message(_role(fields, name), (_kept(fields, (), name),))

    def canonical(self, source: JSON) -> JSON:
        """All fields but cache marks, ids and status too: clients send items again as they got them.

        A bare message counts as one with its type, a string as a list of one text. Raises WireError.
        """
        fields, name = item_of(source)
        fields = {**leaves.unmarked(fields), "type": name}
        said = "output_text" if fields.get("role") == "assistant" else "input_text"
        for key in fields.keys() & {"content", "output"}:
            held = fields[key]
            listed = [{"type": said, "text": held}] if isinstance(held, str) else held
            fields[key] = [leaves.unmarked(one) for one in listed] if isinstance(listed, list) else listed
        return fields

    def overlay(self, source: JSON, old: Part, new: Part) -> list[Op]:
        """The value edits that turn `old` into `new`. Raises WireError for a change that cannot be."""
        ops = leaves.overlay(source, old, new)
        if isinstance(old, Media):
            return [Set(op.path, {**op.value, "type": "input_text"}) for op in ops if isinstance(op, Set)]
        return ops

    def drop(self, source: JSON, part: Part) -> list[Op]:
        """Raises WireError: reasoning goes with all items that came with it, or stays (R2)."""
        raise WireError(f"a {type(part).__name__} is an item of its own here, which only a note can replace")

    def note(self, text: str) -> JSON:
        """A user message."""
        return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}

    def check(self, transcript: Transcript) -> Iterator[Finding]:
        """R1 calls and results, R2 reasoning and what follows it."""
        yield from openai_responses_rules.check(transcript)

    def check_source(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
        """R1 pairs of other items, R3 and R11 reasoning, R5 ids, R7 history, R8 compaction, R10 values."""
        yield from openai_responses_rules.check_source(fields, messages)


def _role(fields: dict[str, Any], name: str) -> Role:
    """Whose an item is that is kept whole: the client's settings and answers, else what the model put out."""
    if name in CONTROLS:
        return Role.SYSTEM
    by_server = name == "program_output" or fields.get("execution") == "server"
    return Role.TOOL if name.endswith(("_output", "_response")) and not by_server else Role.ASSISTANT


def _content(content: JSON, path: Path, call_id: str | None, failed: bool = False) -> Iterator[Part]:
    """The parts of a message's content, or of a result when `call_id` is given."""
    if isinstance(content, str):
        yield _words(content, path, call_id, failed)
    elif isinstance(content, list):
        for n, item in enumerate(content):
            yield from _item(item, (*path, n), call_id, failed)
    elif content is not None:
        yield _kept(content, path)


def _item(item: JSON, path: Path, call_id: str | None, failed: bool) -> Iterator[Part]:
    """What cites something is kept whole: its citations name positions in its text."""
    match item:
        case {"type": "input_text" | "output_text" | "text", "text": str(text)} if not item.get("annotations"):
            yield _words(text, (*path, "text"), call_id, failed)
        case {"type": "refusal", "refusal": str(text)}:
            yield Opaque("refusal", text, path)
        case {"stdout": str(out), "stderr": str(err)} if call_id is not None:
            outcome = item.get("outcome")
            bad = isinstance(outcome, dict) and (
                outcome.get("type") == "timeout" or bool(outcome.get("exit_code"))
            )
            yield _words(out, (*path, "stdout"), call_id, bad)
            yield _words(err, (*path, "stderr"), call_id, bad)
        case _:
            yield _medium(item, path, call_id) or _kept(item, path)


def _words(text: str, path: Path, call_id: str | None, failed: bool) -> Part:
    return Text(text, path) if call_id is None else ToolResult(call_id, text, failed, path)


def _medium(item: JSON, path: Path, call_id: str | None) -> Media | None:
    detail = "auto"
    match item:
        case {"type": "input_image"}:
            media_type, data = leaves.data_uri(string(item.get("image_url")), "image/*")
            detail = string(item.get("detail")) or detail
        case {"type": "input_file"}:
            held = string(item.get("file_data"))
            media_type, data = leaves.data_uri(held, "application/pdf")
            data = data or ("" if held[:5].lower() == "data:" else held)
        case {"type": "input_audio", "input_audio": {"data": str(data)} as sound}:
            media_type = f"audio/{string(sound.get('format')) or '*'}"
        case _:
            return None
    return Media(media_type, data, image_tokens(OpenAIResponses.name, media_type, data, detail), call_id, path)


def _call(fields: dict[str, Any], name: str) -> tuple[Part, ...]:
    call_id, tool = string(fields.get("call_id")), string(fields.get("name")) or name.removesuffix("_call")
    field = ARGUMENTS.get(name)
    asked = fields.get(field) if field else None
    if field is None or asked is None:
        return ToolCall(call_id, tool, ""), _kept(fields, (), name)
    return (ToolCall(call_id, tool, asked if isinstance(asked, str) else json_text(asked), (field,)),)


def _result(fields: dict[str, Any], name: str) -> tuple[Part, ...]:
    """The texts and media of a result; one that has none, or a screenshot, still says which call it answers."""
    call_id = string(fields.get("call_id"))
    if name == "local_shell_call_output":
        call_id = call_id or string(fields.get("id"))
    parts = tuple(_content(fields.get("output"), ("output",), call_id, fields.get("status") == "failed"))
    if any(isinstance(part, ToolResult | Media) for part in parts):
        return parts
    return (ToolResult(call_id, ""), *parts)


def _reasoning(fields: dict[str, Any]) -> Reasoning:
    """Summary, content and a stand-in for what is encrypted, which is what the provider will read."""
    parts = [*items(fields.get("summary")), *items(fields.get("content"))]
    said = [string(one.get("text")) for one in parts if isinstance(one, dict)]
    sealed = string(fields.get("encrypted_content"))
    return Reasoning("\n".join(filter(None, [*said, BASE64.sub(_stand_in, sealed)])), bool(sealed))


def _kept(value: JSON, path: Path, name: str | None = None) -> Opaque:
    """A value that is kept whole; long base64 in it counts as what it holds."""
    return Opaque(kind(value) if name is None else name, BASE64.sub(_stand_in, json_text(value)), path)


def _stand_in(match: re.Match[str]) -> str:
    """As much of a base64 text as has the tokens of the image or of the encrypted words in it.

    Words by Codex's estimate: three quarters of the length, less an envelope of 650 bytes, four bytes a token.
    """
    data = match[0]
    is_image = image_size(data) is not None
    tokens = (
        image_tokens(OpenAIResponses.name, "image/*", data) if is_image else max(len(data) * 3 // 4 - 650, 0) // 4
    )
    return data[: int(tokens / BASE64_TOKENS)]


OPENAI_RESPONSES = OpenAIResponses()
