"""What the policy takes of a `compact` call, over recorded sessions played call by call."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.table import Row
from trimtab import Compactor, sessions
from trimtab.errors import TrimtabError
from trimtab.metering import Metering
from trimtab.sessions.base import Call, Session

NAME = "policy / compact"
LIMIT, FLAT = 0.25, 1.5
LEAST_CALLS = 12
"""Calls of a segment below which its thirds say nothing."""

ROUNDS = 2
OWN = ("weigh", "settle", "bill")
"""What of the metering runs within a call."""


def measure() -> Iterator[Row]:
    """The share of the policy's own work at the median over segments, and its last third over its first."""
    folder = os.environ.get("TRIMTAB_CORPUS")
    if folder is None:
        yield Row(NAME, "median share", None, LIMIT, None, note="TRIMTAB_CORPUS is not set")
        return
    shares, growth = [], []
    for path in sorted(Path(folder).iterdir()):
        for session, calls in _segments(path):
            rounds = [_played(session, calls) for _ in range(ROUNDS)]
            own = [min(one) for one in zip(*(policy for policy, _ in rounds), strict=True)]
            whole = [min(one) for one in zip(*(whole for _, whole in rounds), strict=True)]
            third = len(calls) // 3
            shares.append(sum(own) / sum(whole))
            growth.append((sum(own[-third:]) or 1e-9) / (sum(own[:third]) or 1e-9))
    note = f"{len(shares)} segments, the greatest {max(shares):.2f}"
    yield Row(NAME, "median share", median(shares), LIMIT, None, note=note)
    yield Row(NAME, "last third / first third, median", median(growth), FLAT, 1, note=f"at most {max(growth):.1f}")


def _segments(path: Path) -> Iterator[tuple[Session, list[Call]]]:
    """The segments of a file that have enough calls."""
    try:
        for session in sessions.read(path):
            for start in sorted({call.start for call in session.calls}):
                calls = sorted((one for one in session.calls if one.start == start), key=lambda one: one.stop)
                if len(calls) >= LEAST_CALLS:
                    yield session, calls
    except TrimtabError:
        pass


def _played(session: Session, calls: list[Call]) -> tuple[list[float], list[float]]:
    """Seconds of the policy, and of the whole call, call by call."""
    own, whole = [], []
    with tempfile.TemporaryDirectory() as folder, _timed() as spent:
        compactor = Compactor("claude-opus-4-5", store=f"{folder}/store.db")
        for number, call in enumerate(calls):
            payload = session.request(call)
            spent.clear()
            start = perf_counter()
            compactor.compact(payload, at=10.0 * number)
            whole.append(perf_counter() - start)
            own.append(sum(spent))
        compactor.store.close()
    return own, whole


@contextmanager
def _timed() -> Iterator[list[float]]:
    """Note the seconds of each piece of the policy's work."""
    spent: list[float] = []
    plain = {name: getattr(Metering, name) for name in OWN}

    def timing(work: Any) -> Any:
        def timed(*arguments: Any) -> Any:
            start = perf_counter()
            try:
                return work(*arguments)
            finally:
                spent.append(perf_counter() - start)

        return timed

    for name, work in plain.items():
        setattr(Metering, name, timing(work))
    try:
        yield spent
    finally:
        for name, work in plain.items():
            setattr(Metering, name, work)
