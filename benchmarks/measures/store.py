"""What the store takes on disk for the originals it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.conversation import WIRES
from benchmarks.measures.next_call import BUDGET, session
from benchmarks.subjects import TimedStore, compact
from benchmarks.table import Row
from trimtab import Compactor

NAME = "store on disk"


def measure() -> Iterator[Row]:
    """Bytes of the file over bytes of the originals, and over the body they came from."""
    for wire, write in WIRES.items():
        body = write(session())
        with TemporaryDirectory() as folder:
            store = TimedStore(Path(folder, "store.db"))
            compact(Compactor(store=store, budget=BUDGET), body)
            store.close()
            size = sum(path.stat().st_size for path in Path(folder).iterdir())
        yield Row(NAME, f"{wire}, a byte of original", size / store.original, note="journal and indexes included")
        yield Row(NAME, f"{wire}, a byte of the body", size / len(body))
