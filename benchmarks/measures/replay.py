"""Replaying recorded sessions under every baseline, against parsing them and encoding them once with tiktoken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.table import Row
from benchmarks.timing import Best
from trimtab import sessions
from trimtab.errors import TrimtabError
from trimtab.replay.rows import Options, replayed
from trimtab.request import countable
from trimtab.tokens import Tiktoken
from trimtab.wires import by_name

NAME = "replay / read and o200k once"
LIMIT, AIM = 10, 3
ROUNDS = 2
CASES = {"all baselines": (), "and preset default": ("default",)}


def measure() -> Iterator[Row]:
    """A row for the baselines alone, and one with the default preset beside them; in one process."""
    folder = os.environ.get("TRIMTAB_CORPUS")
    if folder is None or not Tiktoken.ready("o200k_base"):
        note = "TRIMTAB_CORPUS is not set" if folder is None else "tiktoken has no o200k vocabulary on disk"
        yield Row(NAME, "all baselines", None, LIMIT, AIM, note=note)
        return
    paths, best = [*map(str, Path(folder).iterdir())], Best()
    for _ in range(ROUNDS):
        best.time("once", lambda: [_once(path) for path in paths])
        for case, presets in CASES.items():
            best.time(case, lambda chosen=presets: [replayed(path, Options(presets=chosen)) for path in paths])
    for case in CASES:
        note = f"{best[case]:.1f} s, once {best['once']:.1f} s"
        yield Row(NAME, case, best.ratio(case, "once"), LIMIT, AIM, note=note)


def _once(path: str) -> int:
    """Read the sessions of a file and encode what their messages say."""
    import tiktoken

    encode = tiktoken.get_encoding("o200k_base").encode_ordinary
    total = 0
    try:
        for session in sessions.read(path):
            wire = by_name(session.wire)
            for source in session.messages:
                total += sum(len(encode(countable(part))) for part in wire.message(source).parts)
    except TrimtabError:
        pass
    return total
