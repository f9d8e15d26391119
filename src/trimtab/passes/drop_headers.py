"""The header that an agent's shell puts before each output, in one line: what it was, when it ran, how long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.transcript import ToolResult

LONG = re.compile(
    r"Chunk ID: (?P<chunk>[0-9a-f]+)\nWall time: (?P<time>[0-9.]+) seconds\n"
    r"Process (?:exited with code (?P<code>-?[0-9]+)|running with session ID (?P<session>[0-9]+))\n"
    r"Original token count: (?P<tokens>[0-9]+)\nOutput:\n"
)
"""The header of Codex (`exec_command`, `write_stdin`)."""

SHORT = re.compile(
    r"\[(?:exit code (?P<code>-?[0-9]+)|running, session ID (?P<session>[0-9]+)),"
    r" (?P<time>[0-9.]+) s, (?P<tokens>[0-9]+) tokens, chunk (?P<chunk>[0-9a-f]+)\]\n"
)
"""What takes its place, with all that it said."""


class DropHeaders(Struct, frozen=True):
    """The five lines of a header become one; the exit code or the session stands first.

    Removes: words. Keeps: every value. Recovers: `lengthen` puts the header back. Skips when: the result
    does not begin with such a header.
    """

    name: ClassVar[str] = "drop_headers"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.NONE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result with a header."""
        for at in view.open:
            part = view.part(at)
            if isinstance(part, ToolResult) and (text := shorten(part.text)) != part.text:
                yield Replace(at, msgspec.structs.replace(part, text=text), "header of an output", Loss.NONE)


def shorten(text: str) -> str:
    """The text with its header in one line; as it is where there is none."""
    header = LONG.match(text)
    if header is None:
        return text
    code, session = header["code"], header["session"]
    ended = f"running, session ID {session}" if code is None else f"exit code {code}"
    brief = f"[{ended}, {header['time']} s, {header['tokens']} tokens, chunk {header['chunk']}]\n"
    return brief + text[header.end() :]


def lengthen(text: str) -> str:
    """What `shorten` made this text of; as it is where it begins with no such line."""
    header = SHORT.match(text)
    if header is None:
        return text
    code, session = header["code"], header["session"]
    ended = f"running with session ID {session}" if code is None else f"exited with code {code}"
    full = (
        f"Chunk ID: {header['chunk']}\nWall time: {header['time']} seconds\nProcess {ended}\n"
        f"Original token count: {header['tokens']}\nOutput:\n"
    )
    return full + text[header.end() :]
