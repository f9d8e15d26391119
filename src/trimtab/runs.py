"""Runs of messages that may give way to a note: consecutive ones that may go, with nothing torn at their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from trimtab.edits import At
from trimtab.request import Request
from trimtab.state import State
from trimtab.transcript import Role, ToolCall


def runs(request: Request, state: State, where: range, stays: Callable[[int], bool]) -> Iterator[range]:
    """The runs among the messages `where`, by their positions; `stays` tells which of them may not go.

    Messages that belong together (a call and its results, one answer of the model, what a note stands for)
    go together or not at all. Where the wire demands that users and models take turns a run stands between two
    messages of the model, so that a note can take its place.
    """
    groups = list[int]()
    for run in _runs(request, state, where, stays, groups):
        yield from _taking_turns(request, run, groups) if request.wire.alternates else (run,)


def _taking_turns(request: Request, run: range, groups: Sequence[int]) -> Iterator[range]:
    """The longest part of a run with a message of the model, or nothing, on either side."""

    def models(index: int) -> bool:
        inside = request.heads <= index < len(request.parsed)
        return not inside or request.parsed[index].message.role is Role.ASSISTANT

    ends = [*(index for index in groups if index in run), run.stop]
    start = next((index for index in ends if models(index - 1)), run.stop)
    stop = next((index for index in reversed(ends) if models(index)), start)
    if start < stop:
        yield range(start, stop)


def _runs(
    request: Request, state: State, where: range, stays: Callable[[int], bool], groups: list[int]
) -> Iterator[range]:
    """The runs; where groups of messages begin is put into `groups`."""
    ends, unanswered = _ends(request, state), _unanswered(request, state)
    start = index = 0
    while index < len(ends):
        first, end = index, ends[index]
        groups.append(first)
        while index <= end:
            end = max(end, ends[index])
            index += 1
        inside = range(first, index)
        if first not in where or end not in where or not unanswered.isdisjoint(inside) or any(map(stays, inside)):
            if start < first:
                yield range(start, first)
            start = index
    if start < index:
        yield range(start, index)


def _ends(request: Request, state: State) -> list[int]:
    """For each message the last one that it cannot be parted from."""
    ends = list(range(len(request.names)))
    for result, call in state.pairing.answers.items():
        first, last = request.index.get(call[0]), request.index.get(result[0])
        if first is not None and last is not None:
            ends[first] = max(ends[first], last)
    for index, (one, following) in enumerate(pairwise(request.parsed)):
        if one.message.role is following.message.role is Role.ASSISTANT:
            ends[index] = max(ends[index], index + 1)
    for cut in state.cuts.values():
        if its := request.where(cut):
            ends[its.start] = max(ends[its.start], its.stop - 1)
    return ends


def _unanswered(request: Request, state: State) -> set[int]:
    """The messages with a call whose result is not there."""
    answered = {call for result, call in state.pairing.answers.items() if result[0] in request.index}
    return {
        index
        for index, (name, one) in enumerate(zip(request.names, request.parsed, strict=True))
        for number, part in enumerate(one.message.parts)
        if isinstance(part, ToolCall) and At(name, number) not in answered
    }
