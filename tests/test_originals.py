"""The short way to an original finds what the store finds, and nothing else."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.stores.making import decide, original as made

from trimtab.errors import StoreError
from trimtab.journal import Kind
from trimtab.originals import FRESH, TIMEOUT, original
from trimtab.stores import SqliteStore
from trimtab.stores.sqlite import connection, store as sqlite_store

HANDLE = "t:0123456789abcdef"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("originals") / "store.db"


def keep(path: Path, data: bytes, handle: str = HANDLE, *, age: float = 0.0, **fields: object) -> None:
    place = SqliteStore(path, clock=lambda: time.time() - age)
    place.commit("default", [decide(handle.encode(), made(data, handle, handle.encode(), **fields))])
    place.close()


@given(
    st.binary(max_size=3000),
    st.sampled_from(Kind),
    st.text(st.characters(codec=None, exclude_characters="\0"), max_size=20),
)
def test_it_finds_what_the_store_finds(shared: Path, data: bytes, kind: Kind, media_type: str) -> None:
    handle = f"t:{hash((data, kind, media_type)) & (2**64 - 1):016x}"
    keep(shared, data, handle, kind=kind, media_type=media_type)
    place = SqliteStore(shared)
    artifact = place.artifact("default", handle)
    place.close()
    found = original(str(shared), "default", handle)
    assert artifact is not None
    assert found == (artifact.kind, artifact.media_type, artifact.data, [])
    assert found == (kind, media_type, data, [])


@pytest.mark.parametrize("handle", ["t:0000000000000000", "", "\ud800", "%", "' OR 1=1 --", "\0"])
def test_no_other_handle_and_no_other_namespace(tmp_path: Path, handle: str) -> None:
    path = tmp_path / "store.db"
    keep(path, b"secret")
    assert original(str(path), "default", handle) is None
    assert original(str(path), "other", HANDLE) is None


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert original(str(tmp_path / "none.db"), "default", HANDLE) is None
    assert original(str(tmp_path), "default", HANDLE) is None
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "text.db"
    path.write_text("no database at all\n" * 100)
    with pytest.raises(StoreError, match="not a database"):
        original(str(path), "default", HANDLE)
    other = tmp_path / "other.db"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE x (y)")
    db.close()
    with pytest.raises(StoreError, match="no such table"):
        original(str(other), "default", HANDLE)


@pytest.mark.parametrize("damage", [b"garbage", b""])
def test_a_damaged_original_is_no_answer(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "store.db"
    keep(path, b"some text that packs well " * 50)
    db = sqlite3.connect(path)
    db.execute("UPDATE blobs SET data = ?", (damage,))
    db.commit()
    db.close()
    with pytest.raises(StoreError, match="damaged"):
        original(str(path), "default", HANDLE)


@pytest.mark.parametrize(("age", "noted"), [(FRESH * 10, True), (0.0, False)])
def test_reading_counts_as_use_once_a_minute(tmp_path: Path, age: float, noted: bool) -> None:
    path = tmp_path / "store.db"
    keep(path, b"text", age=age)

    def used() -> float:
        place = SqliteStore(path)
        (one,) = place.conversations()
        place.close()
        return one.used

    before = used()
    original(str(path), "default", HANDLE)
    assert (used() > before) is noted


def test_a_store_that_another_process_writes_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    keep(path, b"text")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    found = original(str(path), "default", HANDLE)
    writer.close()
    assert found is not None
    assert found.data == b"text"


def test_constants_are_those_of_the_store() -> None:
    assert (TIMEOUT, FRESH) == (connection.TIMEOUT, sqlite_store.FRESH)


def test_it_names_other_results_of_the_call_as_the_store_does(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    given = [(b"one", "read a"), (b"two", "read a"), (b"one", "read a"), (b"two", "read b"), (b"two", "read a…")]
    handles = [f"t:{number:016x}" for number in range(len(given))]
    for handle, (data, label) in zip(handles, given, strict=True):
        keep(path, data, handle, label=label)
    place = SqliteStore(path)
    alike = [place.alike("default", handle) for handle in handles]
    assert alike == [[handles[1]], [handles[2]], [handles[1]], [], []]
    assert place.alike("other", handles[0]) == []
    place.close()
    found = [original(str(path), "default", handle) for handle in handles]
    assert [one.alike for one in found if one] == alike


def test_other_texts_of_the_same_result_are_no_other_results(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    place = SqliteStore(path)
    texts = [made(b"%d" % part, f"t:{part:016x}", b"message", part=part, label="read a") for part in range(2)]
    place.commit("default", [decide(b"b", *texts)])
    assert place.alike("default", "t:0000000000000000") == []
    place.close()
