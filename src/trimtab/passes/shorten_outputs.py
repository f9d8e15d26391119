"""Long outputs to head and tail, with the count of what was cut between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import At, Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import clip, clip_start, gap_stub, inner_gap_stub
from trimtab.transcript import ToolResult

CHARACTERS_PER_TOKEN = 3
"""To turn a token allowance into characters; low on purpose, so that the allowance holds for code and prose."""


class ShortenOutputs(Struct, frozen=True):
    """A result of more than twice `keep` tokens is cut to a head and a tail of about `keep` tokens in all.

    Removes: the middle. Keeps: the first and the last lines, verbatim; the last line always (verdicts
    and exit codes stand there). Recovers: any lines by the handle. Skips when: the result is short.
    """

    keep: int = 1000
    head: float = 0.6

    name: ClassVar[str] = "shorten_outputs"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        for at in view.open:
            if view.size(at) > 2 * self.keep and isinstance(original := view.original(at), ToolResult):
                text = self.excerpt(view, at, original.text)
                yield Replace(at, msgspec.structs.replace(original, text=text), f"over {2 * self.keep:,} tokens")

    def excerpt(self, view: View, at: At, text: str) -> str:
        """Head and tail of a text with a stub between them."""
        room = self.keep * CHARACTERS_PER_TOKEN
        lines = text.splitlines(keepends=True)
        first = _fitting(lines, int(room * self.head))
        last = _fitting(lines[first:][::-1], room - int(room * self.head))
        if first and last and first + last < len(lines):
            cut = "".join(lines[first : len(lines) - last])
            stub = gap_stub(first + 1, len(lines) - last, view.count(cut), view.handle(at))
            return "".join([*lines[:first], stub, _line_end(lines[0]), *lines[len(lines) - last :]])
        head, tail = clip(text, int(room * self.head)), clip_start(text, room - int(room * self.head))
        stub = inner_gap_stub(len(text) - len(head) - len(tail), view.handle(at))
        return f"{head}\n{stub}\n{tail}"


def _fitting(lines: list[str], room: int) -> int:
    """How many of the lines, from the first, fit into `room` characters."""
    for number, line in enumerate(lines):
        room -= len(line)
        if room < 0:
            return number
    return len(lines)


def _line_end(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else "\n"
