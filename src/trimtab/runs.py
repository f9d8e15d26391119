"""Runs of messages that may give way to a note: consecutive ones that may go, with nothing torn at their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trimtab.edits import At
from trimtab.request import Request
from trimtab.state import State
from trimtab.transcript import Role, ToolCall


def runs(request: Request, state: State, where: range, stays: Callable[[int], bool]) -> Iterator[range]:
    """The runs among the messages `where`, by their positions; `stays` tells which of them may not go.

    Messages that belong together (a call and its results, one answer of the model, what a note stands for)
    go together or not at all.
    """
    ends = _ends(request, state)
    start = index = 0
    while index < len(ends):
        first, end = index, ends[index]
        while index <= end:
            end = max(end, ends[index])
            index += 1
        if first not in where or end not in where or any(map(stays, range(first, index))):
            if start < first:
                yield range(start, first)
            start = index
    if start < index:
        yield range(start, index)


def _ends(request: Request, state: State) -> list[int]:
    """For each message the last one that it cannot be parted from; beyond the end for a call without a result."""
    count = len(request.names)
    ends = list(range(count))
    for result, call in state.pairing.answers.items():
        first, last = request.index.get(call[0], count), request.index.get(result[0], count)
        if first < count:
            ends[first] = max(ends[first], last)
    answered = set(state.pairing.answers.values())
    for index, one in enumerate(request.parsed):
        if (
            one.message.role is Role.ASSISTANT
            and index
            and request.parsed[index - 1].message.role is Role.ASSISTANT
        ):
            ends[index - 1] = max(ends[index - 1], index)
        calls = (number for number, part in enumerate(one.message.parts) if isinstance(part, ToolCall))
        if any(At(request.names[index], number) not in answered for number in calls):
            ends[index] = count
    for cut in state.cuts.values():
        if its := request.where(cut):
            ends[its.start] = max(ends[its.start], its.stop - 1)
    return ends
