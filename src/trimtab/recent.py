"""The newest results, which only a caller's budget opens; what was recalled counts as new for longer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from trimtab.edits import At
from trimtab.request import Request
from trimtab.state import State
from trimtab.stubs import RECALL_COMMAND, RECALL_TOOL
from trimtab.transcript import ToolResult

RECALLED = 10
"""Results after which what was recalled may be cut again."""


def protected(request: Request, state: State, upto: int, newest: int) -> list[At]:
    """The texts of the `newest` results up to a message, and of recalled ones among those before, in order."""
    found = [
        at
        for number, texts in enumerate(islice(_latest(request, state, upto), newest + RECALLED))
        for at in texts
        if number < newest or _was_recalled(request, state, at)
    ]
    return sorted(found, key=lambda at: (request.index[at.message], at.part))


def _latest(request: Request, state: State, upto: int) -> Iterator[list[At]]:
    """The texts of each result up to where the walk has come, the last result first."""
    for index in range(upto, -1, -1):
        name, parts = request.names[index], request.parsed[index].message.parts
        texts: dict[At, list[At]] = {}
        for at in (At(name, number) for number, part in enumerate(parts) if isinstance(part, ToolResult)):
            texts.setdefault(state.call_of(at) or at, []).append(at)
        yield from reversed(texts.values())


def _was_recalled(request: Request, state: State, at: At) -> bool:
    """Whether a call brought back what had been cut: by the tool, or by the command in a shell."""
    call = state.answered(request, at)
    return call is not None and (call.name.endswith(RECALL_TOOL) or RECALL_COMMAND in call.arguments)
