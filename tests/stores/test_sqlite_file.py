from __future__ import annotations

import os
import random
import sqlite3
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.stores.making import decide, original

from trimtab.errors import StoreError
from trimtab.stores import SqliteStore
from trimtab.stores.sqlite.migrations import MIGRATIONS

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no owner, group and others")


@pytest.fixture
def lax_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def change(path: Path, statement: str) -> None:
    db = sqlite3.connect(path)
    db.execute(statement)
    db.commit()
    db.close()


@posix
@pytest.mark.usefixtures("lax_umask")
def test_files_and_new_folders_are_their_owners_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    store = SqliteStore(tmp_path / "new" / "newer" / "s.db")
    store.commit("ns", [decide(b"b")])
    files = list((tmp_path / "new" / "newer").iterdir())
    assert sorted(file.name for file in files) == ["s.db", "s.db-shm", "s.db-wal"]
    assert {mode(file) for file in files} == {0o600}
    store.close()
    assert mode(tmp_path / "new") == mode(tmp_path / "new" / "newer") == 0o700
    assert mode(tmp_path) == 0o755


@posix
def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "s.db").close()
    (tmp_path / "s.db").chmod(0o644)
    SqliteStore(tmp_path / "s.db").close()
    assert mode(tmp_path / "s.db") == 0o600


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    SqliteStore(path).close()
    change(path, f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"s\.db was written by a newer trimtab .* upgrade trimtab"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    change(path, "CREATE TABLE blobs (mine)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"s\.db is the database of another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_file_that_is_not_sqlite_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database\n" * 100)
    with pytest.raises(StoreError, match=r"notes\.txt: it is not an SQLite file"):
        SqliteStore(path)
    assert path.read_text() == "not a database\n" * 100


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "s.db").touch()
    store = SqliteStore(tmp_path / "s.db")
    store.commit("ns", [decide(b"b")])
    store.close()


def test_a_place_that_cannot_be_a_file_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "s.db", tmp_path / "folder"):
        with pytest.raises(StoreError, match=path.name):
            SqliteStore(path)
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_half_made_schema_is_never_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE half (x)")
        db.execute("no SQL")

    path = tmp_path / "s.db"
    store = SqliteStore(path)
    store.commit("ns", [decide(b"b", original(b"data", "t:1"))])
    store.close()
    with monkeypatch.context() as patch:
        patch.setattr("trimtab.stores.sqlite.migrations.MIGRATIONS", (*MIGRATIONS, breaks))
        with pytest.raises(StoreError):
            SqliteStore(path)
        patch.setattr("trimtab.stores.sqlite.migrations.MIGRATIONS", (*MIGRATIONS, lambda db: None))
        SqliteStore(path).close()
    with pytest.raises(StoreError, match="newer"):
        SqliteStore(path)
    change(path, f"PRAGMA user_version = {len(MIGRATIONS)}")
    store = SqliteStore(path)
    assert store.artifact("ns", "t:1")
    store.close()


def test_a_full_disk_fails_the_commit_and_leaves_nothing_of_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    store.commit("ns", [decide(b"a", original(b"before", "t:0", b"m0"))])
    with store._file.read() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages + 20}")
    small = original(b"small", "t:1", b"m1")
    large = original(random.Random(1).randbytes(1_000_000), "t:2", b"m2")
    with pytest.raises(StoreError, match="no space is left"):
        store.commit("ns", [decide(b"b", small), decide(b"c", large)])
    assert store.artifact("ns", "t:0")
    assert store.artifact("ns", "t:1") is None
    assert store.decisions("ns", "default", [b"b", b"c"]) == {}
    assert store.commit("ns", [decide(b"b", small)])
    with store._file.read() as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    store.close()
