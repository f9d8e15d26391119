"""One original, read without the rest of the store: agents run `trimtab recall` in a shell, so imports count."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from trimtab.errors import StoreError
from trimtab.stores.sqlite.connection import Connection
from trimtab.stores.sqlite.packing import Blob, unpack

FRESH = 60.0
"""Seconds for which a conversation marked as used is not marked again."""

ORIGINAL = """
    SELECT a.kind, a.media_type, a.label, b.digest, b.packing, b.data, c.id, c.used
    FROM artifacts a JOIN conversations c ON c.id = a.conversation JOIN blobs b ON b.digest = a.blob
    WHERE a.namespace = ? AND a.handle = ?"""

USED = "UPDATE conversations SET used = max(used, ?) WHERE id = ?"


class Original(NamedTuple):
    """What `recall` needs of an artifact; the fields mean what they mean there (see `journal.Artifact`)."""

    kind: str
    media_type: str
    label: str
    data: bytes


class Originals:
    """The originals of an SQLite store. Raises StoreError, as the store does."""

    def __init__(self, path: str, clock: Callable[[], float] = time.time) -> None:
        self._file = Connection(path)
        self._clock = clock

    def artifact(self, namespace: str, handle: str) -> Original | None:
        """The original behind a handle, None when there is none here; its conversation counts as used now."""
        name = (namespace.encode(errors="replace").decode(), handle.encode(errors="replace").decode())
        with self._file.read() as db:
            row = db.execute(ORIGINAL, name).fetchone()
        if row is None:
            return None
        kind, media_type, label, digest, packing, data, home, used = row
        self._touch(home, used)
        return Original(kind, _text(media_type), _text(label), unpack(Blob(digest, packing, data)))

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def _touch(self, home: int, used: float) -> None:
        """Note the use; what cannot be written still reads."""
        now = self._clock()
        if now - used >= FRESH:
            with suppress(StoreError), self._file.write() as db:
                db.execute(USED, (now, home))


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")
