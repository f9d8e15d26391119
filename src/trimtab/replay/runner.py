"""Many files: replayed in several processes, the largest first, and taken up again where it was interrupted."""

from __future__ import annotations

import hashlib
import logging
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from heapq import heappop, heappush
from pathlib import Path

import msgspec

from trimtab.errors import ConfigError
from trimtab.replay.baselines import KEEP_ALL
from trimtab.replay.rows import File, Options, Row, Under, replayed
from trimtab.replay.totals import Results

SHOWN = 12
"""Stretches, the dearest ones, of which the course is kept."""

VERSION = 1
"""Version of what a file of earlier results holds; others are passed over."""


def replay(
    paths: Sequence[str],
    options: Options,
    *,
    workers: int = 1,
    resume: str | None = None,
    step: Callable[[], None] = lambda: None,
) -> Results:
    """Every file replayed. `step` is called after each; `resume` is a file that results are added to.

    What that file holds of the same files and options is not replayed again. Raises ConfigError when it
    cannot be used.
    """
    rows = _Rows()
    failed: list[File] = []
    for file in _files(paths, options, workers, resume):
        step()
        for row in file.rows:
            rows.add(row)
        if file.failed:
            failed.append(msgspec.structs.replace(file, rows=()))
    found = sorted(rows.held, key=lambda row: (row.file, row.session, row.number))
    failed.sort(key=lambda file: file.path)
    return Results(options=options, rows=tuple(found), failed=tuple(failed), files=len(paths))


class _Rows:
    """All rows, of which only the dearest keep their course."""

    def __init__(self) -> None:
        self.held: list[Row] = []
        self._dear: list[tuple[float, str, int, int]] = []

    def add(self, row: Row) -> None:
        dollars = row.policies[KEEP_ALL.name].figures.dollars
        heappush(self._dear, (dollars, row.session, row.number, len(self.held)))
        self.held.append(row)
        if len(self._dear) > SHOWN:
            *_, least = heappop(self._dear)
            self.held[least] = _without_course(self.held[least])


def _without_course(row: Row) -> Row:
    bare = {name: Under(one.figures, one.first_changed) for name, one in row.policies.items()}
    return msgspec.structs.replace(row, policies=bare)


def _files(paths: Sequence[str], options: Options, workers: int, resume: str | None) -> Iterator[File]:
    """Every file, as it is done; those on record come first."""
    keys = {path: _key(path, options) for path in paths}
    known = _recorded(resume)
    yield from (known[keys[path]] for path in paths if keys[path] in known)
    todo = sorted((path for path in paths if keys[path] not in known), key=_size, reverse=True)
    for file in _played(todo, options, workers):
        if resume is not None:
            _record(resume, keys[file.path], file)
        yield file


def _played(paths: Sequence[str], options: Options, workers: int) -> Iterator[File]:
    if workers <= 1 or len(paths) <= 1:
        yield from (replayed(path, options) for path in paths)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(paths)), context, initializer=_quiet) as pool:
        waiting: set[Future[File]] = set()
        for path in paths:
            waiting.add(pool.submit(replayed, path, options))
            if len(waiting) >= 2 * workers:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (one.result() for one in done)


def _quiet() -> None:
    """What the library warns of is told once, by the process that was started, in its own way."""
    logging.getLogger("trimtab").addHandler(logging.NullHandler())


def _key(path: str, options: Options) -> str:
    """What tells a file, as it is now, replayed under these options."""
    try:
        found = os.stat(path)  # noqa: PTH116
        state = f"{found.st_size} {found.st_mtime_ns}"
    except OSError:
        state = ""
    text = f"{VERSION}\0{path}\0{state}\0".encode("utf-8", "surrogatepass") + msgspec.json.encode(options)
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _recorded(resume: str | None) -> dict[str, File]:
    """The files on record; a line that was cut off by an interruption is passed over."""
    known: dict[str, File] = {}
    try:
        lines = Path(resume).read_bytes().splitlines() if resume is not None and Path(resume).exists() else []
    except OSError as error:
        raise ConfigError(f"{resume}: earlier results cannot be read: {error.strerror}") from error
    for line in lines:
        try:
            key, file = msgspec.json.decode(line, type=tuple[str, File])
        except msgspec.DecodeError:
            continue
        known[key] = file
    return known


def _record(resume: str, key: str, file: File) -> None:
    try:
        line = msgspec.json.encode((key, file))
    except UnicodeEncodeError:  # a name with lone surrogates: it is replayed again
        return
    try:
        with Path(resume).open("ab") as out:
            out.write(b"\n" + line + b"\n")  # the line before may be cut off
    except OSError as error:
        raise ConfigError(f"{resume}: results cannot be kept there: {error.strerror}") from error
