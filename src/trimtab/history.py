"""The decisions on record for a request, told by the messages they concern."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from trimtab.compactor import Compactor
from trimtab.invariants import Position, pair
from trimtab.journal import Entry, Record
from trimtab.reader import Reader
from trimtab.report import EditLine
from trimtab.request import Request
from trimtab.stubs import label
from trimtab.transcript import Finding, ToolCall


class Weighed(Struct, frozen=True):
    """The fold that was weighed at a call: its parts, the message of the first, the raw tokens that would go, the
    rent and the price in plain input tokens, and whether it was `done`."""

    parts: int
    first: int
    freed: int
    rent: float
    price: float
    done: bool


class Step(Struct, frozen=True):
    """One decision: at the call that sent the first `messages` messages, and what it cut. Tokens are raw."""

    messages: int
    at: float
    trigger: str
    before: int
    after: int
    edits: tuple[EditLine, ...]
    refused: tuple[Finding, ...]
    weighed: Weighed | None = None


def history(compactor: Compactor, payload: Any) -> list[Step]:
    """Every decision on record for this conversation, in order. Raises WireError and StoreError."""
    settings = compactor.settings
    request = Reader(compactor.counter, compactor.store, settings.namespace).read(payload, settings.model)
    answers = pair((one.message for one in request.parsed), merges=True).answers
    return [_step(request, answers, entry) for entry in compactor.explain(payload)]


def standing(steps: Iterable[Step]) -> list[EditLine]:
    """The edits in force after these decisions: of several in one place the latest."""
    return list({edit.place: edit for step in steps for edit in step.edits}.values())


def _step(request: Request, answers: Mapping[Position[int], Position[int]], entry: Entry) -> Step:
    edits = [_line(request, answers, record) for record in entry.records if record.message in request.index]
    for cut in entry.cuts:
        first, last = request.index[cut.first], request.index[cut.last]
        what = f"{last - first + 1} messages"
        spot = f"messages[{first}-{last}]"
        edits.append(EditLine(spot, what, cut.by, cut.reason, cut.loss.name, cut.saved, cut.handle))
    return Step(
        messages=request.index[entry.boundary] + 1,
        at=entry.at,
        trigger=entry.trigger,
        before=entry.tokens,
        after=entry.after,
        edits=tuple(edits),
        refused=entry.refused,
        weighed=_weighed(request, entry),
    )


def _weighed(request: Request, entry: Entry) -> Weighed | None:
    one = entry.considered
    if one is None:
        return None
    return Weighed(one.parts, request.index.get(one.first, 0), one.freed, one.rent, one.price, one.done)


def _line(request: Request, answers: Mapping[Position[int], Position[int]], record: Record) -> EditLine:
    index, number = request.index[record.message], record.index
    where = answers.get((index, number), (index, number))
    parts = request.parsed[where[0]].message.parts
    part = parts[where[1]] if where[1] < len(parts) else None
    what = label(part) if isinstance(part, ToolCall) else type(part).__name__.lower()
    spot = f"messages[{index}] part {number}"
    return EditLine(spot, what, record.by, record.reason, record.loss.name, record.saved, record.handle)
