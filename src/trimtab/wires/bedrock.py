"""Amazon Bedrock Converse: items without a type, each an object with one member that says what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from trimtab.images import image_tokens
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
from trimtab.wires import bedrock_rules, leaves
from trimtab.wires.base import Fate, Row
from trimtab.wires.leaves import items, json_text, opaque, string, value_at

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}

ITEMS = frozenset(
    {"text", "image", "document", "video", "audio", "toolUse", "toolResult", "reasoningContent", "cachePoint"}
    | {"guardContent", "citationsContent", "searchResult", "toolAddition", "toolRemoval"}
)
"""The members of ContentBlock in the service model of bedrock-runtime."""

MEDIA = ("image", "document", "video", "audio")

ROWS = (
    Row("a `text`", Fate.EDITED, Text),
    Row("a `text` or `json` in a `toolResult`", Fate.EDITED, ToolResult, "JSON that was cut comes as text"),
    Row("a `document` of plain text", Fate.EDITED, Text),
    Row("the `input` of a `toolUse`", Fate.EDITED, ToolCall, "values only: keys and types stay (A15)"),
    Row("an `image`, `video`, `audio`, other `document`", Fate.REPLACED, Media, "as bytes or at S3"),
    Row("the same in a `toolResult`", Fate.REPLACED, Media),
    Row("`reasoningText`, `redactedContent`", Fate.DROPPED, Reasoning, "never of the newest exchange (A4)"),
    Row("a `document` that may be cited", Fate.KEPT, Opaque),
    Row("`citationsContent`, `searchResult`, `guardContent`", Fate.KEPT, Opaque),
    Row("a `toolUse` or `toolResult` of the provider's own", Fate.KEPT, Opaque, "it has a `type`"),
    Row("a `toolAddition` or `toolRemoval`", Fate.KEPT, Opaque),
    Row("an item that is not known", Fate.KEPT, Opaque),
    Row("a message of a role that is not known", Fate.KEPT, Opaque),
    Row("a `cachePoint`", Fate.SAME, remark="it stays where it stands, and is no part"),
    Row("a content given as a string, or as one `text`", Fate.SAME),
    Row("fields that are not known", Fate.COUNTS, remark="they pass through untouched"),
)


class Bedrock:
    """The wire of `POST /model/{modelId}/converse`. Paths lead into one object of `messages`."""

    name: ClassVar[str] = "bedrock"
    alternates: ClassVar[bool] = True
    rows: ClassVar[tuple[Row, ...]] = ROWS
    rules: ClassVar[Mapping[str, str]] = bedrock_rules.RULES
    unchecked: ClassVar[Mapping[str, str]] = bedrock_rules.UNCHECKED

    def sniff(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> int:
        """2 where the first item of a content is an object without a type, but with a member of Converse."""
        for message in messages:
            content = message.get("content") if isinstance(message, dict) else None
            if not isinstance(content, list) or not isinstance(message.get("role"), str):
                return 0
            if content:
                first = content[0]
                return 2 if isinstance(first, dict) and "type" not in first and not ITEMS.isdisjoint(first) else 0
        return 2 if "messages" in fields and ("modelId" in fields or "inferenceConfig" in fields) else 0

    def frame(self, fields: Mapping[str, JSON]) -> Frame:
        """Model, system, tools and options, without cache points. In HTTP the URL names the model."""
        config, options, output = (fields.get(name) for name in ("toolConfig", "inferenceConfig", "outputConfig"))
        tools = items(config.get("tools")) if isinstance(config, dict) else items(fields.get("tools"))
        system = fields.get("system")
        return Frame(
            model=string(fields.get("modelId")) or string(fields.get("model")) or None,
            system=leaves.texts(_unmarked(system) if isinstance(system, list) else system),
            tools=tuple(map(json_text, _unmarked(tools))),
            max_output=leaves.count(options.get("maxTokens")) if isinstance(options, dict) else None,
            structured=isinstance(output, dict) and bool(output.get("textFormat")),
        )

    def message(self, source: JSON) -> Message:
        """One message as parts, in the order of its items. Raises WireError without a role."""
        fields, role = leaves.fields_of(source)
        if role not in ROLES:
            return Message(Role.USER, (opaque(fields, (), role),))
        return Message(ROLES[role], tuple(_parts(fields.get("content"))))

    def canonical(self, source: JSON) -> JSON:
        """All fields; content without cache points, a string as one text item. Raises WireError."""
        fields, _ = leaves.fields_of(source)
        content = fields.get("content")
        content = [{"text": content}] if isinstance(content, str) else content
        return {**fields, "content": _unmarked(content) if isinstance(content, list) else content}

    def overlay(self, source: JSON, old: Part, new: Part) -> list[Op]:
        """The value edits that turn `old` into `new`. Raises WireError for a change that cannot be."""
        item = value_at(source, old.path)
        match old, new, item:
            case Media(), (Text(text=now) | ToolResult(text=now)), _:
                return [Set(old.path, {"text": now})]
            case ToolResult(text=was), ToolResult(text=now), {"text": str()}:
                return [Set((*old.path, "text"), now)] if was != now else []
            case ToolResult(text=was), ToolResult(text=now), {"json": _}:
                return [Set(old.path, {"text": now})] if was != now else []
        return leaves.overlay(source, old, new)

    def drop(self, source: JSON, part: Part) -> list[Op]:
        """Takes a reasoning item out. Raises WireError for any other part."""
        return leaves.drop(part)

    def note(self, text: str) -> JSON:
        """A user message: a history may not begin with an assistant's."""
        return {"role": "user", "content": [{"text": text}]}

    def check(self, transcript: Transcript) -> Iterator[Finding]:
        """A1, A2 pairs of call and result; A8 blank texts; B1 the opening message."""
        yield from bedrock_rules.check(transcript)

    def check_source(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
        """B2 tools that the request must offer; A15 inputs. Raises WireError."""
        yield from bedrock_rules.check_source(fields, messages)


def _unmarked(content: list[JSON]) -> list[JSON]:
    """Items without cache points: they only mark where the provider's cache may end."""
    return [item for item in content if not (isinstance(item, dict) and "cachePoint" in item)]


def _parts(content: JSON) -> Iterator[Part]:
    if isinstance(content, str):
        yield Text(content, ("content",))
    elif isinstance(content, list):
        for n, item in enumerate(content):
            if not (isinstance(item, dict) and "cachePoint" in item):
                yield from _item(item, ("content", n))
    elif content is not None:
        yield opaque(content, ("content",))


def _item(item: JSON, path: Path) -> Iterator[Part]:
    """One item; a call or result with a `type` is the provider's own tool at work and kept whole."""
    match item:
        case {"toolUse": dict(use)} if use.get("type") is None:
            inside = (*path, "toolUse", "input")
            yield ToolCall(
                string(use.get("toolUseId")), string(use.get("name")), json_text(use.get("input")), inside
            )
        case {"toolResult": dict(result)} if result.get("type") is None:
            yield from _result(result, path)
        case {"reasoningContent": {"reasoningText": {"text": str(text)} as said}}:
            yield Reasoning(text, bool(said.get("signature")), path)
        case {"reasoningContent": {"redactedContent": str()}}:
            yield Reasoning("", True, path)
        case {"text": str(text)}:
            yield Text(text, (*path, "text"))
        case _:
            yield _leaf(item, path, Text, None)


def _result(result: dict[str, Any], path: Path) -> Iterator[Part]:
    """The texts, JSON values and media of a result; one that has none still says which call it answers.

    Text and JSON alike stand at the path of their item: JSON that was cut comes back as text.
    """
    call_id, content = string(result.get("toolUseId")), result.get("content")
    words = partial(_answer, call_id, result.get("status") == "error")
    inside, parts = (*path, "toolResult", "content"), list[Part]()
    for n, item in enumerate(items(content)):
        match item:
            case {"text": str(text)}:
                parts.append(words(text, (*inside, n)))
            case {"json": value}:
                parts.append(words(json_text(value), (*inside, n)))
            case _:
                parts.append(_leaf(item, (*inside, n), words, call_id))
    if not any(isinstance(part, ToolResult | Media) for part in parts):
        yield words("", path)
    yield from parts
    if content is not None and not isinstance(content, list):
        yield opaque(content, inside)


def _answer(call_id: str, is_error: bool, text: str, path: Path) -> ToolResult:
    return ToolResult(call_id, text, is_error, path)


def _leaf(item: JSON, path: Path, words: Callable[[str, Path], Part], call_id: str | None) -> Part:
    """A medium, or the text of a document. What may be cited, or is not understood, is kept whole."""
    name = next(iter(item), None) if isinstance(item, dict) else None
    held: JSON = item[name] if name in MEDIA else None
    match held:
        case {"citations": {"enabled": True}}:
            return opaque(item, path, name)
        case {"source": {"text": str(text)}}:
            return words(text, (*path, str(name), "source", "text"))
        case {"source": {"bytes": _} | {"s3Location": _} as source}:
            media_type = _media_type(str(name), held.get("format"))
            data = string(source.get("bytes"))
            return Media(media_type, data, image_tokens(Bedrock.name, media_type, data), call_id, path)
    return opaque(item, path, name)


def _media_type(name: str, form: JSON) -> str:
    return f"{'application' if name == 'document' else name}/{string(form) or '*'}"


BEDROCK = Bedrock()
