from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from tests.stores.making import content, decide, numbered, original

import trimtab
from trimtab.stores import SqliteStore

ROOT = Path(__file__).parents[2]
PATHS = os.pathsep.join([str(Path(str(trimtab.__file__)).parents[1]), str(ROOT)])
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


def start(*arguments: object) -> subprocess.Popen[str]:
    """A process of ours that speaks through pipes."""
    command = [sys.executable, *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": PATHS}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return start(Path(__file__).with_name("writer.py"), path, name, count)


def kill_after(process: subprocess.Popen[str], lines: int) -> list[str]:
    """What a process said up to its death, which comes at some instant after so many lines."""
    assert process.stdout
    said = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    rest, _ = process.communicate()
    return [line for line in (*said, *rest.splitlines(keepends=True)) if line.endswith("\n")]


def check_whole(path: Path, said: list[str]) -> None:
    """Every handle that was named resolves, every stub has its original, the file is sound."""
    store = SqliteStore(path)
    for line in said:
        name, number = line.split()
        found = store.artifact("ns", f"{name}:{number}")
        assert found, line
        assert found.data == content(name, int(number))
    journal = store.log("ns", 1_000_000)
    assert len(journal) >= len(said)
    for record in (record for entry in journal for record in entry.records):
        assert store.artifact("ns", record.handle), record.handle
    with store._file.read() as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchone() is None
    store.close()


def test_CONC_06_four_processes_share_a_file_though_one_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "new" / "s.db"
    victim, *others = [writer(path, name, 200) for name in "abcd"]
    said = kill_after(victim, 50)
    for process in others:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        assert out.count("\n") == 200
        said += out.splitlines()
    check_whole(path, said)


@pytest.mark.parametrize("seed", range(3))
def test_what_a_killed_process_committed_is_there(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "s.db"
    said = kill_after(writer(path, "a", 1_000_000), random.Random(seed).randrange(1, 60))
    check_whole(path, said)


def test_STORE_12_a_reader_sees_all_of_a_commit_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    reader, done = SqliteStore(path), Event()
    pairs = [[numbered("a", n), numbered("b", n)] for n in range(150)]

    def write() -> None:
        store = SqliteStore(path)
        for pair in pairs:
            store.commit("ns", pair)
        store.close()
        done.set()

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        seen = 0
        while not writing.done() or seen < len(pairs):
            keys = [decision.entry.boundary for pair in pairs for decision in pair]
            held = reader.decisions("ns", "default", keys)
            for a, b in pairs:
                assert (a.entry.boundary in held) == (b.entry.boundary in held)
            for entry in reader.log("ns", 2):
                found = reader.artifact("ns", entry.records[0].handle)
                assert found
                assert found.data
            seen = len(held) // 2
            if writing.done():
                writing.result()
    reader.close()


def test_threads_share_one_store(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")

    def work(name: str) -> None:
        for number in range(50):
            store.commit("ns", [numbered(name, number)])
            found = store.artifact("ns", f"{name}:{number}")
            assert found
            assert found.data == content(name, number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, "abcdefgh"))
    store.close()
    check_whole(tmp_path / "s.db", [f"{name} {number}" for name in "abcdefgh" for number in range(50)])


def test_threads_that_decide_at_once_agree(store: SqliteStore) -> None:
    rivals = [decide(b"b", original(b"%d" % n, f"t:{n}", b"%d" % n)) for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda rival: store.commit("ns", [rival]), rivals))
    assert all(answer == answers[0] for answer in answers)
    assert sum(store.artifact("ns", f"t:{n}") is not None for n in range(8)) == 1


@forks
def test_a_forked_child_loses_nothing_when_its_parent_closes(tmp_path: Path) -> None:
    code = """
import os, sys
from tests.stores.making import numbered
from trimtab.stores import SqliteStore
store = SqliteStore(sys.argv[1])
store.commit("ns", [numbered("parent", 0)])
(ready, tell_ready), (go, tell_go) = os.pipe(), os.pipe()
if child := os.fork():
    os.read(ready, 1)
    store.commit("ns", [numbered("parent", 1)])
    store.close()
    os.write(tell_go, b"x")
    sys.exit(os.waitpid(child, 0)[1])
store.commit("ns", [numbered("child", 0)])
os.write(tell_ready, b"x")
os.read(go, 1)
for number in range(1, 5):
    store.commit("ns", [numbered("child", number)])
os._exit(0)
"""
    out, err = start("-c", code, tmp_path / "s.db").communicate(timeout=60)
    assert (out, err) == ("", "")
    check_whole(tmp_path / "s.db", ["parent 0", "parent 1", *(f"child {number}" for number in range(5))])


@forks
@pytest.mark.parametrize("place", ["s.db", ":memory:"])
def test_a_fork_amid_busy_threads_can_use_the_store(tmp_path: Path, place: str) -> None:
    code = """
import os, sys, threading
from tests.stores.making import numbered
from trimtab.stores import SqliteStore
store = SqliteStore(sys.argv[1])
store.commit("ns", [numbered("parent", 0)])
done = threading.Event()
def work(name):
    number = 0
    while not done.is_set():
        store.commit("ns", [numbered(name, number)])
        number += 1
threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
for thread in threads:
    thread.start()
for number in range(10):
    if not (child := os.fork()):
        store.commit("ns", [numbered("child", number)])
        found = store.artifact("ns", "parent:0"), store.artifact("ns", f"child:{number}")
        os._exit(0 if all(found) else 1)
    if os.waitpid(child, 0)[1]:
        print("child", number, "failed")
done.set()
for thread in threads:
    thread.join()
store.close()
"""
    path = tmp_path / place if place == "s.db" else place
    out, err = start("-W", "ignore::DeprecationWarning", "-c", code, path).communicate(timeout=60)
    assert (out, err) == ("", "")
    if place == "s.db":
        check_whole(tmp_path / place, ["parent 0", *(f"child {number}" for number in range(10))])
