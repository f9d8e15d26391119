"""One at a time for each conversation: no two callers at once ask a model to write the same note."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class SingleFlight:
    """Turns by key; who comes while another holds one waits. Holds a lock for a key only while it is in use."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._locks: dict[bytes, tuple[Lock, int]] = {}

    @contextmanager
    def turn(self, key: bytes) -> Iterator[None]:
        """The turn of whoever enters, after all who came before."""
        with self._guard:
            lock, waiting = self._locks.get(key, (Lock(), 0))
            self._locks[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, waiting = self._locks[key]
                if waiting == 1:
                    del self._locks[key]
                else:
                    self._locks[key] = (lock, waiting - 1)
