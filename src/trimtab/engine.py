"""The engine: walks the boundaries of a request, lets passes propose, and disposes.

A decision is read from the journal where there is one. Where there is none the passes propose, the
guard refuses, the outcome is checked against the provider's rules, and originals and decision go into
the store together before anyone can see a stub.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from math import ceil
from typing import NamedTuple

import msgspec

from trimtab import identity
from trimtab.draft import Draft
from trimtab.edits import At, Loss
from trimtab.errors import BudgetError, StoreError
from trimtab.finders import wanted
from trimtab.fold import considered, fold, ingest, pay
from trimtab.gate import Gate
from trimtab.guard import Guard
from trimtab.journal import Entry, Record
from trimtab.memo import Memo
from trimtab.meter import Bill, Fold, told
from trimtab.metering import Metering
from trimtab.reach import Rules, fixed_parts
from trimtab.reader import Reader
from trimtab.render import artifacts, noted, outputs, violations
from trimtab.request import Request
from trimtab.single_flight import SingleFlight
from trimtab.state import TINY, State
from trimtab.stores.base import Decision, Store
from trimtab.transcript import Finding, Part, ToolCall, ToolResult
from trimtab.triggers import Limits, due
from trimtab.visibility import Visibility
from trimtab.walk import Demand, Walk, is_boundary, last_signed, lasting
from trimtab.writer import Writer

TRIES = 5
"""Replicas may win the race for a boundary; each loss brings at least one decision on record."""


class Outcome(NamedTuple):
    """How the request is sent, the decisions just made, and the one on record at its end.

    `side` tells that it was taken for a side call, `bill` what the call costs, where that is reckoned.
    """

    state: State
    made: list[Entry]
    entry: Entry | None
    side: bool = False
    bill: Bill | None = None


class Engine:
    """One engine for one preset in one namespace. Thread-safe: it holds nothing but memos."""

    def __init__(
        self, store: Store, namespace: str, rules: Rules, reader: Reader, writer: Writer | None = None
    ) -> None:
        self.store, self.namespace, self.rules, self.reader = store, namespace, rules, reader
        self._writer, self._flights = writer, SingleFlight()
        self._states: Memo[State] = Memo(500_000)
        self._ceiling = Loss.LOSSY if store.keeps else Loss.NONE

    def run(self, request: Request, demand: Demand) -> Outcome:
        """Decide what is undecided, commit it, and say how the request is sent.

        Where there is a writer, one call of a conversation decides at a time, and the others find it on record.
        Raises BudgetError (nothing is then on record) and StoreError.
        """
        with self._flights.turn(request.root) if self._writer is not None else nullcontext():
            return self._run(request, demand)

    def _run(self, request: Request, demand: Demand) -> Outcome:
        careful = False
        for _ in range(TRIES):
            walk = self._walk(request, demand, careful)
            edited = any(made.entry.records or made.entry.cuts for made in walk.made)
            if edited and not careful and violations(request, walk.state):
                careful = True
                continue
            entries = [made.entry for made in walk.made]
            outputs_made = [pair for one in walk.made for pair in one.outputs]
            if not entries or self.store.commit(self.namespace, _handed_over(walk.made)) == entries:
                self.reader.learn(outputs_made)
                self._states.put(walk.state.last, walk.state, walk.state.weight)
                return Outcome(walk.state, entries, entries[-1] if entries else walk.last, walk.side, walk.bill)
        raise StoreError(f"another process decided otherwise {TRIES} times in a row; call again")

    def settled(self, request: Request) -> State:
        """How the request is sent by what is on record alone."""
        return self._walk(request, Demand(Limits(), decides=False)).state

    def _walk(self, request: Request, demand: Demand, careful: bool = False) -> Walk:
        """The reduction: every message arrives, every decision on record is applied, the others are made.

        No new decision comes before one on record: what followed it was sent without. `careful` checks the
        provider's rules after each decision, so that only the one that breaks them makes no edits.
        """
        state, start, recorded = self._known(request)
        reach = lasting(request.names[max(start - 1, 0) :], recorded)
        walk = Walk(state, self._facts(request, demand), reach, last_signed(request))
        end = len(request.names)
        decided = max((request.index[name] for name in recorded), default=-1)
        if start > request.heads:
            self._apply(request, walk)
        metering = Metering(request, self.rules, self.rules.policy) if self.rules.policy else None
        for index in range(start, end):
            if metering:
                metering.settle(walk, index - 1)
            walk.state.arrive(request, index, self.rules.places)
            if metering:
                metering.weigh(walk, index, demand, decided)
            self._apply(request, walk)
            if decided < index < end - 1 and is_boundary(request, index) and walk.may_decide(request, demand):
                self._make(request, walk, index, demand, careful)
        if end > request.heads and walk.may_decide(request, demand) and self._unmet(request, walk, demand):
            self._make(request, walk, end - 1, demand, careful)
        walk.bill = metering.bill(walk, end - 1) if metering else None
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
        """Whether the end of the request needs a decision: none on record, or the caller asks for more.

        More is a tighter budget, a fold now, a short text for a result, or a fact whose line was folded before it
        was named.
        """
        if walk.state.entries == 0 or _new(walk.state, demand):
            return True
        if self._restorable(request, walk, demand):
            return True
        asked = due(request.frame_size + walk.state.total, 0, demand.limits, present=True)
        forced = demand.limits.force and not (walk.last and walk.last.forced)
        return asked is not None and (asked.hard or forced)

    def _restorable(self, request: Request, walk: Walk, demand: Demand) -> bool:
        """Whether a fact that nothing shows stands in what was cut."""
        draft = self._draft(request, walk.state, len(request.names) - 1, demand, walk.facts)
        return bool(draft.gate.lost(draft.original) or draft.gate.lost_in_notes())

    def _make(self, request: Request, walk: Walk, index: int, demand: Demand, careful: bool) -> None:
        """Make the decision after message `index`."""
        before = walk.state.copy() if careful else walk.state
        decision = self._decide(request, walk, index, demand, ())
        edited = decision.entry.records or decision.entry.cuts
        if careful and edited and (found := violations(request, walk.state)):
            walk.state = before
            walk.facts.forget()
            decision = self._decide(request, walk, index, demand, found)
        walk.made.append(decision)

    def _decide(
        self, request: Request, walk: Walk, index: int, demand: Demand, banned: Sequence[Finding]
    ) -> Decision:
        """One decision at the boundary after message `index`; the state advances by it."""
        state = walk.state
        present = index + 1 == len(request.names)
        seq, before = state.entries, request.frame_size + state.total
        draft = self._draft(request, state, index, demand, walk.facts)
        handed_over = _new(state, demand) if present else {}
        draft.writer, draft.asks, draft.summaries = self._writer, present, {**state.summaries, **handed_over}
        open_to_edits = not banned and index >= walk.signed
        reckons = self.rules.policy is not None and not demand.limits.own
        if open_to_edits:
            if present:
                draft.restore()
            ingest(draft, self.rules, demand.rates if reckons else None)
        ingested = len(draft.records)
        asked = due(draft.tokens, state.arrived, demand.limits, present=present)
        paying = Fold()
        if asked is not None and open_to_edits:
            fold(draft, asked, self.rules)
        elif open_to_edits and reckons and seq == 0:
            paying = pay(draft, self.rules)
        if asked is not None and asked.hard and present and draft.tokens > asked.limit:
            raise _over_budget(draft, self.rules, demand.limits)
        entry = Entry(
            boundary=state.last,
            root=request.root,
            at=walk.time(index, demand),
            trigger=asked.reason if asked else told(state.meter.weighed.fold if state.meter.weighed else Fold()),
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
            summaries=handed_over,
            tools=bool(request.frame.tools),
            structured=request.frame.structured,
            rates=demand.rates if self.rules.policy else None,
            observed=demand.observed if present else None,
            rent=paying.rent,
            price=paying.price,
            considered=considered(state, paying),
        )
        state.close(request, entry)
        walk.facts.forget()
        return self._decision(request, state, seq, entry, draft)

    @staticmethod
    def _facts(request: Request, demand: Demand) -> Visibility:
        messages = [one.message for one in request.parsed] if demand.facts else []
        return Visibility(request, wanted(demand.facts, messages))

    def _draft(self, request: Request, state: State, index: int, demand: Demand, facts: Visibility) -> Draft:
        guard = Guard(request, state, index, self.rules.places, self._ceiling, demand.pins, self.rules.task_stays)
        gate = Gate(request, state, index, facts)
        return Draft(request, state, index, guard, gate, self.reader.count, self._stored(request))

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

    def _decision(self, request: Request, state: State, seq: int, entry: Entry, draft: Draft) -> Decision:
        """All that a decision writes into the store; the outputs are those of this very moment."""
        told = (noted(request, at, draft.original(at), draft.call(at)) for at in draft.told.values())
        return Decision(
            scope=self.rules.preset,
            seq=seq,
            entry=entry,
            artifacts=(*artifacts(request, self._unstored(request, entry.records), entry.cuts, state), *told),
            outputs=tuple(outputs(request, entry.records, entry.cuts, state)),
        )

    def _unstored(self, request: Request, records: Sequence[Record]) -> list[Record]:
        """Those whose original the store has not got; of a message fed back some parts may be as they came."""
        fed_back = {record.message for record in records} & request.fed_back
        known = {one.handle for one in self.store.artifacts(self.namespace, list(fed_back))} if fed_back else set()
        return [record for record in records if record.handle not in known]


def _new(state: State, demand: Demand) -> dict[str, str]:
    """The short texts for results that this call hands over and none before did."""
    return {call: text for call, text in demand.summaries.items() if state.summaries.get(call) != text}


def _handed_over(made: list[Decision]) -> Iterator[Decision]:
    """The decisions one by one, let go as the store takes them: they hold every original that was cut."""
    made.reverse()
    while made:
        yield made.pop()


def _over_budget(draft: Draft, rules: Rules, limits: Limits) -> BudgetError:
    """The error that lists what is fixed and the smallest size."""
    factor = limits.factor
    fixed = [(place, ceil(tokens * factor), why) for place, tokens, why in fixed_parts(draft, rules) if tokens]
    return BudgetError(limits.budget or 0, ceil(draft.tokens * factor), fixed)
