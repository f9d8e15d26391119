"""What is measured: a compactor with a store in a file whose commits are timed apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.conversation import WIRES, first
from trimtab import Compactor
from trimtab.journal import Entry
from trimtab.stores import SqliteStore
from trimtab.stores.base import Decision


class TimedStore(SqliteStore):
    """The default store; `seconds` went into commits, `original` bytes were handed over to keep."""

    seconds = 0.0
    original = 0

    def commit(self, namespace: str, decisions: Iterable[Decision]) -> list[Entry]:
        start = perf_counter()
        try:
            return super().commit(namespace, self._handed(decisions))
        finally:
            self.seconds += perf_counter() - start

    def _handed(self, decisions: Iterable[Decision]) -> Iterator[Decision]:
        """The decisions; should they be made only now, that is not the store's time."""
        start = perf_counter()
        for one in decisions:
            self.seconds -= perf_counter() - start
            self.original += sum(len(artifact.data) for artifact in one.artifacts)
            yield one
            start = perf_counter()


@contextmanager
def subject(**options: Any) -> Iterator[tuple[Compactor, TimedStore]]:
    """A fresh compactor, its store in a temporary file; no window gets in the way unless asked for."""
    with TemporaryDirectory() as folder:
        store = TimedStore(Path(folder, "store.db"))
        try:
            yield Compactor(store=store, config={"window": 100_000_000}, **options), store
        finally:
            store.close()


def compact(compactor: Compactor, body: bytes, *, force: bool = False) -> None:
    """A call; one that fell back on what was on record would be quick, and no measure of anything."""
    report = compactor.compact(body, force=force).report
    if report.outcome == "failed":
        raise RuntimeError(f"trimtab failed, so there is nothing to measure: {report.findings[-1].text}")


def warm() -> None:
    """Load what a process loads once: the vocabulary, the price data, code that is imported late."""
    session = first(12, seed=1, characters=8000)
    for write in WIRES.values():
        with subject(budget=9000) as (compactor, _):
            compact(compactor, write(session))
