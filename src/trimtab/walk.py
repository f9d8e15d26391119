"""A walk through the boundaries of a request: what is asked of it, where it is, what it may decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from time import time

from msgspec import Struct

from trimtab.bindings import binds
from trimtab.edits import At
from trimtab.journal import Entry
from trimtab.keep import Note
from trimtab.meter import Bill
from trimtab.observed import Observed
from trimtab.rates import Rates
from trimtab.request import Request
from trimtab.state import State
from trimtab.stores.base import Decision
from trimtab.transcript import COMPACT, Opaque, Part, Reasoning, Role
from trimtab.triggers import Limits
from trimtab.visibility import Visibility


class Demand(Struct, frozen=True):
    """What the caller asks of one call. `decides` false: apply what was decided, decide nothing (side calls).

    `at` is the time of the present call in seconds, `times` those of earlier ones, by the position of the message
    they followed. `summaries` are short texts that may stand for results, by the ids of their calls;
    they hold from now on. `rates` are the prices of the model, `observed` is what its provider reported for the
    call before. `notes` are what the agent is supposed to say it keeps of results, by the position of the message
    in which it would.
    """

    limits: Limits
    facts: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    at: float | None = None
    times: Mapping[int, float] = {}
    decides: bool = True
    summaries: Mapping[str, str] = {}
    rates: Rates = Rates()
    observed: Observed | None = None
    notes: Mapping[int, Mapping[At, tuple[Note, ...]]] = {}


class Walk:
    """One way through the boundaries: the state reached, decisions made, the last one on record here.

    `bill` is what the present call costs, where that is reckoned. `side` tells that the request is a side call of
    a known conversation. Before message `signed` nothing new is edited.
    """

    def __init__(
        self, state: State, facts: Visibility, recorded: Mapping[bytes, Sequence[Entry]], signed: int
    ) -> None:
        self.state, self.facts, self.recorded, self.signed = state, facts, recorded, signed
        self.made: list[Decision] = []
        self.last: Entry | None = None
        self.bill: Bill | None = None
        self.side = False

    @property
    def entries(self) -> list[Entry]:
        """The decisions that stand at the message reached, on record and just made."""
        made = takewhile(lambda one: one.entry.boundary == self.state.last, reversed(self.made))
        return [*self.recorded.get(self.state.last, ()), *reversed([one.entry for one in made])]

    def time(self, index: int, demand: Demand) -> float:
        """When the call after a message was made, in seconds; what nobody says is taken to be now."""
        known = demand.times.get(index, demand.at)
        return time() if known is None else known

    def may_decide(self, request: Request, demand: Demand) -> bool:
        """Whether anything new may be decided: not in a side call."""
        if not self.made:
            self.side = is_side_call(request, self.state)
        return demand.decides and not self.side


def is_boundary(request: Request, index: int) -> bool:
    """Whether a call was made after this message: it stands before a run of assistant messages."""
    here, following = request.parsed[index].message.role, request.parsed[index + 1].message.role
    return following is Role.ASSISTANT and here is not Role.ASSISTANT


def is_side_call(request: Request, state: State) -> bool:
    """Whether this is a call for another purpose: it asks to compact, its tools are gone, or JSON is asked for.

    Titles, summaries by the client, routing checks. They get what was decided, and nothing new.
    """
    end = request.parsed[-1].message.parts if request.parsed else ()
    if any(isinstance(part, Opaque) and part.kind == COMPACT for part in end):
        return True
    main = state.latest
    if main is None or main.boundary == state.last:
        return False
    return (main.tools and not request.frame.tools) or (request.frame.structured and not main.structured)


def lasting(names: Sequence[bytes], recorded: Mapping[bytes, list[Entry]]) -> dict[bytes, list[Entry]]:
    """The decisions that reach on to the end: of those at one boundary as many as the next decision follows."""
    decided = [name for name in names if name in recorded]
    following = [recorded[name][0].follows for name in decided[1:]]
    return {
        name: recorded[name][: None if count < 0 else count]
        for name, count in zip(decided, [*following, -1], strict=False)
    }


def last_signed(request: Request) -> int:
    """The last message whose signed thinking is bound to its prefix, -1 if none: what precedes was sent (A5)."""
    if not binds(request.frame.model):
        return -1
    backwards = range(len(request.parsed) - 1, -1, -1)
    return next((n for n in backwards if any(map(_is_bound, request.parsed[n].message.parts))), -1)


def _is_bound(part: Part) -> bool:
    return isinstance(part, Reasoning) and part.bound
