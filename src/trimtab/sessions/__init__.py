"""Readers of session files: what an agent recorded becomes requests again. A new one is a file and a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from trimtab.errors import WireError
from trimtab.sessions.atif import ATIF
from trimtab.sessions.base import Reader, Session
from trimtab.sessions.cassettes import CASSETTES
from trimtab.sessions.claude_code import CLAUDE_CODE
from trimtab.sessions.codex import CODEX
from trimtab.sessions.copilot_cli import COPILOT_CLI
from trimtab.sessions.gemini_cli import GEMINI_CLI
from trimtab.sessions.mini_swe_agent import MINI_SWE_AGENT
from trimtab.sessions.openhands import OPENHANDS_EVENTS, OPENHANDS_LOG
from trimtab.sessions.pi import PI
from trimtab.sessions.requests import REQUESTS
from trimtab.sessions.swe_agent import SWE_AGENT
from trimtab.sessions.tau import TAU2_BENCH, TAU_BENCH
from trimtab.sessions.unsupported import looks_like

READERS: tuple[Reader, ...] = (
    CLAUDE_CODE,
    CODEX,
    PI,
    COPILOT_CLI,
    GEMINI_CLI,
    OPENHANDS_EVENTS,
    OPENHANDS_LOG,
    MINI_SWE_AGENT,
    SWE_AGENT,
    TAU_BENCH,
    TAU2_BENCH,
    ATIF,
    CASSETTES,
    REQUESTS,
)
"""All readers; the first that knows a file takes it, so those with the surest signs come first."""


def read(path: Path | str) -> Iterator[Session]:
    """The sessions in a file, read one by one. Raises WireError when it is of no format that trimtab reads.

    The message then says what the file looks like. Raises WireError too for a file that cannot be opened.
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise WireError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        yield from sniff(data).read(data)
    except WireError as error:
        raise WireError(f"{path}: {error}") from error


def sniff(data: bytes) -> Reader:
    """The reader of a file, told by its content. Raises WireError, with what it looks like, when there is none."""
    reader = reader_of(data)
    if reader is not None:
        return reader
    names = ", ".join(reader.name for reader in READERS)
    raise WireError(f"this is no session that trimtab reads: {looks_like(data)}. It reads: {names}")


def reader_of(data: bytes) -> Reader | None:
    """The reader of a file, told by its content; None when there is none."""
    return next((reader for reader in READERS if reader.sniff(data)), None)
