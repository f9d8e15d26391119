"""Gemini generateContent: contents of parts, whose fields the API takes in camel case and in snake case."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64decode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from trimtab.errors import WireError
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
from trimtab.wires import gemini_rules, leaves
from trimtab.wires.base import Fate, Row
from trimtab.wires.gemini_rules import CAMEL, SIGNATURE, content_of, field, spelled
from trimtab.wires.leaves import items, json_text, opaque, string, value_at

ROLES = {"user": Role.USER, "model": Role.ASSISTANT, "function": Role.USER}
"""`function` is what early clients called the user who brings results; G6 tells of it."""

ROWS = (
    Row("a `text`", Fate.EDITED, Text, "a `thoughtSignature` beside it stays"),
    Row(
        "each member of a `functionResponse.response`", Fate.EDITED, ToolResult, "JSON that was cut comes as text"
    ),
    Row("`inlineData` that is text", Fate.EDITED, Text, "it stays base64 of its type"),
    Row("the `args` of a `functionCall`", Fate.EDITED, ToolCall, "values only: keys and types stay"),
    Row("other `inlineData`, `fileData`", Fate.REPLACED, Media, "a signature stays"),
    Row("the same in `functionResponse.parts`", Fate.REPLACED, Media, "there as `inlineData` that is text"),
    Row("a `thought`", Fate.DROPPED, Reasoning),
    Row("`executableCode`, `codeExecutionResult`", Fate.KEPT, Opaque),
    Row("a `toolCall` or `toolResponse` of the provider's", Fate.KEPT, Opaque, "they come back as they are (G5)"),
    Row("a part that is not known", Fate.KEPT, Opaque),
    Row("a content of a role that is not known", Fate.KEPT, Opaque),
    Row("`cachedContent`", Fate.ALONE, remark="the provider holds the beginning (G6)"),
    Row("camel case or snake case", Fate.SAME),
    Row("the role of a user, which may be left out", Fate.SAME),
    Row("`thoughtSignature`, fields that are not known", Fate.COUNTS, remark="they pass through untouched (G4)"),
)


class Gemini:
    """The wire of `POST …:generateContent`. Paths lead into one object of `contents`."""

    name: ClassVar[str] = "gemini"
    alternates: ClassVar[bool] = False
    rows: ClassVar[tuple[Row, ...]] = ROWS
    rules: ClassVar[Mapping[str, str]] = gemini_rules.RULES
    unchecked: ClassVar[Mapping[str, str]] = gemini_rules.UNCHECKED

    def sniff(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> int:
        """2 for contents: objects with `parts` that name no type of their own; else 0."""
        if not len(messages):
            return 2 if isinstance(fields.get("contents"), list) else 0
        first = messages[0]
        parts = first.get("parts") if isinstance(first, dict) and "content" not in first else None
        return (
            2
            if isinstance(parts, list) and not any("type" in one for one in parts if isinstance(one, dict))
            else 0
        )

    def frame(self, fields: Mapping[str, JSON]) -> Frame:
        """System, tools and options; also from the `config` of the google-genai SDK. The URL names the model.

        Hands off what continues a `cachedContent` (G6): the provider holds the beginning.
        """
        config = fields.get("config")
        given = {**config, **fields} if isinstance(config, dict) else fields
        options = field(given, "generationConfig")
        options = options if isinstance(options, dict) else given
        tools = given.get("tools")
        held = field(given, "cachedContent")
        return Frame(
            model=string(given.get("model")).removeprefix("models/") or None,
            system=(*_system(field(given, "systemInstruction")), *leaves.texts(given.get("system"))),
            tools=tuple(map(json_text, [tools] if isinstance(tools, dict) else items(tools))),
            max_output=leaves.count(field(options, "maxOutputTokens")),
            structured=field(options, "responseMimeType") == "application/json"
            or bool(field(options, "responseSchema") or field(options, "responseJsonSchema")),
            hands_off="`cachedContent`: the provider holds the beginning, so nothing here is edited"
            if held
            else "",
        )

    def message(self, source: JSON) -> Message:
        """One content as parts. Raises WireError for what is none."""
        fields, role = content_of(source)
        if role not in ROLES:
            return Message(Role.USER, (opaque(fields, (), role),))
        return Message(ROLES[role], tuple(_parts(fields.get("parts"))))

    def canonical(self, source: JSON) -> JSON:
        """All fields in camel case, with the role that is meant when none is given. Raises WireError."""
        fields, role = content_of(source)
        parts = fields.get("parts")
        return {
            **fields,
            "role": role,
            "parts": [_named(one) for one in parts] if isinstance(parts, list) else parts,
        }

    def overlay(self, source: JSON, old: Part, new: Part) -> list[Op]:
        """The value edits that turn `old` into `new`; signatures stay on their parts.

        Raises WireError for a change that cannot be.
        """
        held = value_at(source, old.path)
        match old, new:
            case Media(), (Text(text=now) | ToolResult(text=now)):
                return _stub(held, old.path, now)
            case (Text(), Text(text=now)) | (ToolResult(), ToolResult(text=now)) if _blob(held) is not None:
                return _inline(held, old.path, now) if old != new else []
            case ToolResult(), ToolResult() if old != new and len(old.path) == len(
                ("parts", 0, "functionResponse")
            ):
                raise WireError(f"the result at {old.path!r} has no text that could change")
            case ToolCall(), ToolCall() if old != new and not isinstance(held, dict):
                raise WireError(f"arguments at {old.path!r} are no object, so they stay as they are")
        return leaves.overlay(source, old, new)

    def drop(self, source: JSON, part: Part) -> list[Op]:
        """Takes a thought out as a whole. Raises WireError for any other part."""
        return leaves.drop(part)

    def note(self, text: str) -> JSON:
        """A user's content: after it a model may call functions (G2)."""
        return {"role": "user", "parts": [{"text": text}]}

    def check(self, transcript: Transcript) -> Iterator[Finding]:
        """G1 numbers and G3 place of results, G2 beginning and end, G5 ids."""
        yield from gemini_rules.check(transcript)

    def check_source(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
        """G4 signatures, G5 names, G6 roles. Raises WireError."""
        yield from gemini_rules.check_source(fields, messages)


def _system(value: JSON) -> tuple[str, ...]:
    """The texts of a system instruction: a content, in SDKs also a text, a part or a list of them."""
    if isinstance(value, dict):
        value = value["parts"] if isinstance(value.get("parts"), list) else [value]
    if isinstance(value, list):
        value = [{"text": one} if isinstance(one, str) else one for one in value]
    return leaves.texts(value)


def _parts(parts: JSON) -> Iterator[Part]:
    """The parts of a content. A medium after a result belongs to that result (G3)."""
    if not isinstance(parts, list):
        if parts is not None:
            yield opaque(parts, ("parts",))
        return
    call_id: str | None = None
    for n, part in enumerate(parts):
        response = field(part, "functionResponse")
        if isinstance(response, dict):
            call_id = string(response.get("id"))
            yield from _response(response, call_id, ("parts", n), spelled(part, "functionResponse"))
        else:
            yield _part(part, ("parts", n), call_id)


def _part(part: JSON, path: Path, call_id: str | None) -> Part:
    call = field(part, "functionCall")
    if isinstance(call, dict):
        arguments = json_text(call["args"]) if call.get("args") is not None else ""
        inside = (*path, spelled(part, "functionCall"), "args")
        return ToolCall(string(call.get("id")), string(call.get("name")), arguments, inside)
    match part:
        case {"thought": True, "text": str(text)}:
            return Reasoning(text, bool(field(part, SIGNATURE)), path)
        case {"text": str(text)}:
            return Text(text, (*path, "text"))
    if (words := _words(_blob(part))) is not None:
        return Text(words, path)
    return _medium(part, path, call_id) or opaque(
        part, path, next(iter(part), None) if isinstance(part, dict) else None
    )


def _response(response: dict[str, Any], call_id: str, path: Path, key: str) -> Iterator[Part]:
    """Each member of a result: a string as it is, anything else as JSON; then its media, or texts as media.

    One that has none still says which call it answers.
    """
    inside, given, parts = (*path, key), response.get("response"), list[Part]()
    if isinstance(given, dict):
        for name, value in given.items():
            text = value if isinstance(value, str) else json_text(value)
            parts.append(ToolResult(call_id, text, name == "error", (*inside, "response", name)))
    elif given is not None:
        parts.append(opaque(given, (*inside, "response")))
    for n, item in enumerate(items(response.get("parts"))):
        place = (*inside, "parts", n)
        words = _words(_blob(item))
        text_or_medium = _medium(item, place, call_id) if words is None else ToolResult(call_id, words, path=place)
        parts.append(text_or_medium or opaque(item, place))
    if not any(isinstance(part, ToolResult | Media) for part in parts):
        yield ToolResult(call_id, "", path=inside)
    yield from parts


def _blob(part: JSON) -> dict[str, Any] | None:
    blob = field(part, "inlineData")
    return blob if isinstance(blob, dict) and isinstance(blob.get("data"), str) else None


def _words(blob: dict[str, Any] | None) -> str | None:
    """The text of inline data that is text, or None."""
    if blob is None or not string(field(blob, "mimeType")).startswith("text/"):
        return None
    try:
        return urlsafe_b64decode(blob["data"].replace("+", "-").replace("/", "_")).decode()
    except ValueError:
        return None


def _medium(part: JSON, path: Path, call_id: str | None) -> Media | None:
    blob, file = _blob(part), field(part, "fileData")
    held = blob if blob is not None else file
    if not isinstance(held, dict):
        return None
    media_type = string(field(held, "mimeType")) or "application/octet-stream"
    data = blob["data"] if blob is not None else ""
    return Media(media_type, data, image_tokens(Gemini.name, media_type, data), call_id, path)


def _stub(held: JSON, path: Path, now: str) -> list[Op]:
    """A text in the place of a medium. Inside a result only media may stand: there it is one of type text."""
    if len(path) > 2:
        return _inline(held, path, now)
    key = spelled(held, SIGNATURE)
    return [Set(path, {"text": now, **({key: held[key]} if key in held else {})})]


def _inline(held: JSON, path: Path, now: str) -> list[Op]:
    """Inline data of type text. Value by value where there is some, so that bytes objects stay bytes."""
    data = b64encode(now.encode(errors="replace")).decode()
    blob, key = _blob(held), spelled(held, "inlineData")
    if blob is None:
        return [Set(path, {"inlineData": {"mimeType": "text/plain", "data": data}})]
    mime = spelled(blob, "mimeType")
    typed = [] if string(blob.get(mime)).startswith("text/") else [Set((*path, key, mime), "text/plain")]
    return [*typed, Set((*path, key, "data"), data)]


def _named(part: JSON) -> JSON:
    """A part and the media in its result in camel case; what a client put into calls and results stays."""
    named = _media_named(part)
    response = field(named, "functionResponse")
    if isinstance(response, dict) and isinstance(response.get("parts"), list):
        named["functionResponse"] = {**response, "parts": [_media_named(one) for one in response["parts"]]}
    return named


def _media_named(part: JSON) -> JSON:
    named = _renamed(part)
    for key in ("inlineData", "fileData"):
        if isinstance(named, dict) and key in named:
            named[key] = _renamed(named[key])
    return named


def _renamed(value: JSON) -> JSON:
    """An object with its fields in camel case, but for one that stands there in both."""
    if not isinstance(value, dict):
        return value
    return {key if CAMEL.get(key, key) in value else CAMEL[key]: held for key, held in value.items()}


GEMINI = Gemini()
