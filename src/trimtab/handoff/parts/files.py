"""The files that calls read or wrote, each with the handle that brings it back."""

from __future__ import annotations

from trimtab.handoff.ground import Ground
from trimtab.handoff.parts.base import MORE, latest
from trimtab.ledger import files_of
from trimtab.transcript import Message, Part, ToolResult

TITLE = "Files, and how to get back what was read or written"

MOST = 40


def files(ground: Ground, room: int) -> list[str]:
    """A line a file, those touched last at the end; what failed touched nothing."""
    parts = dict(ground.messages)
    found = dict[str, dict[str, str]]()
    kept = ground.kept(TITLE)
    for item in (one for one in kept if one != MORE):
        path, _, ways = item.rpartition(": ")
        found[path] = dict(way.split(" t:", 1) for way in ways.split(", ") if " t:" in way)
    for one in ground.calls:
        if not one.results or any(_is_error(parts, *at) for at in one.results):
            continue
        how, paths = files_of(one.call)
        for path in paths:
            handle = ground.handle(one.results[0] if how == "read" else one.at)
            found[path] = {**found.pop(path, {}), how: handle.removeprefix("t:")}
    made = [
        f"{path}: {', '.join(f'{how} t:{handle}' for how, handle in ways.items())}" for path, ways in found.items()
    ]
    return latest([*kept[: kept[:1] == [MORE]], *made], min(MOST, max(room // 40, 5)))


def _is_error(parts: dict[bytes, Message], message: bytes, number: int) -> bool:
    part: Part = parts[message].parts[number]
    return isinstance(part, ToolResult) and part.is_error
