"""Decisions and originals to store, told apart by a number or by their bytes."""

from __future__ import annotations

from trimtab.edits import Loss
from trimtab.journal import Artifact, Entry, Kind, Record
from trimtab.stores.base import Decision
from trimtab.transcript import ToolResult


def original(data: bytes, handle: str, origin: bytes = b"message", **fields: object) -> Artifact:
    """An artifact; what a test does not care about is filled in."""
    given: dict[str, object] = {
        "kind": Kind.TEXT,
        "media_type": "text/plain",
        "part": 0,
        "stub": f"[{handle}]",
    }
    return Artifact(**{"data": data, "handle": handle, "origin": origin, **given, **fields})  # type: ignore[arg-type]


def decide(
    boundary: bytes,
    *artifacts: Artifact,
    root: bytes = b"root",
    scope: str = "default",
    seq: int = 0,
    **more: object,
) -> Decision:
    """A decision with one record for each artifact."""
    records = tuple(
        Record(
            message=artifact.origin,
            index=artifact.part,
            part=ToolResult("call", artifact.stub),
            handle=artifact.handle,
            by="fold",
            reason="old",
            loss=Loss.RECOVERABLE,
            saved=100,
            size=10,
        )
        for artifact in artifacts
    )
    entry = Entry(
        boundary=boundary,
        root=root,
        at=1.0,
        trigger="budget",
        tokens=1000,
        after=500,
        factor=1.0,
        preset="default",
        records=records,
    )
    return Decision(scope=scope, seq=seq, entry=entry, artifacts=artifacts, **more)  # type: ignore[arg-type]


def content(name: str, number: int) -> bytes:
    """Bytes that can be foretold, of varying length, some thousands of them."""
    return f"{name} {number}\n".encode() * (100 + number % 200)


def numbered(name: str, number: int) -> Decision:
    """The decision with number `number` of the writer `name`: its handle says both."""
    handle = f"{name}:{number}"
    return decide(handle.encode(), original(content(name, number), handle, handle.encode()), root=name.encode())
