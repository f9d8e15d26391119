"""One original out of an SQLite store, read without loading the store.

Agents run `trimtab recall` in a shell, where the imports of the store and of its values would take
several times as long as the answer. A test holds this reading against that of the store.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections import namedtuple
from contextlib import closing, suppress
from hashlib import blake2b

from trimtab.errors import StoreError

TIMEOUT = 30.0
"""Seconds to wait for another process's transaction, as the store does."""

FRESH = 60.0
"""Seconds for which a conversation marked as used is not marked again, as in the store."""

ORIGINAL = """
    SELECT a.kind, a.media_type, b.digest, b.packing, b.data, c.id, c.used
    FROM artifacts a JOIN conversations c ON c.id = a.conversation JOIN blobs b ON b.digest = a.blob
    WHERE a.namespace = ? AND a.handle = ?"""

ALIKE = """
    SELECT o.handle, max(o.id) FROM artifacts a JOIN artifacts o ON o.conversation = a.conversation
        AND o.kind = a.kind AND o.label = a.label AND o.origin <> a.origin AND o.blob <> a.blob
    WHERE a.namespace = ?1 AND a.handle = ?2 AND a.kind = 'text'
        AND a.label NOT IN (x'', CAST('tool result' AS BLOB)) AND substr(a.label, -3) <> CAST('…' AS BLOB)
    GROUP BY o.blob ORDER BY max(o.id)"""
"""Other results of the same call: they bear the label of this one, which is not cut short, and differ."""

USED = "UPDATE conversations SET used = max(used, ?) WHERE id = ?"

Original = namedtuple("Original", ("kind", "media_type", "data", "alike"))
"""What an artifact holds (see `journal.Artifact`), and what `Store.alike` says. (Importing typing would cost.)"""


def original(path: str, namespace: str, handle: str) -> Original | None:
    """The original behind a handle, None when there is none; its conversation counts as used now.

    A store that is not there is not made. Raises StoreError.
    """
    if not os.path.isfile(path):  # noqa: PTH113  (so does pathlib)
        return None
    try:
        with closing(sqlite3.connect(path, timeout=TIMEOUT, isolation_level=None)) as db:
            row = db.execute(ORIGINAL, (_utf8(namespace), _utf8(handle))).fetchone()
            if row is None:
                return None
            kind, media_type, digest, packing, data, home, used = row
            alike = [other for other, _ in db.execute(ALIKE, (_utf8(namespace), _utf8(handle)))]
            now = time.time()
            if now - used >= FRESH:
                with suppress(sqlite3.Error):
                    db.execute(USED, (now, home))
    except sqlite3.Error as error:
        raise StoreError(f"cannot use the store {path}: {error}") from error
    return Original(kind, media_type.decode("utf-8", "surrogatepass"), _unpacked(digest, packing, data), alike)


def _unpacked(digest: bytes, packing: str, data: bytes) -> bytes:
    try:
        content = zlib.decompress(data) if packing == "zlib" else data
    except zlib.error:
        content = b""
    if blake2b(content, digest_size=20).digest() != digest:
        raise StoreError(f"the stored original {digest.hex()} is damaged")
    return content


def _utf8(text: str) -> str:
    """A text SQLite can look for; one with lone surrogates names nothing there."""
    return text.encode(errors="replace").decode()
