"""Requests as Python objects: their JSON, and edited copies that share whatever was not touched.

Objects of provider SDKs and binary values (the AWS and Google SDKs hold media as bytes) may stand in
them. In JSON a binary value is its base64; where one stood, an edited or restored value is bytes again.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from trimtab import jsonbytes
from trimtab.errors import WireError
from trimtab.jsonbytes import Delete, Op
from trimtab.transcript import JSON, Path

_GONE = object()


def encode(value: Any, place: str) -> bytes:
    """JSON of a value that may hold SDK objects and bytes. Raises WireError naming the place."""
    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except UnicodeEncodeError:
        return jsonbytes.encode(value)
    except (TypeError, ValueError, RecursionError, NotImplementedError) as error:
        raise WireError(f"{place}: cannot be written as JSON: {error}") from error


def _plain(value: Any) -> Any:
    """An SDK object as plain JSON; the SDKs of OpenAI, Anthropic and Google all build on pydantic."""
    if not _is_model(value):
        raise NotImplementedError(f"{type(value).__name__} is neither JSON nor an SDK object")
    return value.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _is_model(value: Any) -> bool:
    return hasattr(type(value), "model_dump")


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
    """The places below `path` at which bytes stand, as paths from there."""
    for step in path:
        value = _opened(value)[step]
    todo: list[tuple[Path, Any]] = [((), value)]
    while todo:
        here, value = todo.pop()
        held = _opened(value)
        if isinstance(held, bytes | bytearray):
            yield here
        elif isinstance(held, dict):
            todo += (((*here, key), item) for key, item in held.items())
        elif isinstance(held, list | tuple):
            todo += (((*here, n), item) for n, item in enumerate(held))


def _opened(value: Any) -> Any:
    return value.model_dump(by_alias=True, exclude_unset=True) if _is_model(value) else value


def restored(value: JSON, places: Iterable[Path]) -> JSON:
    """A value of our own in which the base64 at these places, as `binary` gave them, becomes bytes again."""
    box = [value]
    for path in places:
        holder: Any = box
        *way, last = (0, *path)
        for step in way:
            holder = holder[step]
        holder[last] = _bytes(holder[last])
    return box[0]


def _bytes(base64: str) -> bytes:
    return urlsafe_b64decode(base64.replace("+", "-").replace("/", "_"))
