"""Edits of the frame: tools, system text and options, shaped alike on every call and put back by undo.

The frame names no message, so nothing here is a decision of the journal: the same frame is always shaped
the same way. What a field was is stored under a handle made from what is sent instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from trimtab.body import MESSAGES, open_body
from trimtab.edits import Loss
from trimtab.errors import StoreError
from trimtab.identity import digest, frame_handle
from trimtab.journal import SPAN, Artifact, Kind
from trimtab.jsonbytes import Delete, Op, Set
from trimtab.passes.base import FramePass
from trimtab.report import EditLine
from trimtab.request import Request, countable
from trimtab.stores.base import Store
from trimtab.transcript import JSON, Finding

ABSENT = b"null"
"""Stands for a field that the request did not have; none that it has is edited when it is null."""


class Framed(NamedTuple):
    """A payload with its frame shaped (the very one that came in when nothing was to be done), and what was
    done."""

    payload: Any
    lines: tuple[EditLine, ...] = ()
    headers: Mapping[str, str] = {}
    findings: tuple[Finding, ...] = ()


def shaped(request: Request, passes: Sequence[FramePass], store: Store, namespace: str) -> Framed:
    """Let each pass shape the frame, and store what its fields were; without a store nothing is shaped."""
    fields, wire = request.body.fields(), request.wire.name
    if not passes or not fields or not store.keeps:
        return Framed(request.body.payload)
    ops, why = list[Op](), dict[str, list[tuple[str, str]]]()
    for one in passes:
        for op, reason in one.shape(wire, fields, _task(request)):
            ops.append(op)
            why.setdefault(str(op.path[0]), []).append((one.name, reason))
    headers = {name: value for one in passes for name, value in one.headers(wire).items()}
    if not ops:
        return Framed(request.body.payload, headers=headers)
    payload = request.body.reframed(ops)
    artifacts = [_artifact(request, key, payload, fields) for key in why]
    try:
        store.keep(namespace, request.root, artifacts)
    except StoreError as error:
        problem = Finding("failed", "frame", str(error), "the frame goes out as it came")
        return Framed(request.body.payload, findings=(problem,))
    handles = {artifact.label: artifact.handle for artifact in artifacts}
    lines = tuple(_line(key, reasons, handles[key]) for key, reasons in why.items())
    return Framed(payload, lines, headers)


def unshaped(request: Request, store: Store, namespace: str) -> Any:
    """The payload with every field of the frame as it was before it was shaped."""
    ops: list[Op] = []
    for key in request.body.fields().keys() - set(MESSAGES):
        handle = frame_handle(request.root, key, digest(request.body.field(key)))
        held = store.artifact(namespace, handle)
        if held is not None and held.kind is Kind.FRAME:
            exact = request.body.exact(held.data.decode("utf-8", "surrogatepass"))
            ops.append(Delete((key,)) if held.data == ABSENT else Set((key,), exact))
    return request.body.reframed(ops) if ops else request.body.payload


def _artifact(request: Request, key: str, payload: Any, fields: Mapping[str, JSON]) -> Artifact:
    """What a field was, under the handle of what it is now."""
    given = request.body.field(key) if key in fields else ABSENT
    sent = open_body(payload).field(key)
    handle = frame_handle(request.root, key, digest(sent))
    return Artifact(
        handle=handle, data=given, kind=Kind.FRAME, media_type="", origin=digest(given), part=SPAN, label=key
    )


def _line(key: str, reasons: Sequence[tuple[str, str]], handle: str) -> EditLine:
    told = ", ".join(dict.fromkeys(reason for _, reason in reasons))
    by = ", ".join(dict.fromkeys(name for name, _ in reasons))
    return EditLine(key, f"{len(reasons)} values", by, told, Loss.RECOVERABLE.name, 0, handle)


def _task(request: Request) -> str:
    """What the first turn says; it is the same on every call."""
    messages = (one.message for one in request.parsed[request.heads : request.heads + 1])
    return "\n".join(countable(part) for message in messages for part in message.parts)
