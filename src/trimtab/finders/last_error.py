"""The line that says what went wrong last, as the latest failed result says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from trimtab.excerpts.marks import faces
from trimtab.excerpts.trace import LOOKED_AT, ended_with, findings, may_be, unstamped
from trimtab.facts import Fact
from trimtab.finders.base import exact
from trimtab.transcript import Message, ToolResult

MOST = 20
"""Results that are looked at, the latest ones: what failed before them was mended or given up."""

DECISIVE = ("exception", "panic", "error", "assertion", "cause", "build", "failed", "loose")
"""What decides, first what tells most: the exception rather than the name of the test that met it."""

LATE = frozenset({"exception", "build"})
"""Of these the last one tells what came of all; of the others the first one came first."""

LOOSE = re.compile(
    r"\b(?:\w*(?:Error|Exception)|error|ERROR|fatal|FATAL|panic|denied|refused|not found|[Nn]o such)\b"
)
"""A line of a failed result that says why, where it is of no form that is known."""

LONGEST = 400


class LastError:
    """The decisive line of the latest result that has one; only a result counts as showing it."""

    name: ClassVar[str] = "last_error"

    def find(self, messages: Sequence[Message]) -> Iterator[Fact]:
        results = (
            part for one in reversed(messages) for part in reversed(one.parts) if isinstance(part, ToolResult)
        )
        for _, part in zip(range(MOST), results, strict=False):
            if line := decisive(part):
                yield exact(line, "the last error", told=False)
                return


def decisive(result: ToolResult) -> str:
    """The line of a result that says what failed, as it stands there; "" when nothing did."""
    failing = failures(result)
    why = next((why for why in DECISIVE if why in failing), None)
    return "" if why is None else failing[why][-1 if why in LATE else 0][:LONGEST]


def failures(result: ToolResult) -> dict[str, list[str]]:
    """The lines of a result that tell of a failure, by what they are (see `excerpts.trace`)."""
    lines, seen = faces(result.text)
    reading = findings(unstamped(seen)) if may_be(result.text) else None
    found: dict[str, list[str]] = {}
    for line, face, mark in zip(lines, seen, reading.marks if reading else [], strict=False):
        if mark.why in DECISIVE:
            found.setdefault(mark.why, []).append(_shown(line, face))
    if found or not (result.is_error or _failed(seen)):
        return found
    filled = [(line, face) for line, face in zip(lines, seen, strict=False) if face.strip()]
    loose = [_shown(line, face) for line, face in filled if LOOSE.search(face, 0, LOOKED_AT)]
    return {"loose": loose or [_shown(*filled[0])]} if filled else {}


def _failed(seen: Sequence[str]) -> bool:
    """Whether the tool wrote, at the start or the end, that the command ended with a code that is not 0."""
    ends = (ended_with(face) for face in (*seen[:5], *seen[-5:]))
    return any(match is not None and int(match["code"]) != 0 for match in ends)


def _shown(line: str, face: str) -> str:
    """What is seen of a line where it stands so in the text, else the line."""
    return (face if face in line else line).strip()
