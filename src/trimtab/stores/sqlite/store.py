"""The store in one SQLite file."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import to_builtins

from trimtab.errors import StoreError
from trimtab.journal import Artifact, Entry
from trimtab.originals import ALIKE
from trimtab.stores.base import Conversation, Decision
from trimtab.stores.sqlite.connection import MEMORY, Connection
from trimtab.stores.sqlite.rows import (
    ARTIFACTS,
    Row,
    drop_orphan,
    find_conversation,
    held_blobs,
    prepare,
    read_artifact,
    read_entry,
    text_of,
    use_conversation,
    write_artifacts,
    write_decision,
)

CHUNK = 500
"""Keys in one look-up; SQLite before 3.32 takes 999 variables in a statement."""

FRESH = 60.0
"""Seconds for which a conversation marked as used is not marked again by a recall."""


class SqliteStore:
    """A `Store` in an SQLite file, or in memory for the path ":memory:".

    The file is its owner's alone. Threads, processes and forks may share it. `clock` gives seconds
    since 1970. A handle belongs to one part of one message and keeps its first content:
    a commit that gives it to another raises StoreError and writes nothing.
    """

    keeps = True

    def __init__(self, path: str | os.PathLike[str], clock: Callable[[], float] = time.time) -> None:
        name = os.fspath(path)
        self._file = Connection(name if name == MEMORY else str(Path(name).absolute()))
        self._clock = clock

    def close(self) -> None:
        """Release the file; what is asked of the store afterwards raises StoreError."""
        self._file.close()

    def decisions(self, namespace: str, scope: str, boundaries: Sequence[bytes]) -> dict[bytes, list[Entry]]:
        """The decisions on record at these boundaries, each list in order of `seq`."""
        found: dict[bytes, list[Entry]] = {}
        sql = (
            "SELECT boundary, body FROM decisions"
            " WHERE namespace = ? AND scope = ? AND boundary IN (*) ORDER BY seq"
        )
        for boundary, body in self._among(sql, (namespace, scope), boundaries):
            found.setdefault(boundary, []).append(read_entry(body))
        return found

    def commit(self, namespace: str, decisions: Iterable[Decision]) -> list[Entry]:
        """Write decisions in one transaction; answers with the entry that holds for each."""
        prepared = [prepare(decision) for decision in decisions]
        if not prepared:
            return []
        now = self._clock()
        with self._file.write() as db:
            roots = dict.fromkeys(each.decision.entry.root for each in prepared)
            homes = {root: use_conversation(db, namespace, root.hex(), now) for root in roots}
            return [write_decision(db, namespace, homes[each.decision.entry.root], each) for each in prepared]

    def keep(self, namespace: str, root: bytes, artifacts: Sequence[Artifact]) -> None:
        """Store originals of a conversation that belong to no decision, in one transaction."""
        with self._file.write() as db:
            home = use_conversation(db, namespace, root.hex(), self._clock())
            write_artifacts(db, namespace, home, artifacts)

    def origins(self, namespace: str, outputs: Sequence[bytes]) -> dict[bytes, bytes]:
        """For identities of edited messages in outputs: the identities they came from."""
        sql = "SELECT output, origin FROM outputs WHERE namespace = ? AND output IN (*)"
        return dict(self._among(sql, (namespace,), outputs))

    def artifact(self, namespace: str, handle: str) -> Artifact | None:
        """The original behind a handle, None when there is none here; its conversation counts as used now."""
        try:
            handle.encode()
        except UnicodeEncodeError:
            return None
        with self._file.read() as db:
            row = db.execute(f"{ARTIFACTS} AND a.handle = ?", (namespace, handle)).fetchone()
        if row is None:
            return None
        home, used = row[-2:]
        self._touch(home, used)
        return read_artifact(row)

    def artifacts(self, namespace: str, origins: Sequence[bytes]) -> list[Artifact]:
        """All originals cut from these messages, in the order of the messages and their parts."""
        rows = self._among(f"{ARTIFACTS} AND a.origin IN (*)", (namespace,), origins)
        order = {origin: place for place, origin in enumerate(origins)}
        found = [read_artifact(row) for row in rows]
        return sorted(found, key=lambda each: (order[each.origin], each.part, each.handle))

    def alike(self, namespace: str, handle: str) -> list[str]:
        """Handles of what the same call gave at other times, where that differs; newest last."""
        with self._file.read() as db:
            return [other for other, _ in db.execute(ALIKE, (namespace, handle))]

    def note_usage(self, namespace: str, family: str, raw: int, billed: int, at: float) -> None:
        """Remember what a provider billed for a request of `raw` counted tokens."""
        sql = "INSERT INTO usage (namespace, family, raw, billed, at) VALUES (?, ?, ?, ?, ?)"
        with self._file.write() as db:
            db.execute(sql, (namespace, family, raw, billed, at))

    def usage(self, namespace: str, family: str, limit: int = 20) -> list[tuple[int, int]]:
        """The latest (raw, billed) pairs of a model family, newest first."""
        sql = "SELECT raw, billed FROM usage WHERE namespace = ? AND family = ? ORDER BY at DESC, id DESC LIMIT ?"
        with self._file.read() as db:
            return db.execute(sql, (namespace, family, limit)).fetchall()

    def log(self, namespace: str, limit: int) -> list[Entry]:
        """The latest decisions that changed something, newest first."""
        sql = "SELECT body FROM decisions WHERE namespace = ? AND changed ORDER BY id DESC LIMIT ?"
        with self._file.read() as db:
            rows = db.execute(sql, (namespace, limit)).fetchall()
        return [read_entry(body) for (body,) in rows]

    def conversations(self, namespace: str | None = None) -> list[Conversation]:
        """Everything held, largest first; sizes as stored, an original shared by two counts for each."""
        sql = """
            SELECT c.namespace, c.root, c.created, c.used,
                (SELECT count(*) FROM decisions WHERE conversation = c.id) AS decisions,
                (SELECT count(*) FROM artifacts WHERE conversation = c.id) AS artifacts,
                (SELECT coalesce(sum(length(data)), 0) FROM blobs
                    WHERE digest IN (SELECT blob FROM artifacts WHERE conversation = c.id
                        UNION SELECT raw FROM artifacts WHERE conversation = c.id)) AS size
            FROM conversations c WHERE ?1 IS NULL OR c.namespace = ?1 ORDER BY size DESC, c.used DESC"""
        with self._file.read() as db:
            rows = db.execute(sql, (namespace,)).fetchall()
        return [Conversation(**dict(zip(Conversation.__struct_fields__, row, strict=True))) for row in rows]

    def export(self, namespace: str, root: str) -> Iterator[Mapping[str, object]]:
        """Everything held of one conversation as plain JSON objects: decisions, then artifacts.

        Each says in `type` which it is. Bytes are base64; `stubs` are all that were issued, oldest first.
        """
        with self._file.read() as db:
            home = find_conversation(db, namespace, root)
            journal = db.execute(
                "SELECT scope, seq, body FROM decisions WHERE conversation = ? ORDER BY id", (home,)
            ).fetchall()
            keys = db.execute("SELECT id FROM artifacts WHERE conversation = ? ORDER BY id", (home,)).fetchall()
        for scope, seq, body in journal:
            yield {"type": "decision", "scope": scope, "seq": seq, "entry": to_builtins(read_entry(body))}
        for (key,) in keys:
            with self._file.read() as db:
                rows = db.execute(f"{ARTIFACTS} AND a.id = ?", (namespace, key)).fetchall()
                stubs = db.execute("SELECT stub FROM stubs WHERE artifact = ? ORDER BY id", (key,)).fetchall()
            issued = [text_of(stub) for (stub,) in stubs]
            for row in rows:
                yield {"type": "artifact", **to_builtins(read_artifact(row)), "stubs": issued}

    def delete(self, namespace: str, root: str) -> int:
        """Forget one conversation; the bytes of originals that no other one holds."""
        with self._file.read() as db:
            home = find_conversation(db, namespace, root)
        freed = self._forget(home, float("inf"))
        self._file.reclaim()
        return freed

    def prune(self, max_age: float, max_size: int, keep_used_within: float = 86_400.0) -> int:
        """Forget what was unused for `max_age` seconds, then the longest unused until `max_size` bytes hold.

        Never one used within `keep_used_within` seconds (a recall is noted to the minute). Usage
        older than `max_age` goes too. Answers the bytes freed.
        """
        now = self._clock()
        spared = now - keep_used_within
        sql = "SELECT id, used FROM conversations WHERE used <= ? ORDER BY used, id"
        with self._file.write() as db:
            db.execute("DELETE FROM usage WHERE at <= ?", (now - max_age,))
        with self._file.read() as db:
            idle = db.execute(sql, (spared,)).fetchall()
            held: int = db.execute("SELECT coalesce(sum(length(data)), 0) FROM blobs").fetchone()[0]
        freed = 0
        for home, used in idle:
            if used > now - max_age and held - freed <= max_size:
                break
            freed += self._forget(home, spared)
        self._file.reclaim()
        return freed

    def _among(self, sql: str, fixed: Row, keys: Sequence[bytes]) -> list[Row]:
        """The rows of `sql` with its `*` bound to these keys, in chunks but of one moment."""
        distinct = list(dict.fromkeys(keys))
        rows: list[Row] = []
        with self._file.read() as db:
            for start in range(0, len(distinct), CHUNK):
                chunk = distinct[start : start + CHUNK]
                marks = ", ".join("?" * len(chunk))
                rows += db.execute(sql.replace("(*)", f"({marks})"), (*fixed, *chunk))
        return rows

    def _touch(self, home: int, used: float) -> None:
        """Mark a conversation as used now, once a minute at most; what cannot be written still reads."""
        now = self._clock()
        if now - used >= FRESH:
            with suppress(StoreError), self._file.write() as db:
                db.execute("UPDATE conversations SET used = max(used, ?) WHERE id = ?", (now, home))

    def _forget(self, home: int | None, spared: float) -> int:
        """Delete a conversation unless it was used after `spared`, and every blob that nobody else holds."""
        with self._file.write() as db:
            blobs = held_blobs(db, home)
            gone = db.execute("DELETE FROM conversations WHERE id = ? AND used <= ?", (home, spared)).rowcount
            return sum(drop_orphan(db, blob) for blob in blobs) if gone else 0
