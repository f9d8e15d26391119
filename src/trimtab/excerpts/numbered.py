"""Line numbers that a reading tool put in front of every line, and what stands behind them."""

from __future__ import annotations

from collections.abc import Sequence

from trimtab.excerpts.base import NUMBERED


def behind(lines: Sequence[str]) -> list[str]:
    """The lines without their numbers where each that is not blank carries the next one, else as they are."""
    bare, last = list[str](), None
    for line in lines:
        match = NUMBERED.match(line)
        number = int(match[1]) if match else None
        if match is None or (last is not None and number != last + 1):
            if line.strip():
                return list(lines)
            bare.append(line)
            continue
        bare.append(line[match.end() :])
        last = number
    return bare


def blanked(lines: Sequence[str]) -> str:
    """The text of the lines with their numbers turned into blanks: all offsets stay."""
    bare = behind(lines)
    if bare == lines:
        return "".join(lines)
    return "".join([" " * (len(line) - len(rest)) + rest for line, rest in zip(lines, bare, strict=True)])
