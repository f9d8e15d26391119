"""The schema of the store, as numbered steps; a file says in `user_version` how many it has taken."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from trimtab.errors import StoreError

APPLICATION_ID = 0x7472696D
"""Marks a file as ours ("trim" in ASCII), in the header field SQLite keeps for this purpose."""

FIRST_SCHEMA = (
    """CREATE TABLE conversations (
        id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, root TEXT NOT NULL,
        created REAL NOT NULL, used REAL NOT NULL, UNIQUE (namespace, root))""",
    "CREATE TABLE blobs (digest BLOB PRIMARY KEY, packing TEXT NOT NULL, data BLOB NOT NULL)",
    """CREATE TABLE artifacts (
        id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, handle TEXT NOT NULL,
        conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
        origin BLOB NOT NULL, part INTEGER NOT NULL, kind TEXT NOT NULL, media_type BLOB NOT NULL,
        label BLOB NOT NULL, blob BLOB NOT NULL REFERENCES blobs, raw BLOB REFERENCES blobs,
        UNIQUE (namespace, handle))""",
    "CREATE INDEX artifacts_origin ON artifacts (namespace, origin)",
    "CREATE INDEX artifacts_conversation ON artifacts (conversation)",
    "CREATE INDEX artifacts_blob ON artifacts (blob)",
    "CREATE INDEX artifacts_raw ON artifacts (raw) WHERE raw IS NOT NULL",
    """CREATE TABLE stubs (
        id INTEGER PRIMARY KEY, artifact INTEGER NOT NULL REFERENCES artifacts ON DELETE CASCADE,
        stub BLOB NOT NULL)""",
    "CREATE INDEX stubs_artifact ON stubs (artifact)",
    """CREATE TABLE decisions (
        id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, scope TEXT NOT NULL, boundary BLOB NOT NULL,
        seq INTEGER NOT NULL, conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
        changed INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (namespace, scope, boundary, seq))""",
    "CREATE INDEX decisions_conversation ON decisions (conversation)",
    "CREATE INDEX decisions_log ON decisions (namespace, id) WHERE changed",
    """CREATE TABLE outputs (
        namespace TEXT NOT NULL, output BLOB NOT NULL, origin BLOB NOT NULL,
        conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
        PRIMARY KEY (namespace, output))""",
    "CREATE INDEX outputs_conversation ON outputs (conversation)",
    """CREATE TABLE usage (
        id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, family TEXT NOT NULL,
        raw INTEGER NOT NULL, billed INTEGER NOT NULL, at REAL NOT NULL)""",
    "CREATE INDEX usage_family ON usage (namespace, family, at)",
)


def create_tables(db: sqlite3.Connection) -> None:
    """Step 1. Texts from transcripts are blobs: they may hold what SQLite's text cannot (see `texts`)."""
    for statement in FIRST_SCHEMA:
        db.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (create_tables,)
"""Append only: a step that was released never changes."""


def check_ours(db: sqlite3.Connection, path: str) -> int:
    """The schema version of a file, 0 when new; StoreError when another program's or newer."""
    version: int = db.execute("PRAGMA user_version").fetchone()[0]
    mark: int = db.execute("PRAGMA application_id").fetchone()[0]
    used = version or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if mark != APPLICATION_ID and used:
        raise StoreError(f"{path} is the database of another program: name another file for the store")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"{path} was written by a newer trimtab (schema {version}, this one knows {len(MIGRATIONS)}):"
            " upgrade trimtab, or name another file for the store"
        )
    return version


def migrate(db: sqlite3.Connection) -> None:
    """Take the missing steps, all or none. Needs the write lock: so it also proves the file writable."""
    db.execute("BEGIN IMMEDIATE")
    try:
        version: int = db.execute("PRAGMA user_version").fetchone()[0]
        for step in MIGRATIONS[version:]:
            step(db)
        if version < len(MIGRATIONS):
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
