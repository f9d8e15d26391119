"""Start-up of the command line as an agent's shell sees it: whole processes, against bare Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.conversation import first, openai_chat
from benchmarks.table import Row
from trimtab import Compactor

NAME = "start-up / bare Python"
LIMIT = 5
ROUNDS = 21


def measure() -> Iterator[Row]:
    """`trimtab recall` of a real handle; `trimtab --help` for information."""
    script = next((path for path in Path(sys.executable).parent.glob("trimtab*") if path.is_file()), None)
    if script is None:
        yield Row(NAME, "trimtab recall", None, LIMIT, note="trimtab is not installed in this environment")
        return
    with TemporaryDirectory() as folder:
        path = str(Path(folder, "store.db"))
        handle = _stored(path)
        commands = {
            "bare": [sys.executable, "-c", "pass"],
            "trimtab recall": [str(script), "recall", handle],
            "trimtab --help": [str(script), "--help"],
        }
        spent = _rounds(commands, {**os.environ, "TRIMTAB_STORE": path})
    for name, limit in (("trimtab recall", LIMIT), ("trimtab --help", None)):
        if spent[name]:
            yield Row(NAME, name, median(spent[name]) / median(spent["bare"]), limit)
        else:
            yield Row(NAME, name, None, limit, note="the command failed")


def _stored(path: str) -> str:
    """The handle of an original in a new store."""
    compactor = Compactor(store=path, budget=12_000)
    result = compactor.compact(openai_chat(first(20, seed=5, characters=4000)))
    compactor.store.close()
    return next(edit.handle for edit in result.report.edits)


def _rounds(commands: dict[str, list[str]], environ: dict[str, str]) -> dict[str, list[float]]:
    """Seconds of every command, run in turn; none for one that fails."""
    spent: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            start = perf_counter()
            done = subprocess.run(command, env=environ, capture_output=True)
            if done.returncode == 0:
                spent[name].append(perf_counter() - start)
    return spent
