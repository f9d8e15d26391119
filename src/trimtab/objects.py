"""Requests as Python objects: their JSON, and edited copies that share whatever was not touched.

Objects of provider SDKs and binary values (the AWS and Google SDKs hold media as bytes) may stand in
them. In JSON a binary value is its base64; where one stood, an edited or restored value is bytes again.

Messages of LangChain stay objects of their class with all that is not edited: ids, metadata, artifacts.
LangChain is imported only where a message must be made, never to read one.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from trimtab import jsonbytes
from trimtab.errors import WireError
from trimtab.jsonbytes import Delete, Op
from trimtab.transcript import JSON, Path

_GONE = object()

_CLASSES = {
    "human": "HumanMessage",
    "ai": "AIMessage",
    "system": "SystemMessage",
    "tool": "ToolMessage",
    "function": "FunctionMessage",
    "chat": "ChatMessage",
    "remove": "RemoveMessage",
}
"""LangChain's classes by the type of a message; the type of a chunk is the name of its class."""


def encode(value: Any, place: str) -> bytes:
    """JSON of a value that may hold SDK objects and bytes. Raises WireError naming the place."""
    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except UnicodeEncodeError:
        return jsonbytes.encode(msgspec.to_builtins(value, enc_hook=_plain))
    except (TypeError, ValueError, RecursionError, NotImplementedError) as error:
        raise WireError(f"{place}: cannot be written as JSON: {error}") from error


def _plain(value: Any) -> Any:
    """An SDK object as plain JSON; the SDKs of OpenAI, Anthropic and Google all build on pydantic."""
    if is_message(value):
        return _opened(value)
    if not _is_model(value):
        raise NotImplementedError(f"{type(value).__name__} is neither JSON nor an SDK object")
    return value.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _is_model(value: Any) -> bool:
    return hasattr(type(value), "model_dump")


def is_message(value: Any) -> bool:
    """Whether a value is a message of LangChain."""
    return hasattr(type(value), "lc_id") and hasattr(value, "additional_kwargs")


def edited(value: Any, ops: Sequence[Op]) -> Any:
    """A copy with value edits. Raises TypeError where one leads into something that cannot be edited.

    An SDK object comes back as one of its class, so that its binary fields stay binary; as plain JSON
    when its class refuses what it has become.
    """
    changes: dict[str | int, list[Op]] = {}
    for op in ops:
        if not op.path:
            return _replaced(value, op)
        changes.setdefault(op.path[0], []).append(op._replace(path=op.path[1:]))
    if isinstance(value, dict):
        new = {**value, **{key: edited(value.get(str(key)), inner) for key, inner in changes.items()}}
        return {key: item for key, item in new.items() if item is not _GONE}
    if isinstance(value, list | tuple):
        items = [edited(item, changes[n]) if n in changes else item for n, item in enumerate(value)]
        return [item for item in items if item is not _GONE]
    if is_message(value):
        return value.model_copy(update={key: edited(getattr(value, str(key)), changes[key]) for key in changes})
    if _is_model(value):
        return _edited_model(value, ops)
    raise TypeError(f"{type(value).__name__} cannot be edited in place")


def _replaced(old: Any, op: Op) -> Any:
    if isinstance(op, Delete):
        return _GONE
    return _bytes(op.value) if isinstance(old, bytes | bytearray) and isinstance(op.value, str) else op.value


def _edited_model(model: Any, ops: Sequence[Op]) -> Any:
    data = jsonbytes.rewrite(encode(model, "message"), ops)
    try:
        return type(model).model_validate_json(data)
    except ValueError:
        return jsonbytes.decode(data)


def binary(value: Any, path: Path = ()) -> Iterator[Path]:
    """The places below `path` at which bytes or messages of LangChain stand, as paths from there."""
    for step in path:
        value = _opened(value)[step]
    todo: list[tuple[Path, Any]] = [((), value)]
    while todo:
        here, value = todo.pop()
        held = _opened(value)
        if is_message(value):
            yield here
        if isinstance(held, bytes | bytearray):
            yield here
        elif isinstance(held, dict):
            todo += (((*here, key), item) for key, item in held.items())
        elif isinstance(held, list | tuple):
            todo += (((*here, n), item) for n, item in enumerate(held))


def _opened(value: Any) -> Any:
    if is_message(value):
        fields = {name: _writable(held) if isinstance(held, dict) else held for name, held in value}
        return _writable(fields, strict=("content", "tool_calls"))
    return value.model_dump(by_alias=True, exclude_unset=True) if _is_model(value) else value


def _writable(fields: Mapping[Any, Any], strict: Collection[str] = ()) -> dict[str, Any]:
    """What of these JSON can express: an artifact, or what an integration keeps for itself, may be any object."""
    named = {key: held for key, held in fields.items() if isinstance(key, str)}
    return {key: held for key, held in named.items() if key in strict or _has_json(held)}


def _has_json(value: Any) -> bool:
    if value is None or isinstance(value, str | int | float):
        return True
    try:
        encode(value, "")
    except WireError:
        return False
    return True


def comes_back(value: Any) -> bool:
    """Whether a message of LangChain is the same when made again from its JSON; true of all other values."""
    if not is_message(value):
        return True
    try:
        return bool(restored(jsonbytes.decode(encode(value, "message")), binary(value)) == value)
    except Exception:  # whatever an artifact raises when it is compared
        return False


def restored(value: JSON, places: Iterable[Path]) -> JSON:
    """A value of our own in which bytes and messages stand again at these places, as `binary` gave them."""
    box = [value]
    for path in sorted(map(tuple, places), key=len, reverse=True):
        holder: Any = box
        *way, last = (0, *path)
        for step in way:
            holder = holder[step]
        held = holder[last]
        holder[last] = message(held) if isinstance(held, dict) else _bytes(held)
    return box[0]


def message(fields: Mapping[str, Any]) -> Any:
    """The message of LangChain that has these fields, as they are: nothing is checked or converted."""
    from langchain_core import messages

    kind = str(fields["type"])
    known = {**_CLASSES, **{f"{name}Chunk": f"{name}Chunk" for name in _CLASSES.values()}}
    made = getattr(messages, known.get(kind, "BaseMessage"))
    return made.model_construct(**fields)


def like(note: JSON, beside: Any) -> Any:
    """A message of trimtab's own in the form of another: LangChain has objects, and three forms of JSON."""
    if is_message(beside):
        return message(note)
    match note, beside:
        case {"type": "human"}, {"type": "constructor", "kwargs": dict(), "id": list(name)}:
            return {"lc": 1, "type": "constructor", "id": [*name[:-1], "HumanMessage"], "kwargs": note}
        case {"type": "human"}, {"type": str(), "data": dict()}:
            return {"type": "human", "data": note}
    return note


def _bytes(base64: str) -> bytes:
    return urlsafe_b64decode(base64.replace("+", "-").replace("/", "_"))
