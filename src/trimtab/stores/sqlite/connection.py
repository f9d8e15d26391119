"""One SQLite file that threads, processes and forks share: private, migrated, in transactions."""

from __future__ import annotations

import os
import sqlite3
import time
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Lock

from trimtab.errors import StoreError
from trimtab.stores.sqlite.migrations import check_ours, migrate

MEMORY = ":memory:"

TIMEOUT = 30.0
"""Seconds to wait for another process's transaction (each lasts milliseconds)."""

ADVICE = {
    sqlite3.SQLITE_NOTADB: "it is not an SQLite file; name another file for the store",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; move it away to start afresh",
    sqlite3.SQLITE_FULL: "no space is left, nothing was written; free some, or prune the store",
    sqlite3.SQLITE_BUSY: f"another process kept it locked for {TIMEOUT:.0f} s",
    sqlite3.SQLITE_READONLY: "it cannot be written; check its permissions",
    sqlite3.SQLITE_CANTOPEN: "the file or its folder cannot be opened for writing",
}


class Connection:
    """A guarded connection; `read` and `write` are transactions. Raises StoreError, at construction too.

    `synchronous=NORMAL` with a write-ahead log: a commit is in the system's page cache before it
    returns, so it outlives a killed process; a power cut may take the latest commits but never
    half of one. An fsync for each commit would slow every call to guard against power cuts alone.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = Lock()
        self._db: sqlite3.Connection | None = None
        self._closed = False
        with _registry, self.read():
            _open.add(self)

    def read(self) -> AbstractContextManager[sqlite3.Connection]:
        """One consistent view of the file."""
        return self._transaction("BEGIN")

    def write(self) -> AbstractContextManager[sqlite3.Connection]:
        """All or nothing; the lock is taken at once, so that no transaction fails half-way for want of it."""
        return self._transaction("BEGIN IMMEDIATE")

    def reclaim(self) -> None:
        """Give the pages of deleted rows back to the system, and empty the log that still holds them."""
        with self._guarded() as db:
            db.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._disconnect()

    def __del__(self) -> None:
        """A store that is merely dropped lets go of its file, as Python 3.13 wants it."""
        with suppress(Exception):
            self._disconnect()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._guarded() as db:
            try:
                db.execute(begin)
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _guarded(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._closed:
                raise StoreError(f"the store {self.path} is closed")
            try:
                if self._db is None:
                    self._db = _connect(self.path)
                yield self._db
            except (sqlite3.Error, OSError, ValueError, OverflowError) as error:
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                raise StoreError(f"cannot use the store {self.path}: {ADVICE.get(code, error)}") from error

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _before_fork(self) -> None:
        self._lock.acquire()
        if self.path != MEMORY:
            self._disconnect()

    def _after_fork(self) -> None:
        self._lock.release()


def _connect(path: str) -> sqlite3.Connection:
    """An open, migrated connection. Two processes that create it at once may collide: then once more."""
    if path != MEMORY:
        _create_private(Path(path))
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            return _configured(path)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _configured(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=TIMEOUT, isolation_level=None, check_same_thread=False)
    try:
        if not check_ours(db, path):
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")
        migrate(db)
        if path != MEMORY:
            _keep_private(path)
    except BaseException:
        db.close()
        raise
    return db


def _create_private(path: Path) -> None:
    """Create the file for its owner only (SQLite gives its side files the same mode).

    A file that exists is not opened here: closing it would drop the locks that SQLite holds on it
    in this process (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    _create_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _create_folder(folder: Path) -> None:
    if not folder.is_dir():
        _create_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _keep_private(path: str) -> None:
    """Take from group and others what they may do with the files; a folder that was there is left alone."""
    for file in (Path(path), Path(f"{path}-wal"), Path(f"{path}-shm")):
        with suppress(OSError):
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


_open: weakref.WeakSet[Connection] = weakref.WeakSet()
_registry = Lock()
_forking: list[Connection] = []


def _before_fork() -> None:
    """Close every file before a fork, to be reopened on next use on both sides.

    Reopening in the child is not enough: SQLite's record of the locks this process holds is copied,
    the locks are not, and what the child then writes can be lost when the parent closes the file.
    """
    _registry.acquire()
    _forking.extend(_open)
    for connection in _forking:
        connection._before_fork()


def _after_fork() -> None:
    while _forking:
        _forking.pop()._after_fork()
    _registry.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
