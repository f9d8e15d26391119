"""Fuzzing: changed files, one after another, until time is up.

    python -m tests.fuzz.driver             for ten minutes, or FUZZ_SECONDS
    python -m tests.fuzz.driver FILE...     whether findings still are findings

A finding is written to `.fuzz/` under the digest of its bytes, as small as it could be made.
"""

from __future__ import annotations

import faulthandler
import hashlib
import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.fuzz.mutations import mutated
from tests.fuzz.properties import hold

SECONDS = 600
LIMIT = 30
"""Seconds for one input, which takes a tenth of one: generous, to tell a hang from a busy machine."""
SHRINKING = 20
"""Seconds for making a finding smaller."""
FOLDER = Path(".fuzz")


class HangError(BaseException):
    """An input took longer than the limit. No Exception, so that no fallback takes it for a failure of its own."""


class Finding(NamedTuple):
    """An input for which a property does not hold. `sign` tells one defect from another."""

    data: bytes
    sign: str
    told: str


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raises HangError in what takes longer; what never returns to Python ends the process, with a traceback."""

    def stop(*_: object) -> None:
        raise HangError(f"longer than {seconds} s")

    old = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    faulthandler.dump_traceback_later(3 * seconds, exit=True)
    try:
        yield
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, old)


def tried(data: bytes, check: Callable[[bytes], None] = hold, limit: int = LIMIT) -> Finding | None:
    """What goes wrong for these bytes, if anything does."""
    try:
        with limited(limit):
            check(data)
    except (Exception, HangError) as error:
        frames = traceback.extract_tb(error.__traceback__)
        where = "" if isinstance(error, HangError) else f" {frames[-1].name}:{frames[-1].line}"
        told = "".join(traceback.format_exception(error, limit=-8))
        return Finding(data, f"{type(error).__name__}{where}", told)
    return None


def shrunk(found: Finding, check: Callable[[bytes], None] = hold, seconds: float = SHRINKING) -> Finding:
    """The same defect in fewer bytes: stretches are left out, ever shorter ones."""
    until, size = time.monotonic() + seconds, len(found.data) // 2
    while size:
        start = 0
        while start < len(found.data):
            if time.monotonic() > until:
                return found
            smaller = tried(found.data[:start] + found.data[start + size :], check)
            if smaller is not None and smaller.sign == found.sign:
                found = smaller
            else:
                start += size
        size //= 2
    return found


def fuzz(
    seconds: float,
    first: int,
    check: Callable[[bytes], None] = hold,
    tell: Callable[[str], None] = lambda text: None,
) -> tuple[int, list[Finding]]:
    """How many inputs were tried, and a finding for each defect. The same `first` gives the same inputs."""
    number, found = first, dict[str, Finding]()
    until, next_word = time.monotonic() + seconds, time.monotonic() + 10
    while time.monotonic() < until:
        one = tried(mutated(Random(number)), check)
        number += 1
        if one is not None and one.sign not in found:
            found[one.sign] = shrunk(one, check)
            tell(found[one.sign].told)
        if time.monotonic() > next_word:
            tell(f"{number - first:,} inputs, {len(found)} findings, {until - time.monotonic():.0f} s left")
            next_word += 10
    return number - first, list(found.values())


def kept(found: Finding, folder: Path = FOLDER) -> Path:
    """The file a finding was written to."""
    folder.mkdir(exist_ok=True)
    path = folder / hashlib.sha256(found.data).hexdigest()[:16]
    path.write_bytes(found.data)
    return path


def main(files: list[str]) -> int:
    """Exit code 1 when there are findings."""
    logging.getLogger("trimtab").setLevel(logging.CRITICAL)
    if files:
        found = [one for file in files if (one := tried(Path(file).read_bytes()))]
        say("\n".join([*(one.told for one in found), f"{len(found)} of {len(files)} still are findings"]))
        return bool(found)
    first = time.time_ns()
    count, found = fuzz(float(os.environ.get("FUZZ_SECONDS") or SECONDS), first, tell=say)
    for one in found:
        say(f"{kept(one)}: {one.sign}")
    say(f"{count:,} inputs, the first of number {first}; {len(found)} findings")
    return bool(found)


def say(text: str) -> None:
    """One message, at once also into a pipe."""
    print(text, flush=True)  # noqa: T201 - this is a program


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
