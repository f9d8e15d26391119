from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.stores.making import decide, original

from trimtab.errors import StoreError
from trimtab.journal import Entry, Kind
from trimtab.stores import SqliteStore
from trimtab.stores.base import Decision


def test_what_is_committed_comes_back(store: SqliteStore) -> None:
    artifact = original(
        b"text " * 1000,
        "t:1",
        b"m",
        kind=Kind.ARGUMENTS,
        media_type="application/json",
        part=3,
        label="Write",
        raw=b"[]",
    )
    decision = decide(b"b", artifact, outputs=((b"out", b"m"),))
    assert store.keeps
    assert store.commit("ns", [decision]) == [decision.entry]
    assert store.artifact("ns", "t:1") == artifact
    assert store.decisions("ns", "default", [b"other", b"b"]) == {b"b": [decision.entry]}
    assert store.origins("ns", [b"out", b"m"]) == {b"out": b"m"}
    assert store.artifacts("ns", [b"m", b"other"]) == [artifact]
    assert store.log("ns", 5) == [decision.entry]


def test_STORE_04_a_new_process_finds_it_again(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "s.db")
    first.commit("ns", [decide(b"b", original(bytes(range(256)) * 9, "t:1"))])
    first.close()
    second = SqliteStore(tmp_path / "s.db")
    found = second.artifact("ns", "t:1")
    second.close()
    assert found
    assert found.data == bytes(range(256)) * 9


@pytest.mark.parametrize("data", [b"", b"\0", b"a" * 10, b"a" * 100_000, bytes(range(256)) * 40])
def test_data_of_every_kind_comes_back(store: SqliteStore, data: bytes) -> None:
    store.commit("ns", [decide(b"b", original(data, "t:1", raw=data[::-1]))])
    found = store.artifact("ns", "t:1")
    assert found
    assert (found.data, found.raw) == (data, data[::-1])


def test_text_that_sqlite_cannot_hold_comes_back(store: SqliteStore) -> None:
    artifact = original(b"x", "t:1", label="\ud800 a\0b", stub="\udfff", media_type="text/\ud83d")
    bare = decide(b"b")
    store.commit("ns", [Decision(scope="s", seq=0, entry=bare.entry, artifacts=(artifact,))])
    assert store.artifact("ns", "t:1") == artifact


def test_the_first_decision_wins_and_the_loser_writes_nothing(store: SqliteStore) -> None:
    first = decide(b"b", original(b"1", "t:1"), outputs=((b"o1", b"m"),))
    second = decide(b"b", original(b"2", "t:2", b"n"), outputs=((b"o2", b"n"),))
    third = decide(b"c", original(b"3", "t:3", b"o"))
    store.commit("ns", [first])
    assert store.commit("ns", [second, third]) == [first.entry, third.entry]
    assert store.artifact("ns", "t:2") is None
    assert store.artifact("ns", "t:3")
    assert store.origins("ns", [b"o1", b"o2"]) == {b"o1": b"m"}
    assert store.decisions("ns", "default", [b"b"]) == {b"b": [first.entry]}


def test_decisions_stand_in_order_of_seq_apart_by_scope(store: SqliteStore) -> None:
    second, first, other = (
        decide(b"b", seq=1),
        decide(b"b", original(b"1", "t:1")),
        decide(b"b", scope="other"),
    )
    store.commit("ns", [second, first, other])
    assert store.decisions("ns", "default", [b"b"]) == {b"b": [first.entry, second.entry]}
    assert store.decisions("ns", "other", [b"b"]) == {b"b": [other.entry]}


def test_namespaces_never_see_each_other(store: SqliteStore) -> None:
    shared = b"the same text " * 100
    mine = decide(b"b", original(shared, "t:1"), outputs=((b"out", b"message"),))
    theirs = decide(b"b", original(shared, "t:1", b"theirs"))
    store.commit("a", [mine])
    store.note_usage("a", "claude", 1, 2, 3.0)
    assert store.artifact("b", "t:1") is None
    assert not store.decisions("b", "default", [b"b"])
    assert not store.origins("b", [b"out"])
    assert not store.artifacts("b", [b"message"])
    assert not store.log("b", 9)
    assert not store.usage("b", "claude")
    assert not store.conversations("b")
    assert not list(store.export("b", b"root".hex()))
    assert store.delete("b", b"root".hex()) == 0
    assert store.commit("b", [theirs]) == [theirs.entry]
    found = store.artifact("b", "t:1")
    assert found
    assert found.origin == b"theirs"


def test_thousands_of_keys_are_looked_up_at_once(store: SqliteStore) -> None:
    keys = [number.to_bytes(4, "big") for number in range(2_500)]
    with store._file.read() as db:
        db.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999)
    store.commit("ns", [decide(key, outputs=((b"out" + key, key),)) for key in keys])
    assert set(store.decisions("ns", "default", keys + keys)) == set(keys)
    assert store.origins("ns", [b"out" + key for key in keys]) == {b"out" + key: key for key in keys}
    assert store.decisions("ns", "default", []) == {}


def test_originals_stand_in_the_order_of_their_messages(store: SqliteStore) -> None:
    made = [original(b"%d" % n, f"t:{n}", b"m%d" % (n // 2), part=1 - n % 2) for n in range(6)]
    store.commit("ns", [decide(b"b", *made)])
    assert store.artifacts("ns", [b"m2", b"m0"]) == [made[5], made[4], made[1], made[0]]


def test_usage_is_newest_first_by_family(store: SqliteStore) -> None:
    for at in (3, 1, 2):
        store.note_usage("ns", "claude", at, at * 10, float(at))
    store.note_usage("ns", "gpt", 9, 9, 9.0)
    assert store.usage("ns", "claude") == [(3, 30), (2, 20), (1, 10)]
    assert store.usage("ns", "claude", 1) == [(3, 30)]
    with pytest.raises(StoreError):
        store.note_usage("ns", "claude", sys.maxsize * 9, 1, 4.0)


def test_the_log_leaves_out_what_changed_nothing(store: SqliteStore) -> None:
    changed = [decide(b"%d" % n, original(b"x", f"t:{n}", b"m%d" % n)) for n in range(3)]
    store.commit("ns", [changed[0], changed[1], decide(b"nothing"), changed[2]])
    assert store.log("ns", 2) == [changed[2].entry, changed[1].entry]


def test_STORE_06_equal_content_is_held_once_under_many_handles(store: SqliteStore) -> None:
    store.commit("ns", [decide(b"b", *(original(b"same " * 99, f"t:{n}", b"m%d" % n) for n in range(5)))])
    with store._file.read() as db:
        assert db.execute("SELECT count(*) FROM blobs").fetchone() == (1,)
    assert all(store.artifact("ns", f"t:{n}") for n in range(5))


def test_SEC_07_a_handle_that_is_taken_keeps_its_original(store: SqliteStore) -> None:
    store.commit("ns", [decide(b"b", original(b"first", "t:1", b"m"))])
    fine, collides = decide(b"c", original(b"x", "t:2", b"x")), decide(b"d", original(b"second", "t:1", b"n"))
    with pytest.raises(StoreError, match="t:1 belongs to another original"):
        store.commit("ns", [fine, collides])
    found = store.artifact("ns", "t:1")
    assert found
    assert (found.data, found.stub) == (b"first", "[t:1]")
    assert store.artifact("ns", "t:2") is None
    assert store.decisions("ns", "default", [b"c", b"d"]) == {}
    assert store.commit("ns", [fine]) == [fine.entry]


def test_a_part_folded_again_keeps_every_stub_that_was_issued(store: SqliteStore) -> None:
    for number, stub in enumerate(("long", "short", "short", "")):
        store.commit("ns", [decide(b"%d" % number, original(b"data", "t:1", stub=stub))])
    found = store.artifact("ns", "t:1")
    assert found
    assert found.stub == "short"
    assert next(row["stubs"] for row in store.export("ns", b"root".hex()) if row["type"] == "artifact") == [
        "long",
        "short",
    ]


WEIRD = [
    "../../x",
    "/etc/passwd",
    "..%2f",
    "a\0b",
    "CON",
    ".",
    "",
    "'; DROP TABLE blobs; --",
    "\ud800",
    "%",
    "*",
]


@pytest.mark.parametrize("handle", WEIRD)
def test_SEC_03_a_handle_is_never_more_than_a_key(handle: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("outside")
    (tmp_path / "a" / "b").mkdir(parents=True)
    store = SqliteStore(tmp_path / "a" / "b" / "s.db")
    store.commit("ns", [decide(b"b", original(b"data", "t:1"))])
    assert store.artifact("ns", handle) is None
    if handle != "\ud800":
        store.commit("ns", [decide(b"c", original(b"weird", handle, b"n"))])
        found = store.artifact("ns", handle)
        assert found
        assert found.data == b"weird"
    assert store.artifact("ns", "t:1")
    store.close()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "b", "s.db", "x"]
    assert (tmp_path / "x").read_text() == "outside"


def test_a_damaged_original_is_told_never_handed_out(store: SqliteStore) -> None:
    store.commit("ns", [decide(b"b", original(b"short", "t:1"), original(b"long " * 99, "t:2", b"n"))])
    with store._file.write() as db:
        db.execute("UPDATE blobs SET data = x'00'")
    for handle in ("t:1", "t:2"):
        with pytest.raises(StoreError, match="damaged"):
            store.artifact("ns", handle)


def test_a_decision_that_cannot_be_read_is_a_store_error(store: SqliteStore) -> None:
    store.commit("ns", [decide(b"b")])
    with store._file.write() as db:
        db.execute("UPDATE decisions SET body = x'7b'")
    with pytest.raises(StoreError, match="cannot be read"):
        store.decisions("ns", "default", [b"b"])


def test_a_closed_store_says_so(store: SqliteStore) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.artifact("ns", "t:1")


PLACES = st.tuples(
    st.sampled_from(["a", "b"]), st.sampled_from(["s", "t"]), st.binary(max_size=1), st.integers(0, 1)
)


@given(st.lists(st.lists(PLACES, max_size=4), max_size=8))
def test_it_agrees_with_a_dictionary(commits: list[list[tuple[str, str, bytes, int]]]) -> None:
    store, number = SqliteStore(":memory:"), 0
    model: dict[tuple[str, str, bytes, int], Entry] = {}
    for places in commits:
        for namespace in ("a", "b"):
            batch = []
            for _, scope, boundary, seq in (place for place in places if place[0] == namespace):
                number += 1
                made = original(b"%d" % number, f"t:{number}", b"%d" % number)
                batch.append(decide(boundary, made, scope=scope, seq=seq))
                model.setdefault((namespace, scope, boundary, seq), batch[-1].entry)
            held = [model[namespace, each.scope, each.entry.boundary, each.seq] for each in batch]
            assert store.commit(namespace, batch) == held
    winners = {record.handle for entry in model.values() for record in entry.records}
    for n in range(1, number + 1):
        found = [store.artifact(namespace, f"t:{n}") for namespace in ("a", "b")]
        assert sum(each is not None for each in found) == (f"t:{n}" in winners)
    store.close()


def test_a_decision_with_a_lone_surrogate_comes_back_as_it_was(store: SqliteStore) -> None:
    made = decide(b"b", original(b"x", "t:1", stub="a\ud800b"))
    assert store.commit("ns", [made]) == [made.entry]
    assert store.decisions("ns", "default", [b"b"]) == {b"b": [made.entry]}
