"""A bounded memory of recent work: it makes known things cheap and never changes an answer."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Memo(Generic[Value]):
    """The most recently used values by digest, up to `capacity` in weight (what a weight is, the owner says)."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._held: OrderedDict[bytes, tuple[Value, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: bytes) -> Value | None:
        """The value kept under `key`, or None."""
        with self._lock:
            held = self._held.get(key)
            if held is None:
                return None
            self._held.move_to_end(key)
            return held[0]

    def put(self, key: bytes, value: Value, weight: int = 1) -> None:
        """Keep a value; the longest unused ones make room."""
        with self._lock:
            if (old := self._held.pop(key, None)) is not None:
                self._weight -= old[1]
            self._held[key] = (value, weight)
            self._weight += weight
            while self._weight > self.capacity and len(self._held) > 1:
                _, (_, freed) = self._held.popitem(last=False)
                self._weight -= freed
