from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trimtab.stores import SqliteStore


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[SqliteStore]:
    opened = SqliteStore(":memory:" if request.param == "memory" else tmp_path / "s.db", clock)
    yield opened
    opened.close()
