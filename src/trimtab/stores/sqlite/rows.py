"""Between rows and values: how decisions and originals are written to the tables, and read back.

Text that came from a transcript is kept as bytes that can hold lone surrogates, which clients do
send and which SQLite's own text cannot hold.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import MsgspecError
from msgspec.structs import replace

from trimtab.errors import StoreError, WireError
from trimtab.journal import Artifact, Entry, Kind, decode, encode
from trimtab.stores.base import Decision
from trimtab.stores.sqlite.packing import Blob, pack, unpack

Row: TypeAlias = tuple[Any, ...]

ARTIFACTS = """
    SELECT a.handle, a.origin, a.part, a.kind, a.media_type, a.label,
        b.digest, b.packing, b.data, r.digest, r.packing, r.data,
        coalesce((SELECT stub FROM stubs WHERE artifact = a.id ORDER BY id DESC LIMIT 1), x''),
        c.id, c.used
    FROM artifacts a JOIN conversations c ON c.id = a.conversation
        JOIN blobs b ON b.digest = a.blob LEFT JOIN blobs r ON r.digest = a.raw
    WHERE a.namespace = ?"""
"""What `read_artifact` reads, with the newest stub; then the conversation and when it was used."""

NEW_BLOB = "INSERT INTO blobs (digest, packing, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"

NEW_ARTIFACT = """
    INSERT INTO artifacts (conversation, namespace, handle, origin, part, kind, media_type, label, blob, raw)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

NEW_STUB = """
    INSERT INTO stubs (artifact, stub)
    SELECT id, ?1 FROM artifacts WHERE namespace = ?2 AND handle = ?3
    AND ?1 IS NOT (SELECT stub FROM stubs WHERE artifact = artifacts.id ORDER BY id DESC LIMIT 1)"""

NEW_DECISION = """
    INSERT INTO decisions (conversation, namespace, scope, boundary, seq, changed, body)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""

NEW_OUTPUT = """
    INSERT INTO outputs (conversation, namespace, output, origin)
    VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"""


KINDS = frozenset(Kind)


class Prepared(NamedTuple):
    """A decision with all that can be computed before the file is locked; of each artifact data and raw."""

    decision: Decision
    body: bytes
    blobs: list[tuple[Blob, Blob | None]]


def prepare(decision: Decision) -> Prepared:
    """Encode and pack."""
    blobs = [(pack(each.data), pack(each.raw) if each.raw else None) for each in decision.artifacts]
    bare = tuple(replace(each, data=b"", raw=b"") for each in decision.artifacts)
    return Prepared(replace(decision, artifacts=bare), encode(decision.entry), blobs)


def find_conversation(db: sqlite3.Connection, namespace: str, root: str) -> int | None:
    """The row of a conversation, None when nothing of it is held."""
    row = db.execute("SELECT id FROM conversations WHERE namespace = ? AND root = ?", (namespace, root)).fetchone()
    return row[0] if row else None


def use_conversation(db: sqlite3.Connection, namespace: str, root: str, now: float) -> int:
    """The row of a conversation, made when it is new, marked as used now."""
    home = find_conversation(db, namespace, root)
    if home is None:
        sql = "INSERT INTO conversations (namespace, root, created, used) VALUES (?, ?, ?, ?)"
        return db.execute(sql, (namespace, root, now, now)).lastrowid or 0
    db.execute("UPDATE conversations SET used = max(used, ?) WHERE id = ?", (now, home))
    return home


def write_decision(db: sqlite3.Connection, namespace: str, home: int, prepared: Prepared) -> Entry:
    """Write one decision, unless there is one on record; the entry that holds."""
    decision, body, blobs = prepared
    place = (namespace, decision.scope, decision.entry.boundary, decision.seq)
    held = db.execute(
        "SELECT body FROM decisions WHERE namespace = ? AND scope = ? AND boundary = ? AND seq = ?", place
    ).fetchone()
    if held:
        return read_entry(held[0])
    for artifact, (data, raw) in zip(decision.artifacts, blobs, strict=True):
        _write_artifact(db, namespace, home, artifact, data, raw)
    outputs = [(home, namespace, output, origin) for output, origin in decision.outputs]
    db.executemany(NEW_OUTPUT, outputs)
    changed = bool(decision.entry.records or decision.entry.cuts)
    db.execute(NEW_DECISION, (home, *place, changed, body))
    return decision.entry


def write_artifacts(db: sqlite3.Connection, namespace: str, home: int, artifacts: Sequence[Artifact]) -> None:
    """Write originals that belong to no decision; one that is held stays."""
    for artifact in artifacts:
        raw = pack(artifact.raw) if artifact.raw else None
        _write_artifact(db, namespace, home, artifact, pack(artifact.data), raw)


def _write_artifact(
    db: sqlite3.Connection, namespace: str, home: int, artifact: Artifact, data: Blob, raw: Blob | None
) -> None:
    name = (namespace, artifact.handle)
    place = (artifact.origin, artifact.part)
    about = (artifact.kind.value, _raw(artifact.media_type), _raw(artifact.label))
    held = db.execute("SELECT origin, part FROM artifacts WHERE namespace = ? AND handle = ?", name).fetchone()
    if held is None:
        db.executemany(NEW_BLOB, [blob for blob in (data, raw) if blob])
        db.execute(NEW_ARTIFACT, (home, *name, *place, *about, data.digest, raw and raw.digest))
    elif held != place:
        raise StoreError(f"the handle {artifact.handle} belongs to another original, which stays as it is")
    if artifact.stub:
        db.execute(NEW_STUB, (_raw(artifact.stub), *name))


def read_entry(body: bytes) -> Entry:
    """The entry of a row; StoreError when this version cannot read it."""
    try:
        return decode(body)
    except (MsgspecError, WireError) as error:
        raise StoreError(f"a stored decision cannot be read: {error}") from error


def read_artifact(row: Row) -> Artifact:
    """The original of a row of `ARTIFACTS`; StoreError when it is damaged."""
    handle, origin, part, kind, media_type, label, *blobs, stub, _, _ = row
    if kind not in KINDS:
        raise StoreError(f"the original {handle} is of a kind this version does not know: {kind}")
    data, raw = Blob(*blobs[:3]), Blob(*blobs[3:])
    return Artifact(
        handle=handle,
        data=unpack(data),
        kind=Kind(kind),
        media_type=text_of(media_type),
        origin=origin,
        part=part,
        label=text_of(label),
        stub=text_of(stub),
        raw=unpack(raw) if raw.digest else b"",
    )


def held_blobs(db: sqlite3.Connection, home: int | None) -> list[bytes]:
    """The digests of all blobs that a conversation holds."""
    sql = """
        SELECT blob FROM artifacts WHERE conversation = ?1
        UNION SELECT raw FROM artifacts WHERE conversation = ?1 AND raw IS NOT NULL"""
    return [digest for (digest,) in db.execute(sql, (home,))]


def drop_orphan(db: sqlite3.Connection, digest: bytes) -> int:
    """Delete a blob that no artifact names; the bytes it took, 0 when it stays."""
    sql = "SELECT 1 FROM artifacts WHERE blob = ?1 UNION ALL SELECT 1 FROM artifacts WHERE raw = ?1 LIMIT 1"
    if db.execute(sql, (digest,)).fetchone():
        return 0
    size: int = db.execute("SELECT length(data) FROM blobs WHERE digest = ?", (digest,)).fetchone()[0]
    db.execute("DELETE FROM blobs WHERE digest = ?", (digest,))
    return size


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def text_of(raw: bytes) -> str:
    """Text as it came from the transcript, lone surrogates included."""
    return raw.decode("utf-8", "surrogatepass")
