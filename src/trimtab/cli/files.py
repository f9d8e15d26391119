"""Requests from files and pipes, and back."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec

from trimtab import jsonbytes, sessions
from trimtab.cli.exits import UsageError, complain
from trimtab.errors import WireError
from trimtab.sessions.requests import REQUESTS
from trimtab.sessions.unsupported import looks_like

STANDARD = "-"


def read(file: str, call: int | None = None) -> bytes:
    """The bytes of a file, or of standard input for "-"; with `call` the request of that call of a session.

    Calls are numbered from 1, through all sessions of a file. Raises UsageError.
    """
    data = _piped() if file == STANDARD else _stored(Path(file))
    if not data.strip():
        raise UsageError(f"{told(file)}: it is empty; expected a request as JSON")
    return data if call is None else _call(file, data, call)


def _call(file: str, data: bytes, call: int) -> bytes:
    seen = 0
    try:
        for session in sessions.sniff(data).read(data):
            if call <= seen + len(session.calls):
                return jsonbytes.encode(session.request(session.calls[call - seen - 1]))
            seen += len(session.calls)
    except WireError as error:
        raise UsageError(f"{told(file)}: {error}") from error
    raise UsageError(f"{told(file)}: there is no call {call:,}; its calls are 1 to {seen:,}")


def _piped() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("standard input is a terminal; pipe a request into it, or name a FILE")
    return sys.stdin.buffer.read()


def _stored(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise UsageError(f"{path}: it is a folder; name a file in it")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else _reason(error)
        raise UsageError(f"{path}: {reason}") from error


@contextmanager
def named(file: str, data: bytes) -> Iterator[None]:
    """Put the name of the file before what is wrong with it, and what it is where it is a session."""
    try:
        yield
    except WireError as error:
        raise UsageError(f"{told(file)}: {_session(data) or f'{error}{_hint(data)}'}") from error


def _session(data: bytes) -> str:
    """What to do with a session file, "" for anything else."""
    reader = sessions.reader_of(data)
    if reader is None or reader is REQUESTS:
        return ""
    ways = "`trimtab inspect` lists its calls; compact, inspect, validate and explain take one with --call N"
    return f"it is a session ({reader.name}): many requests, not one; {ways}"


def told(file: str) -> str:
    """A file as messages name it."""
    return "standard input" if file == STANDARD else file


def _hint(data: bytes) -> str:
    """What the file seems to be instead, where that can be told."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "; it looks like UTF-16, save it as UTF-8"
    if data.startswith(b"\x1f\x8b"):
        return "; it is compressed, try: gunzip -c FILE | trimtab … -"
    first, _, rest = data.strip().partition(b"\n")
    try:
        if rest:
            jsonbytes.decode(first)
            known = sessions.reader_of(data) is not None
            way = "take one with --call N" if known else "try one of them: head -n 1 FILE | trimtab … -"
            return f"; it looks like JSON Lines, {way}"
    except WireError:
        pass
    looks = looks_like(data)
    return f"; {looks}" if looks.startswith("it is ") else ""


def write(data: bytes, output: str | None) -> None:
    """A request to a file or to standard output, where it is nothing for a terminal. Raises UsageError."""
    if output not in (None, STANDARD):
        _keep(data, Path(str(output)))
    elif output == STANDARD or not sys.stdout.isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def tell_where(data: bytes, output: str | None) -> None:
    """Where a terminal was spared the request: how to get it."""
    if output is None and sys.stdout.isatty():
        complain(f"the request has {len(data):,} bytes and is not shown here: add --output FILE, or > FILE")


def _keep(data: bytes, path: Path) -> None:
    """Write a file whole or not at all; what is no regular file (a pipe, a device) is written as it is."""
    try:
        path = path.resolve()
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            try:
                file.write(data)
                file.close()
                if path.exists():
                    shutil.copymode(path, file.name)
                os.replace(file.name, path)  # noqa: PTH105
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: it cannot be written: {_reason(error)}") from error


def print_json(value: Any, *, stderr: bool = False) -> None:
    """A value as indented JSON."""
    text = msgspec.json.format(jsonbytes.encode(value), indent=2) + b"\n"
    stream = sys.stderr if stderr else sys.stdout
    stream.write(text.decode())


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
