"""Peak memory of a call beyond the start, as a multiple of the body; each in a fresh process.

What counts is resident memory, that of C and Rust code and of SQLite included: the kernel's high-water mark,
set back just before the call where it can be (Linux), else the peak of the whole process. Before the start the
process has compacted another small request, so vocabulary, prices and late imports are there, and so is the
body. Memory that was free inside the process is given back first where the C library can do that.
"""

from __future__ import annotations

import ctypes
import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.conversation import WIRES
from benchmarks.measures import first_call, next_call
from benchmarks.subjects import compact, subject, warm
from benchmarks.table import Row

NAME = "peak memory / body"
LIMIT = 4
RUNS = 3


def measure() -> Iterator[Row]:
    """A row for each wire and body: first sight of both, and the next call of the longer one."""
    for wire in WIRES:
        for case in CASES:
            command = [sys.executable, "-m", "benchmarks.measures.memory", wire, case]
            runs = [json.loads(subprocess.check_output(command)) for _ in range(RUNS)]
            yield Row(NAME, f"{wire}, {case}", min(run["peak"] / run["body"] for run in runs), LIMIT)


def _first(wire: str) -> dict[str, int]:
    return _cold(WIRES[wire](first_call.session()), first_call.TOKENS // 2)


def _long(wire: str) -> dict[str, int]:
    return _cold(WIRES[wire](next_call.session()), next_call.BUDGET)


def _next(wire: str) -> dict[str, int]:
    made = next_call.session()
    before, body = WIRES[wire](made[:-1]), WIRES[wire](made)
    with subject(budget=next_call.BUDGET) as (compactor, _):
        compact(compactor, before)
        return {"peak": _peak(lambda: compact(compactor, body)), "body": len(body)}


def _cold(body: bytes, budget: int) -> dict[str, int]:
    with subject(budget=budget) as (compactor, _):
        return {"peak": _peak(lambda: compact(compactor, body)), "body": len(body)}


def _peak(work: Callable[[], object]) -> int:
    """Bytes by which the resident memory rose above what it was."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
        work()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - start
    start = _status("VmRSS")
    work()
    return _status("VmHWM") - start


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


CASES = {"64k tokens, first call": _first, "1 MB, first call": _long, "1 MB, next call": _next}

if __name__ == "__main__":
    warm()
    print(json.dumps(CASES[sys.argv[2]](sys.argv[1])))
