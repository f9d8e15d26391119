"""The engine: walks the boundaries of a request, lets passes propose, and disposes.

A decision is read from the journal where there is one. Where there is none the passes propose, the
guard refuses, the outcome is checked against the provider's rules, and originals and decision go into
the store together before anyone can see a stub.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from time import time
from typing import NamedTuple

import msgspec
from msgspec import Struct

from trimtab import identity
from trimtab.bindings import binds
from trimtab.draft import Draft
from trimtab.edits import At, Loss
from trimtab.errors import BudgetError, StoreError
from trimtab.facts import Facts
from trimtab.fold import Rules, fixed_parts, fold, ingest
from trimtab.guard import Guard
from trimtab.journal import Entry, Record
from trimtab.memo import Memo
from trimtab.reader import Reader
from trimtab.render import artifacts, outputs, violations
from trimtab.request import Request
from trimtab.state import TINY, State
from trimtab.stores.base import Decision, Store
from trimtab.transcript import COMPACT, Finding, Opaque, Part, Reasoning, Role, ToolCall, ToolResult
from trimtab.triggers import Limits, due

TRIES = 5
"""Replicas may win the race for a boundary; each loss brings at least one decision on record."""


class Demand(Struct, frozen=True):
    """What the caller asks of one call. `decides` false: apply what was decided, decide nothing (side calls)."""

    limits: Limits
    facts: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    at: float | None = None
    decides: bool = True


class Walk:
    """One way through the boundaries: the state reached, decisions made, the last one on record here.

    `side` tells that the request is a side call of a known conversation. Before message `signed` nothing
    new is edited.
    """

    def __init__(self, state: State, facts: Facts, recorded: Mapping[bytes, Sequence[Entry]], signed: int) -> None:
        self.state, self.facts, self.recorded, self.signed = state, facts, recorded, signed
        self.made: list[Decision] = []
        self.last: Entry | None = None
        self.side = False

    def may_decide(self, request: Request, demand: Demand) -> bool:
        """Whether anything new may be decided: not in a side call."""
        if not self.made:
            self.side = _is_side_call(request, self.state)
        return demand.decides and not self.side


class Outcome(NamedTuple):
    """How the request is sent, the decisions just made, and the one on record at its end.

    `side` tells that it was taken for a side call.
    """

    state: State
    made: list[Entry]
    entry: Entry | None
    side: bool = False


class Engine:
    """One engine for one preset in one namespace. Thread-safe: it holds nothing but memos."""

    def __init__(self, store: Store, namespace: str, rules: Rules, reader: Reader) -> None:
        self.store, self.namespace, self.rules, self.reader = store, namespace, rules, reader
        self._states: Memo[State] = Memo(500_000)
        self._ceiling = Loss.LOSSY if store.keeps else Loss.NONE

    def run(self, request: Request, demand: Demand) -> Outcome:
        """Decide what is undecided, commit it, and say how the request is sent.

        Raises BudgetError (nothing is then on record) and StoreError.
        """
        banned: list[Finding] = []
        for _ in range(TRIES):
            walk = self._walk(request, demand, banned)
            if not banned and any(made.entry.records or made.entry.cuts for made in walk.made):
                banned = violations(request, walk.state)
                if banned:
                    continue
            entries = [made.entry for made in walk.made]
            if not walk.made or self.store.commit(self.namespace, walk.made) == entries:
                self.reader.learn([pair for one in walk.made for pair in one.outputs])
                self._states.put(walk.state.last, walk.state, walk.state.weight)
                return Outcome(walk.state, entries, entries[-1] if entries else walk.last, walk.side)
        raise StoreError(f"another process decided otherwise {TRIES} times in a row; call again")

    def settled(self, request: Request) -> State:
        """How the request is sent by what is on record alone."""
        return self._walk(request, Demand(Limits(), decides=False), []).state

    def _walk(self, request: Request, demand: Demand, banned: Sequence[Finding]) -> Walk:
        """The reduction: every message arrives, every decision on record is applied, the others are made.

        No new decision comes before one on record: what followed it was sent without.
        """
        state, start, recorded = self._known(request)
        lasting = _lasting(request.names[max(start - 1, 0) :], recorded)
        walk = Walk(state, Facts(request, demand.facts), lasting, _last_signed(request))
        end = len(request.names)
        decided = max((request.index[name] for name in recorded), default=-1)
        if start > request.heads:
            self._apply(request, walk)
        for index in range(start, end):
            state.arrive(request, index, self.rules.places)
            self._apply(request, walk)
            if decided < index < end - 1 and _is_boundary(request, index) and walk.may_decide(request, demand):
                walk.made.append(self._decide(request, walk, index, demand, banned))
        if end > request.heads and walk.may_decide(request, demand) and self._unmet(request, walk, demand):
            walk.made.append(self._decide(request, walk, end - 1, demand, banned))
        return walk

    def _known(self, request: Request) -> tuple[State, int, Mapping[bytes, list[Entry]]]:
        """The state after the longest beginning that is remembered, and what is on record from there on."""
        names = request.names
        for start in range(len(names), request.heads, -1):
            known = self._states.get(names[start - 1])
            if known is not None:
                recorded = self.store.decisions(self.namespace, self.rules.preset, names[start - 1 :])
                following = next((recorded[name][0] for name in names[start:] if name in recorded), None)
                if following is None or following.follows < 0 or known.stood <= following.follows:
                    return known.copy(), start, recorded
        return (
            State(),
            request.heads,
            self.store.decisions(self.namespace, self.rules.preset, names[request.heads :]),
        )

    @staticmethod
    def _apply(request: Request, walk: Walk) -> None:
        """Apply the decisions on record at this place that were not yet applied."""
        entries = walk.recorded.get(walk.state.last, ())
        for entry in entries[walk.state.entries :]:
            walk.state.apply(request, entry)
            if entry.records or entry.cuts:
                walk.facts.forget()
        walk.last = entries[-1] if entries else None

    def _unmet(self, request: Request, walk: Walk, demand: Demand) -> bool:
        """Whether the end of the request needs a decision: none on record, or the caller asks for more."""
        if walk.state.entries == 0:
            return True
        asked = due(request.frame_size + walk.state.total, 0, demand.limits, present=True)
        forced = demand.limits.force and not (walk.last and walk.last.forced)
        return asked is not None and (asked.hard or forced)

    def _decide(
        self, request: Request, walk: Walk, index: int, demand: Demand, banned: Sequence[Finding]
    ) -> Decision:
        """One decision at the boundary after message `index`; the state advances by it."""
        state = walk.state
        present = index + 1 == len(request.names)
        seq, before = state.entries, request.frame_size + state.total
        draft = self._draft(request, state, index, demand, walk.facts)
        open_to_edits = not banned and index >= walk.signed
        if open_to_edits:
            ingest(draft, self.rules)
        ingested = len(draft.records)
        asked = due(draft.tokens, state.arrived, demand.limits, present=present)
        if asked is not None and open_to_edits:
            fold(draft, asked, self.rules)
        if asked is not None and asked.hard and present and draft.tokens > asked.limit:
            raise _over_budget(draft, self.rules, demand.limits)
        entry = Entry(
            boundary=state.last,
            root=request.root,
            at=time() if demand.at is None else demand.at,
            trigger=asked.reason if asked else "no reason to fold",
            tokens=before,
            after=draft.tokens,
            factor=demand.limits.factor,
            preset=self.rules.preset,
            records=tuple(draft.records.values()),
            cuts=tuple(draft.cuts),
            refused=(*banned, *draft.refused),
            follows=state.stood if seq == 0 else -1,
            spent=tuple(at for at in draft.spent if draft.size(at) >= TINY),
            folded=len(draft.records) > ingested or bool(draft.cuts),
            forced=demand.limits.force and present,
            tools=bool(request.frame.tools),
            structured=request.frame.structured,
        )
        state.close(request, entry)
        return self._decision(request, state, seq, entry)

    def _draft(self, request: Request, state: State, index: int, demand: Demand, facts: Facts) -> Draft:
        places = self.rules.places
        guard = Guard(request, state, index, places, self._ceiling, facts, demand.pins)
        return Draft(request, state, index, guard, self.reader.count, self._stored(request))

    def _stored(self, request: Request) -> Callable[[At], Part | None]:
        """How a pass sees the original of a part that was fed back: it comes from the store."""

        def fetch(at: At) -> Part | None:
            artifact = self.store.artifact(self.namespace, identity.handle(at))
            part = request.parsed[request.index[at.message]].message.parts[at.part]
            if artifact is None:
                return None
            text = artifact.data.decode("utf-8", "surrogatepass")
            match part:
                case ToolResult():
                    return msgspec.structs.replace(part, text=text)
                case ToolCall():
                    return msgspec.structs.replace(part, arguments=text)
            return None

        return fetch

    def _decision(self, request: Request, state: State, seq: int, entry: Entry) -> Decision:
        """All that a decision writes into the store; the outputs are those of this very moment."""
        return Decision(
            scope=self.rules.preset,
            seq=seq,
            entry=entry,
            artifacts=tuple(artifacts(request, self._unstored(request, entry.records), entry.cuts, state)),
            outputs=tuple(outputs(request, entry.records, entry.cuts, state)),
        )

    def _unstored(self, request: Request, records: Sequence[Record]) -> list[Record]:
        """Those whose original the store has not got; of a message fed back some parts may be as they came."""
        fed_back = {record.message for record in records} & request.fed_back
        known = {one.handle for one in self.store.artifacts(self.namespace, list(fed_back))} if fed_back else set()
        return [record for record in records if record.handle not in known]


def _is_boundary(request: Request, index: int) -> bool:
    """Whether a call was made after this message: it stands before a run of assistant messages."""
    here, following = request.parsed[index].message.role, request.parsed[index + 1].message.role
    return following is Role.ASSISTANT and here is not Role.ASSISTANT


def _is_side_call(request: Request, state: State) -> bool:
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


def _lasting(names: Sequence[bytes], recorded: Mapping[bytes, list[Entry]]) -> dict[bytes, list[Entry]]:
    """The decisions that reach on to the end: of those at one boundary as many as the next decision follows."""
    decided = [name for name in names if name in recorded]
    following = [recorded[name][0].follows for name in decided[1:]]
    return {
        name: recorded[name][: None if count < 0 else count]
        for name, count in zip(decided, [*following, -1], strict=False)
    }


def _last_signed(request: Request) -> int:
    """The last message whose signed thinking is bound to its prefix, -1 if none: what precedes was sent (A5)."""
    if not binds(request.frame.model):
        return -1
    backwards = range(len(request.parsed) - 1, -1, -1)
    return next((n for n in backwards if any(map(_is_bound, request.parsed[n].message.parts))), -1)


def _is_bound(part: Part) -> bool:
    return isinstance(part, Reasoning) and part.bound


def _over_budget(draft: Draft, rules: Rules, limits: Limits) -> BudgetError:
    """The error that lists what is fixed and the smallest size."""
    factor = limits.factor
    fixed = [(place, ceil(tokens * factor), why) for place, tokens, why in fixed_parts(draft, rules) if tokens]
    return BudgetError(limits.budget or 0, ceil(draft.tokens * factor), fixed)
