from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.stores.conftest import Clock
from tests.stores.making import decide, original

from trimtab.stores import SqliteStore
from trimtab.stores.base import Decision

HOUR, DAY = 3600.0, 86_400.0


def noise(seed: int, size: int = 1000) -> bytes:
    """Bytes that do not compress: as large in the store as here."""
    return random.Random(seed).randbytes(size)


def talk(name: str, *contents: bytes) -> Decision:
    """A conversation of this name with these originals."""
    made = (original(data, f"{name}:{n}", f"{name}:{n}".encode()) for n, data in enumerate(contents))
    return decide(name.encode(), *made, root=name.encode())


def names(store: SqliteStore) -> list[str]:
    return [bytes.fromhex(each.root).decode() for each in store.conversations()]


def test_conversations_are_told_largest_first(store: SqliteStore, clock: Clock) -> None:
    shared = noise(0, 500)
    store.commit("ns", [talk("small", shared), decide(b"2", root=b"small")])
    clock.now += HOUR
    store.commit("other", [talk("large", shared, noise(1), noise(1), b"a" * 9000)])
    large, small = store.conversations()
    assert (large.namespace, large.root, large.decisions, large.artifacts) == ("other", b"large".hex(), 1, 4)
    assert 1500 < large.size < 1600
    assert (small.decisions, small.artifacts, small.size) == (2, 1, 500)
    assert (small.created, small.used, large.created) == (clock.now - HOUR, clock.now - HOUR, clock.now)
    assert store.conversations("ns") == [small]


def test_a_commit_or_a_recall_counts_as_use_a_look_does_not(store: SqliteStore, clock: Clock) -> None:
    store.commit("ns", [talk("a", b"x")])
    start = clock.now
    uses: list[tuple[int, Callable[[], object], int]] = [
        (100, lambda: store.artifacts("ns", [b"a:0"]), 0),
        (200, lambda: store.decisions("ns", "default", [b"a"]), 0),
        (300, lambda: store.artifact("ns", "a:0"), 300),
        (330, lambda: store.artifact("ns", "a:0"), 300),
        (400, lambda: store.commit("ns", [talk("a", b"x")]), 400),
    ]
    for at, use, used in uses:
        clock.now = start + at
        use()
        assert store.conversations()[0].used == start + used


def test_a_recall_works_where_nothing_can_be_written(store: SqliteStore, clock: Clock) -> None:
    store.commit("ns", [talk("a", b"x")])
    with store._file.read() as db:
        db.execute("PRAGMA query_only = ON")
    clock.now += HOUR
    assert store.artifact("ns", "a:0")
    assert store.conversations()[0].used == clock.now - HOUR


def test_export_holds_everything_of_one_conversation(store: SqliteStore) -> None:
    one, other = talk("a", b"\xff\x00", b"text"), talk("b", b"no")
    store.commit("ns", [one, other])
    rows = json.loads(json.dumps(list(store.export("ns", b"a".hex()))))
    assert [row["type"] for row in rows] == ["decision", "artifact", "artifact"]
    assert base64.b64decode(rows[0]["entry"]["boundary"]) == b"a"
    assert (rows[0]["scope"], rows[0]["seq"]) == ("default", 0)
    assert [(row["handle"], base64.b64decode(row["data"])) for row in rows[1:]] == [
        ("a:0", b"\xff\x00"),
        ("a:1", b"text"),
    ]
    assert list(store.export("ns", "unknown")) == []


def test_delete_forgets_one_conversation_and_frees_what_it_alone_held(store: SqliteStore) -> None:
    one, other = talk("a", noise(0), noise(1, 300)), talk("b", noise(0))
    store.commit("ns", [one, other])
    assert store.delete("ns", b"a".hex()) == 300
    assert store.artifact("ns", "a:0") is None
    assert store.decisions("ns", "default", [b"a"]) == {}
    found = store.artifact("ns", "b:0")
    assert found
    assert found.data == noise(0)
    assert store.delete("ns", b"b".hex()) == 1000
    assert store.delete("ns", b"b".hex()) == 0
    with store._file.read() as db:
        for table in ("conversations", "blobs", "artifacts", "stubs", "decisions", "outputs"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def test_raw_json_counts_and_goes_with_its_conversation(store: SqliteStore) -> None:
    for name in "ab":
        made = original(noise(ord(name)), name, name.encode(), raw=noise(1, 700))
        store.commit("ns", [decide(name.encode(), made, root=name.encode())])
    assert [each.size for each in store.conversations()] == [1700, 1700]
    assert store.delete("ns", b"a".hex()) == 1000
    found = store.artifact("ns", "b")
    assert found
    assert found.raw == noise(1, 700)
    assert store.delete("ns", b"b".hex()) == 1700


def test_what_was_deleted_is_in_no_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    secret, kept = noise(70, 200), noise(80, 200)
    store.commit("ns", [talk("a", secret), talk("b", kept, *(noise(n, 5000) for n in range(9)))])
    store.delete("ns", b"a".hex())
    wal = tmp_path / "s.db-wal"
    assert wal.stat().st_size == 0
    store.close()
    held = (tmp_path / "s.db").read_bytes()
    assert kept in held
    assert secret not in held


def test_the_file_shrinks(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    store.commit("ns", [talk("a", noise(1, 1_000_000))])
    store.delete("ns", b"a".hex())
    store.close()
    assert (tmp_path / "s.db").stat().st_size < 200_000


def test_STORE_16_age_counts_from_the_last_use(store: SqliteStore, clock: Clock) -> None:
    store.commit("ns", [talk("in use", noise(0)), talk("idle", noise(1))])
    for _ in range(12):
        clock.now += 500
        assert store.artifact("ns", "in use:0")
        store.prune(max_age=1000, max_size=10**9, keep_used_within=0)
    assert names(store) == ["in use"]
    assert store.artifact("ns", "idle:0") is None


def test_STORE_10_prune_drops_the_longest_unused_until_the_rest_fits(store: SqliteStore, clock: Clock) -> None:
    for number in range(6):
        store.commit("ns", [talk(f"{number}", noise(number))])
        clock.now += 2 * DAY
    assert store.artifact("ns", "0:0")
    assert store.prune(max_age=1000 * DAY, max_size=3500) == 3000
    assert sorted(names(store)) == ["0", "4", "5"]
    assert store.prune(max_age=1000 * DAY, max_size=3500) == 0


def test_prune_never_drops_what_was_used_lately(store: SqliteStore, clock: Clock) -> None:
    store.commit("ns", [talk("yesterday", noise(0))])
    clock.now += DAY - 1
    store.commit("ns", [talk("now", noise(1))])
    assert store.prune(max_age=0, max_size=0) == 0
    clock.now += 1
    assert store.prune(max_age=0, max_size=0) == 1000
    assert names(store) == ["now"]


def test_prune_goes_on_while_what_it_drops_is_shared(store: SqliteStore, clock: Clock) -> None:
    store.commit("ns", [talk("a", noise(0)), talk("b", noise(0)), talk("c", noise(1))])
    clock.now += 2 * DAY
    assert store.prune(max_age=1000 * DAY, max_size=1000) == 1000
    assert names(store) == ["c"]


def test_prune_drops_old_usage(store: SqliteStore, clock: Clock) -> None:
    for at in (clock.now - 2 * DAY, clock.now):
        store.note_usage("ns", "claude", 1, int(at), at)
    store.prune(max_age=DAY, max_size=0)
    assert store.usage("ns", "claude") == [(1, int(clock.now))]


@pytest.mark.parametrize("handle", ["a:0", "nothing"])
def test_what_was_forgotten_can_be_stored_again(store: SqliteStore, handle: str) -> None:
    for _ in range(2):
        store.commit("ns", [talk("a", noise(0))])
        assert (store.artifact("ns", handle) is not None) == (handle == "a:0")
        assert store.delete("ns", b"a".hex()) == 1000
