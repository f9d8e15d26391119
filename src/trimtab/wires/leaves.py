"""What the wires whose content is a list of typed items share: reading without trust, and writing back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trimtab.errors import WireError
from trimtab.jsonbytes import Delete, Op, Set, decode, encode
from trimtab.marks import FIELDS as MARKS
from trimtab.transcript import JSON, Media, Opaque, Part, Path, Reasoning, Text, ToolCall, ToolResult

_KINDS = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}


def kind(value: JSON) -> str:
    """What a value calls itself: its `type`, else its JSON type."""
    if isinstance(value, dict) and isinstance(value.get("type"), str):
        return str(value["type"])
    return _KINDS.get(type(value), "number" if isinstance(value, int | float) else type(value).__name__)


def json_text(value: JSON) -> str:
    """A value as compact JSON text. Raises WireError for what is not JSON or is nested too deep."""
    return encode(value).decode()


def fields_of(source: JSON) -> tuple[dict[str, Any], str]:
    """A message's fields and its role. Raises WireError when it is no object or names no role."""
    if not isinstance(source, dict):
        raise WireError(f"expected a message, an object with a `role`; found: {kind(source)}")
    role = source.get("role")
    if not isinstance(role, str):
        raise WireError(f"expected a message with a `role` of type string; its role is: {kind(role)}")
    return source, role


def string(value: JSON) -> str:
    """The value if it is a string, else ""."""
    return value if isinstance(value, str) else ""


def items(value: JSON) -> list[JSON]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def opaque(value: JSON, path: Path, name: str | None = None) -> Opaque:
    """A value that is kept whole, with its JSON as the text to count."""
    return Opaque(kind(value) if name is None else name, json_text(value), path)


def texts(value: JSON) -> tuple[str, ...]:
    """The texts of a system prompt, given as a string or as a list of text items."""
    if isinstance(value, str):
        return (value,)
    return tuple(
        item["text"] if isinstance(item, dict) and isinstance(item.get("text"), str) else json_text(item)
        for item in items(value)
    )


def count(value: JSON) -> int | None:
    """The value if it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def unmarked(value: JSON) -> JSON:
    """An object without its cache marks; anything else as it is."""
    if isinstance(value, dict):
        return {key: held for key, held in value.items() if key not in MARKS}
    return value


def plain(content: JSON) -> JSON:
    """Content without cache marks; a string as one text item. Results inside it likewise."""
    if not isinstance(content, list):
        return _listed(content)
    found = [unmarked(item) for item in content]
    for item in found:
        if isinstance(item, dict) and item.get("type") == "tool_result" and "content" in item:
            inside = _listed(item["content"])
            item["content"] = [unmarked(one) for one in inside] if isinstance(inside, list) else inside
    return found


def _listed(content: JSON) -> JSON:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def overlay(source: JSON, old: Part, new: Part) -> list[Op]:
    """The value edits that turn `old`, as it stands in `source`, into `new`; siblings stay.

    Only text, arguments and media can change. Raises WireError for anything else, and for arguments
    that are no longer what they were: JSON of the same top-level type where the wire holds JSON (A15).
    """
    is_value = bool(old.path) and isinstance(old.path[-1], str)
    match old, new:
        case (Text(text=was), Text(text=now)) | (ToolResult(text=was), ToolResult(text=now)) if is_value:
            return [Set(old.path, now)] if was != now else []
        case ToolCall(arguments=was), ToolCall(arguments=now) if is_value:
            return _arguments(value_at(source, old.path), old.path, now) if was != now else []
        case Media(), (Text(text=now) | ToolResult(text=now)):
            item = value_at(source, old.path)
            marks = {key: item[key] for key in MARKS if isinstance(item, dict) and key in item}
            return [Set(old.path, {"type": "text", "text": now, **marks})]
        case _ if old == new:
            return []
    raise WireError(f"a {type(old).__name__} at {old.path!r} cannot become this {type(new).__name__}")


def drop(part: Part) -> list[Op]:
    """The value edit that takes a reasoning part out. Raises WireError for any other part."""
    if not isinstance(part, Reasoning):
        raise WireError(f"only reasoning can be dropped, not a {type(part).__name__}")
    return [Delete(part.path)]


def data_uri(url: str, otherwise: str) -> tuple[str, str]:
    """Media type and base64 of a data URI; `otherwise` and "" for any other address."""
    if url[:5].lower() != "data:":
        return otherwise, ""
    head, _, data = url[5:].partition(",")
    media_type, *parameters = head.split(";")
    return media_type or otherwise, data if "base64" in parameters else ""


def value_at(source: JSON, path: Path) -> JSON:
    """The value at `path`, or None where there is none."""
    for step in path:
        try:
            source = source[step]
        except (KeyError, IndexError, TypeError):
            return None
    return source


def _arguments(held: JSON, path: Path, new: str) -> list[Op]:
    if held is None or isinstance(held, str):
        return [Set(path, new)]
    try:
        wanted = decode(new.encode())
    except (WireError, UnicodeEncodeError):
        raise WireError(f"arguments at {path!r} must stay JSON, of type {kind(held)}") from None
    if type(wanted) is not type(held):
        raise WireError(f"arguments at {path!r} must stay of type {kind(held)}, not {kind(wanted)}")
    return list(differences(held, wanted, path))


def differences(old: JSON, new: JSON, path: Path) -> Iterator[Op]:
    """One `Set` for each leaf of `old` that differs; where shapes differ, for the nearest value around it."""
    todo: list[tuple[Path, JSON, JSON]] = [(path, old, new)]
    while todo:
        path, old, new = todo.pop()
        if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
            todo.extend(((*path, key), old[key], new[key]) for key in reversed(old))
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            todo.extend(((*path, n), old[n], new[n]) for n in reversed(range(len(old))))
        elif type(old) is not type(new) or old != new:
            yield Set(path, new)
