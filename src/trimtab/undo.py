"""From output back to input: every part that trimtab cut is put back as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from trimtab.body import Rendered
from trimtab.edits import At
from trimtab.journal import Artifact, Kind
from trimtab.jsonbytes import Op, Set, decode
from trimtab.request import Request
from trimtab.stores.base import Store
from trimtab.transcript import Part, Path, Text, ToolCall, ToolResult


def undo(request: Request, store: Store, namespace: str) -> Any:
    """The payload as it was before trimtab edited it; the very object that came in when nothing was edited.

    Text that merely looks like a stub is left alone: only messages that trimtab itself sent are undone.
    Raises StoreError.
    """
    names = [name for name in request.names if name in request.fed_back]
    stored: dict[bytes, list[Artifact]] = {}
    for artifact in store.artifacts(namespace, names):
        stored.setdefault(artifact.origin, []).append(artifact)
    changes: dict[int, Rendered] = {}
    for name in names:
        index = request.index[name]
        changes[index] = _restored(request, index, stored.get(name, []))
    changes = {index: change for index, change in changes.items() if change is not None}
    return request.body.rewrite(changes) if changes else request.body.payload


def _restored(request: Request, index: int, stored: Sequence[Artifact]) -> Rendered | None:
    """A message as it was, several where a note stood for them, or None when the store has nothing."""
    parts = request.parsed[index].message.parts
    for artifact in stored:
        if artifact.kind is Kind.SPAN and [part.text for part in parts if isinstance(part, Text)] == [
            artifact.stub
        ]:
            return request.body.rendered(artifact.data, _raw(artifact))
    for artifact in stored:
        if artifact.kind is Kind.MESSAGE and not parts[artifact.part].path:
            return request.body.rendered(artifact.data, _raw(artifact))
    ops = [op for artifact in stored for op in _ops(request, At(request.names[index], artifact.part), artifact)]
    return request.body.edited(index, ops) if ops else None


def _ops(request: Request, at: At, artifact: Artifact) -> list[Op]:
    """The value edits that put one original back."""
    index = request.index[at.message]
    parts = request.parsed[index].message.parts
    if artifact.kind in (Kind.SPAN, Kind.MESSAGE) or at.part >= len(parts):
        return []
    part = parts[at.part]
    original = _original(part, artifact)
    if artifact.kind is Kind.MEDIA:
        return [Set(_item(part.path), _whole(request, artifact))] if isinstance(part, Text | ToolResult) else []
    if original is None or original == part:
        return []
    ops = request.wire.overlay(request.body.source(index), part, original)
    exact = {tuple(path): raw for path, raw in _raw(artifact)}
    if part.path in exact:
        return [Set(part.path, request.body.exact(exact[part.path]))]
    return [
        op._replace(value=request.body.exact(exact[op.path])) if isinstance(op, Set) and op.path in exact else op
        for op in ops
    ]


def _original(part: Part, artifact: Artifact) -> Part | None:
    text = artifact.data.decode("utf-8", "surrogatepass")
    match part:
        case ToolResult() | Text():
            return msgspec.structs.replace(part, text=text)
        case ToolCall():
            return msgspec.structs.replace(part, arguments=text)
    return None


def _item(path: Path) -> Path:
    """The place of a medium by that of the text in its place: of the item, or of the text in that item."""
    return path if isinstance(path[-1], int) else path[:-1]


def _whole(request: Request, artifact: Artifact) -> Any:
    return request.body.exact(artifact.data.decode("utf-8", "surrogatepass"), _raw(artifact))


def _raw(artifact: Artifact) -> list[Any]:
    return decode(artifact.raw) if artifact.raw else []
