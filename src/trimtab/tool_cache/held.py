"""The results that are held: bounded, and let go when what they were read from changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from trimtab.effects import Place, meet


class Entry(NamedTuple):
    """A result as bytes, where it was read, and the call that it answered."""

    data: bytes
    seen: tuple[Place, ...]
    call_id: str | None

    @property
    def size(self) -> int:
        """Bytes it counts for."""
        return len(self.data) + len(self.call_id or "") + sum(len(step) for one in self.seen for step in one)


class Held:
    """At most `most` results and `most_bytes` bytes by key; those used longest ago go first. Thread-safe.

    `changes` counts the times that something was changed: a result read meanwhile may be stale.
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._entries: OrderedDict[str, Entry] = OrderedDict()
        self._size = self.changes = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> bytes | None:
        """The result under this key, now the one used last."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry.data

    def put(self, key: str, entry: Entry | None, since: int) -> None:
        """Hold a result in the place of an earlier one, unless something was changed after `since`."""
        with self._lock:
            self._drop(key)
            if entry is None or entry.size > self._most_bytes or since != self.changes:
                return
            self._entries[key] = entry
            self._size += entry.size
            while len(self._entries) > self._most or self._size > self._most_bytes:
                self._drop(next(iter(self._entries)))

    def change(self, places: tuple[Place, ...]) -> None:
        """Let go of what was read at places that were changed."""
        if places:
            with self._lock:
                self.changes += 1
            self.let_go(lambda _, entry: any(meet(one, other) for one in places for other in entry.seen))

    def let_go(self, gone: Callable[[str, Entry], bool]) -> None:
        """Let go of the results that a test of key and entry tells."""
        with self._lock:
            for key in [key for key, entry in self._entries.items() if gone(key, entry)]:
                self._drop(key)

    def _drop(self, key: str) -> None:
        if (entry := self._entries.pop(key, None)) is not None:
            self._size -= entry.size
