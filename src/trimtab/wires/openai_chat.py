"""OpenAI Chat Completions, and what its imitators add: reasoning fields, cache marks, details of routers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from trimtab.wires import leaves, openai_chat_rules
from trimtab.wires.base import Fate, Row
from trimtab.wires.leaves import items, json_text, opaque, string
from trimtab.wires.signs import Signs, score

ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
OWN = Signs(
    fields=frozenset(
        {"max_completion_tokens", "response_format", "stream_options", "n", "seed", "frequency_penalty"}
        | {"presence_penalty", "logprobs", "logit_bias", "functions", "function_call"}
        | {"parallel_tool_calls", "reasoning_effort"}
    ),
    keys=frozenset({"tool_calls", "function_call", "tool_call_id"}),
    roles=frozenset({"tool", "function", "developer"}),
    types=frozenset({"image_url", "input_audio", "file"}),
    tools=frozenset({"function"}),
)
ANTHROPIC_ONLY = Signs(
    fields=frozenset({"system", "anthropic_version", "anthropic_beta"}),
    types=frozenset({"tool_use", "tool_result", "redacted_thinking"}),
    tools=frozenset({"input_schema"}),
)

ROWS = (
    Row("a text, or a content given as a string", Fate.EDITED, Text),
    Row("the content of a `tool` or `function` message", Fate.EDITED, ToolResult, "its id or name stays"),
    Row("the `arguments` of a call", Fate.EDITED, ToolCall, "values in them: they stay JSON of their shape (C9)"),
    Row("the `arguments` of a `function_call`", Fate.EDITED, ToolCall, "likewise"),
    Row("an `image_url`, `input_audio` or `file`", Fate.REPLACED, Media, "a cache mark stays (C8)"),
    Row("an `image_url` in a result", Fate.REPLACED, Media, "imitators take them"),
    Row("`reasoning_content` or `reasoning`", Fate.DROPPED, Reasoning, "never beside calls (C7)"),
    Row("`thinking_blocks` or `reasoning_details`", Fate.DROPPED, Reasoning, "likewise"),
    Row("the `input` of a custom call, as free text", Fate.KEPT, ToolCall, "it has no shape to keep"),
    Row("a `refusal`, as a field or a part", Fate.KEPT, Opaque),
    Row("the `audio` of an assistant", Fate.KEPT, Opaque),
    Row("a call of a type that is not known", Fate.KEPT, Opaque),
    Row("a part of a type that is not known", Fate.KEPT, Opaque),
    Row("a message of a role that is not known", Fate.KEPT, Opaque),
    Row("`cache_control` or `prompt_cache_breakpoint`", Fate.SAME, remark="it moves from call to call"),
    Row("a content given as a string, or as one text", Fate.SAME),
    Row("`name` and fields that are not known", Fate.COUNTS, remark="they pass through untouched (C4)"),
)


class OpenAIChat:
    """The wire of `POST /v1/chat/completions`. Paths lead into one object of `messages`."""

    name: ClassVar[str] = "openai_chat"
    alternates: ClassVar[bool] = False
    rows: ClassVar[tuple[Row, ...]] = ROWS
    rules: ClassVar[Mapping[str, str]] = openai_chat_rules.RULES
    unchecked: ClassVar[Mapping[str, str]] = openai_chat_rules.UNCHECKED

    def sniff(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> int:
        """0 no, 1 could be, 2 shows a mark of its own; a system message at the head is one (compare A10)."""
        found = score(fields, messages, OWN, ANTHROPIC_ONLY)
        return 2 if found == 1 and messages[0]["role"] == "system" else found

    def frame(self, fields: Mapping[str, JSON]) -> Frame:
        """Model, tools and options; a `system` handed over separately counts too."""
        most = leaves.count(fields.get("max_completion_tokens"))
        form = fields.get("response_format")
        return Frame(
            model=string(fields.get("model")) or None,
            system=leaves.texts(fields.get("system")),
            tools=tuple(map(json_text, [*items(fields.get("tools")), *items(fields.get("functions"))])),
            max_output=leaves.count(fields.get("max_tokens")) if most is None else most,
            structured=isinstance(form, dict) and form.get("type") in ("json_object", "json_schema"),
        )

    def message(self, source: JSON) -> Message:
        """One message as parts: reasoning, content, refusal, audio, calls. Raises WireError."""
        fields, role = leaves.fields_of(source)
        known = ROLES.get(role)
        if known is None:
            return Message(Role.USER, (opaque(fields, (), role),))
        if known is Role.TOOL:
            return Message(known, _result(fields, string(fields.get("tool_call_id")) if role == "tool" else ""))
        said = tuple(_content(fields.get("content"), None))
        if known is Role.ASSISTANT:
            said = (*_reasoning(fields), *said, *_besides(fields), *_calls(fields))
        return Message(known, said)

    def canonical(self, source: JSON) -> JSON:
        """All fields but cache marks, a content string as one text part. Raises WireError."""
        fields = leaves.unmarked(leaves.fields_of(source)[0])
        if "content" in fields:
            fields["content"] = leaves.plain(fields["content"])
        if isinstance(fields.get("tool_calls"), list):
            fields["tool_calls"] = [leaves.unmarked(call) for call in fields["tool_calls"]]
        return fields

    def overlay(self, source: JSON, old: Part, new: Part) -> list[Op]:
        """The value edits that turn `old` into `new`. Raises WireError for a change that cannot be."""
        return leaves.overlay(source, old, new)

    def drop(self, source: JSON, part: Part) -> list[Op]:
        """Takes a reasoning field out. Raises WireError for any other part."""
        return leaves.drop(part)

    def note(self, text: str) -> JSON:
        """A user message: never a system one (C6), never an assistant's."""
        return {"role": "user", "content": text}

    def check(self, transcript: Transcript) -> Iterator[Finding]:
        """C1 calls without results, C2 results without calls."""
        yield from openai_chat_rules.check(transcript)

    def check_source(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
        """C3 content, C4 names and sounds, C5 number of tools, C9 arguments. Raises WireError."""
        yield from openai_chat_rules.check_source(fields, messages)


def _content(content: JSON, call_id: str | None) -> Iterator[Part]:
    """The parts of a message's content; those of a tool result when `call_id` is given."""
    if isinstance(content, str):
        yield _words(content, call_id, ("content",))
    elif isinstance(content, list):
        for n, item in enumerate(content):
            match item:
                case {"type": "text", "text": str(text)}:
                    yield _words(text, call_id, ("content", n, "text"))
                case _:
                    yield _medium(item, ("content", n), call_id) or opaque(item, ("content", n))
    elif content is not None:
        yield opaque(content, ("content",))


def _words(text: str, call_id: str | None, path: Path) -> Part:
    return Text(text, path) if call_id is None else ToolResult(call_id, text, path=path)


def _result(fields: dict[str, Any], call_id: str) -> tuple[Part, ...]:
    """The parts of a result; one without text or media still says which call it answers."""
    parts = tuple(_content(fields.get("content"), call_id))
    if any(isinstance(part, ToolResult | Media) for part in parts):
        return parts
    return (ToolResult(call_id, ""), *parts)


def _medium(item: JSON, path: Path, call_id: str | None) -> Media | None:
    detail = "auto"
    match item:
        case {"type": "image_url", "image_url": str(url)}:
            media_type, data = leaves.data_uri(url, "image/*")
        case {"type": "image_url", "image_url": {"url": str(url)} as image}:
            media_type, data = leaves.data_uri(url, "image/*")
            detail = string(image.get("detail")) or "auto"
        case {"type": "input_audio", "input_audio": {"data": str(data)} as audio}:
            media_type = f"audio/{string(audio.get('format')) or '*'}"
        case {"type": "file", "file": dict(file)}:
            media_type, data = leaves.data_uri(string(file.get("file_data")), "application/pdf")
        case _:
            return None
    return Media(media_type, data, image_tokens(OpenAIChat.name, media_type, data, detail), call_id, path)


def _reasoning(fields: dict[str, Any]) -> Iterator[Part]:
    """Reasoning of imitators: DeepSeek and vLLM as text, LiteLLM and OpenRouter as signed lists.

    Text beside calls is bound: servers that think between calls refuse such a message without it (C7).
    """
    for key in ("reasoning_content", "reasoning"):
        if text := string(fields.get(key)):
            yield Reasoning(text, bool(fields.get("tool_calls") or fields.get("function_call")), (key,))
    for key in ("thinking_blocks", "reasoning_details"):
        if entries := items(fields.get(key)):
            said = (
                string(entry.get(name))
                for entry in entries
                if isinstance(entry, dict)
                for name in ("thinking", "text", "summary")
            )
            yield Reasoning("\n".join(filter(None, said)), True, (key,))


def _besides(fields: dict[str, Any]) -> Iterator[Part]:
    if refusal := string(fields.get("refusal")):
        yield Opaque("refusal", refusal, ("refusal",))
    if fields.get("audio") is not None:
        yield opaque(fields["audio"], ("audio",), "audio")


def _calls(fields: dict[str, Any]) -> Iterator[Part]:
    for n, call in enumerate(items(fields.get("tool_calls"))):
        path = ("tool_calls", n)
        match call:
            case {"type": "custom", "custom": dict(custom)}:
                yield _call(call, custom, (*path, "custom", "input"))
            case {"function": dict(function)}:
                yield _call(call, function, (*path, "function", "arguments"))
            case {"id": str(call_id)}:
                yield ToolCall(call_id, "", "", path)
                yield opaque(call, path)
            case _:
                yield opaque(call, path)
    match fields.get("function_call"):
        case None:
            pass
        case dict(function):
            yield _call({}, function, ("function_call", "arguments"))
        case other:
            yield opaque(other, ("function_call",))


def _call(call: dict[str, Any], made: dict[str, Any], path: Path) -> ToolCall:
    given = made.get(str(path[-1]))
    arguments = given if isinstance(given, str) else "" if given is None else json_text(given)
    return ToolCall(string(call.get("id")), string(made.get("name")), arguments, path)


OPENAI_CHAT = OpenAIChat()
