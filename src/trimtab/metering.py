"""How a state keeps its meter: what arrives, what an action used, what was sent at which size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from msgspec import structs

from trimtab.bindings import binds
from trimtab.edits import At, place_of
from trimtab.journal import Entry
from trimtab.keep import is_keep, kept
from trimtab.lots import MARKER, asked, foldable, level_of, shows_file, telling_lines
from trimtab.meter import Bill, Lot, Now, Weighed
from trimtab.policy import Kind, Policy
from trimtab.rates import Rates
from trimtab.reach import Rules
from trimtab.recent import protected
from trimtab.request import MESSAGE_TOKENS, Request, countable
from trimtab.state import State
from trimtab.tool_levels import Level, level
from trimtab.transcript import Role, ToolCall, ToolResult, is_turn
from trimtab.walk import Demand, Walk, is_boundary
from trimtab.words import named


class Spot(NamedTuple):
    """What stands in front of a part: tokens of messages; tokens and parts up to the end of the last request that
    ended before it; parts."""

    before: int
    entry: int
    block: int
    blocks: int


class Metering:
    """The meter of a request's state, kept under a policy."""

    def __init__(self, request: Request, rules: Rules, policy: Policy) -> None:
        self._request, self._rules, self._policy = request, rules, policy

    def weigh(self, walk: Walk, index: int, demand: Demand, decided: int) -> None:
        """Take in the message that has arrived; where a call follows it, find the fold that pays.

        What was decided is weighed as it was then. Of calls before message `decided` nothing else is known.
        """
        state, meter = walk.state, walk.state.meter
        self._use(state, index, demand)
        recorded = walk.recorded.get(state.last, ())
        follows = index + 1 < len(self._request.names) and is_boundary(self._request, index)
        ends = index + 1 == len(self._request.names) and walk.may_decide(self._request, demand)
        if not (recorded or follows or ends):
            return
        at, rates, tokens = walk.time(index, demand), demand.rates, self._request.frame_size + state.total
        if seen := recorded[0].observed if recorded else demand.observed if ends else None:
            meter.correct(seen)
        if recorded:
            at, rates, tokens = recorded[0].at, recorded[0].rates or rates, recorded[0].tokens
        elif index < decided:
            at = at if meter.last is None else meter.last
        whole = meter.whole + sum(self._request.parsed[n].size for n in self._fresh(state, index))
        blocks = meter.blocks + self._blocks(self._fresh(state, index))
        now = Now(at, tokens - state.total, state.total, whole, self._closed(state, index), blocks)
        meter.weighed = Weighed(at, rates, meter.weigh(self._policy, rates, now))

    def _use(self, state: State, index: int, demand: Demand) -> None:
        message, said = self._request.parsed[index].message, demand.notes.get(index, {})
        state.notes.update(said)
        if message.role is Role.ASSISTANT:
            calls = [part for part in message.parts if isinstance(part, ToolCall)]
            used = {name for call in calls if not is_keep(call) for name in asked(call)}
            if used:
                state.meter.act(used)
            if said or any(map(is_keep, calls)):
                self._note(state)

    def _note(self, state: State) -> None:
        """Of what is noted all but the lines that the agent keeps is free to go."""
        for at, notes in state.notes.items():
            if (lot := state.meter.lots.get(at)) is not None and lot.level == 0:
                text = state.text(self._request, at)
                stays = len(kept(text, notes, "")) / max(len(text), 1)
                freed = int(lot.size * (1 - stays)) - MARKER
                state.meter.lots[at] = structs.replace(lot, noted=True, freed=freed)

    def settle(self, walk: Walk, index: int) -> None:
        """Account for the call after a message, and measure what may be folded from now on."""
        state, meter = walk.state, walk.state.meter
        if meter.weighed is None:
            return
        at, rates, fold = meter.weighed.at, meter.weighed.rates, meter.weighed.fold
        meter.weighed, entries = None, walk.entries
        fresh = self._fresh(state, index)
        changed = self._first_changed(entries, fresh.start)
        self._touch_bases(state, entries)
        self._show(state, fresh)
        stuck = set(fold.parts) if any(entry.rent for entry in entries) else set()
        whole = meter.whole + sum(self._request.parsed[n].size for n in fresh)
        blocks = meter.blocks + self._blocks(fresh)
        start = self._stands(state, changed, rates, Now(at, 0, 0, 0, blocks=blocks))
        before = self._measure(state, fresh, changed, stuck, at)
        start = before if rates.good_marks else start
        meter.blocks = blocks
        frame = entries[-1].after - state.total if entries else meter.frame or self._request.frame_size
        meter.settle(rates, Now(at, frame, state.total, whole), self._answered(fresh), start)
        meter.upto = self._request.names[index]

    def bill(self, walk: Walk, index: int) -> Bill | None:
        """What the call after a message costs, None where none was weighed there.

        A part that no fold may touch and that is sent otherwise all the same counts as the very first one.
        """
        state, meter = walk.state, walk.state.meter
        if meter.weighed is None:
            return None
        fresh = self._fresh(state, index)
        whole = meter.whole + sum(self._request.parsed[n].size for n in fresh)
        blocks = meter.blocks + self._blocks(fresh)
        now = Now(meter.weighed.at, self._request.frame_size, state.total, whole, blocks=blocks)
        start = self._stands(state, self._first_changed(walk.entries, fresh.start), meter.weighed.rates, now)
        return meter.bill(meter.weighed.rates, now, self._answered(fresh), start)

    def _stands(self, state: State, changed: tuple[int, int] | None, rates: Rates, now: Now) -> int | None:
        """The tokens that are still read in front of the first part that was changed, None where none was."""
        if changed is None:
            return None
        lot = state.meter.lots.get(At(self._request.names[changed[0]], changed[1]))
        return state.meter.stands(lot, rates, now) if lot else 0

    def _blocks(self, fresh: range) -> int:
        """The parts of these messages."""
        return sum(len(self._request.parsed[n].message.parts) for n in fresh)

    def _answered(self, fresh: range) -> int:
        """The tokens of the answer to the call before."""
        new = (self._request.parsed[n] for n in fresh)
        return sum(one.size for one in new if one.message.role is Role.ASSISTANT)

    def _measure(
        self, state: State, fresh: range, changed: tuple[int, int] | None, stuck: Set[At], now: float
    ) -> int | None:
        """Take in new lots, and look at all again from the start where something else changed.

        Answers the tokens in front of that change. What was to go down and did not is no lot any more.
        """
        meter, old, found = state.meter, state.meter.lots, None
        first, before = (fresh.start, meter.sent) if changed is None else (self._request.heads, 0)
        if changed is not None:
            meter.lots = {}
        blocks = meter.blocks if changed is None else 0
        for place, at, spot in self._parts(state, range(first, fresh.stop), Spot(before, before, blocks, blocks)):
            if changed is not None and found is None and (place, at.part) >= changed:
                found = spot.before
            lot = self._lot(state, place, at, spot, old.get(at), now)
            if lot is None:
                meter.said |= named(state.text(self._request, at)) if place in fresh else set()
            elif at not in stuck or lot.level > old[at].level:
                meter.lots[at] = lot
        return found

    def _show(self, state: State, fresh: range) -> None:
        """Which lines of earlier results new ones show again."""
        for message in (self._request.parsed[n].message for n in fresh):
            for part in message.parts:
                if isinstance(part, ToolResult):
                    state.meter.show(telling_lines(part.text))

    def _fresh(self, state: State, index: int) -> range:
        """The messages that have come since the call before."""
        last = self._request.index.get(state.meter.upto, self._request.heads - 1)
        return range(last + 1, index + 1)

    def _closed(self, state: State, index: int) -> frozenset[At]:
        """Lots that no fold may touch: of the newest exchange, and what bound thinking stands on."""
        places = self._request.index
        newest, floor = places.get(state.newest, index + 1), -1
        if binds(self._request.frame.model) and not is_turn(self._request.parsed[index].message):
            floor = max((places[at.message] for at in state.bound if at.message in places), default=-1)
        kept = set(protected(self._request, state, index, self._policy.newest))
        return frozenset(
            at
            for at in state.meter.lots
            if at in kept or not floor < places.get(at.message, newest) < newest or self._is_kept(state, at)
        )

    def _is_kept(self, state: State, at: At) -> bool:
        """Whether the preset leaves results of this tool whole."""
        tools = self._rules.tools
        return bool(tools) and level(tools, state.answered(self._request, at)) is not Level.FOLD

    def _first_changed(self, entries: Sequence[Entry], fresh: int) -> tuple[int, int] | None:
        """The first part that was sent before and is sent otherwise from here on, as message and part."""
        places = self._request.index
        records = [(places[r.message], r.index) for e in entries for r in e.records if r.message in places]
        cuts = [(where.start, 0) for e in entries for cut in e.cuts if (where := self._request.where(cut))]
        return min((one for one in [*records, *cuts] if one[0] < fresh), default=None)

    def _parts(self, state: State, where: range, start: Spot) -> Iterator[tuple[int, At, Spot]]:
        """Each part of these messages that is sent: its message, its address, what stands in front of it."""
        before, entry, block, blocks = start
        noted = {n: cut for cut in state.cuts.values() for n in self._request.where(cut)}
        for place in where:
            if place in noted:
                before += noted[place].size if noted.get(place - 1) is not noted[place] else 0
                continue
            if place > self._request.heads and is_boundary(self._request, place - 1):
                entry, block = before, blocks
            before += MESSAGE_TOKENS
            for number in range(len(self._request.parsed[place].message.parts)):
                at = At(self._request.names[place], number)
                yield place, at, Spot(before, entry, block, blocks)
                before += state.size(self._request, at)
                blocks += 1

    def _lot(self, state: State, place: int, at: At, spot: Spot, old: Lot | None, now: float) -> Lot | None:
        """The part as a lot, None when there is nothing to fold."""
        given, size = self._request.parsed[place].message, state.size(self._request, at)
        if size < self._policy.smallest or place_of(given, given.parts[at.part]) not in self._rules.places:
            return None
        level = level_of(state, at)
        if old is not None and (old.size, old.level) == (size, level):
            return structs.replace(old, before=spot.before, entry=spot.entry, block=spot.block)
        part = state.part(self._request, at)
        kind, freed = foldable(part, size, level)
        if kind is None or freed <= 0:
            return None
        calls = state.meter.calls
        first, used = (old.first, old.used) if old else (calls, calls)
        lot = Lot(at, kind, size, spot.before, freed, first, used, named(countable(part)), level)
        lot = structs.replace(lot, entry=spot.entry, block=spot.block, read=old.read if old else now)
        if old is not None:
            return structs.replace(lot, shows=old.shows, lines=old.lines, again=old.again)
        call = state.answered(self._request, at)
        if call is None or kind is not Kind.RESULT:
            return lot
        return structs.replace(lot, shows=shows_file(call), lines=telling_lines(countable(part)))

    @staticmethod
    def _touch_bases(state: State, entries: Sequence[Entry]) -> None:
        """What a new result points to was used now."""
        lots = state.meter.lots
        for base in (At(*record.base) for entry in entries for record in entry.records if record.base):
            if base in lots:
                lots[base] = structs.replace(lots[base], used=state.meter.calls)
