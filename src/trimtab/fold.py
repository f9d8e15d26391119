"""How far a fold reaches: from old parts to the newest exchange, and what goes along with it."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from trimtab.bindings import binds
from trimtab.draft import Draft
from trimtab.edits import At, Drop, Place, place_of
from trimtab.passes import Pass, ShortenOutputs, Stage
from trimtab.state import SMALLEST, TINY, is_turn
from trimtab.transcript import Message, Reasoning, Text, ToolResult
from trimtab.triggers import Due

EXCERPTS = (1000, 400, 150, 60)
"""Tokens kept of each result of the newest exchange, tried in turn, when a budget cannot be met otherwise."""

PROGRESS = 0.25
"""A fold that nobody asked for must have this share of its goal in reach, or the cut would creep on each call."""


class Rules(Struct, frozen=True):
    """What a preset sets: its passes in order, the places it declares, what it protects from folding.

    `protect_results` are the last results, `protect_turns` the last turns, that only a caller's budget opens.
    """

    preset: str
    passes: tuple[Pass, ...]
    places: frozenset[Place]
    protect_results: int = 3
    protect_turns: int = 0


class Reach(IntEnum):
    """Which parts a round of folding may touch."""

    OLD = 0
    RECENT = 1
    NEWEST = 2


def ingest(draft: Draft, rules: Rules) -> None:
    """Run the ingest passes over what was never sent."""
    for one in rules.passes:
        if one.stage is Stage.INGEST:
            draft.run(one, [at for at in draft.state.fresh if not draft.pinned(at)])


def fold(draft: Draft, asked: Due, rules: Rules) -> None:
    """Run the fold passes until the target is met; only a caller's budget reaches beyond old parts."""
    draft.target = asked.target
    goal, old = draft.excess, within(draft, rules, Reach.OLD)
    if not asked.urged and sum(map(draft.size, old)) < goal * PROGRESS:
        draft.note("target-missed", f"{goal:,} tokens over the target, but too little of it may be cut")
        return
    _round(draft, rules, Reach.OLD)
    if asked.hard and draft.tokens > asked.limit:
        _round(draft, rules, Reach.RECENT)
    if asked.hard and draft.tokens > asked.limit:
        draft.target = asked.limit
        _excerpt_newest(draft, rules)
    if draft.tokens > asked.target:
        draft.note("target-missed", f"{draft.tokens - asked.target:,} tokens over the target remain")
    _drop_bound_thinking(draft)


def _round(draft: Draft, rules: Rules, reach: Reach) -> None:
    """Run every fold pass; parts that could not shed enough are not looked at again."""
    parts, where = within(draft, rules, reach), bounds(draft, rules, reach)
    spared = protected(draft, rules) if reach is Reach.OLD else []
    draft.reach = range(where.start, min([where.stop, *(draft.request.index[at.message] for at in spared)]))
    for one in rules.passes:
        if one.stage is Stage.FOLD:
            open_parts = [at for at in parts if draft.size(at) >= TINY and draft.state.by(at) != one.name]
            draft.run(one, open_parts)
    if draft.excess > 0:
        draft.spent.update(dict.fromkeys(at for at in parts if at not in draft.denied))


def _excerpt_newest(draft: Draft, rules: Rules) -> None:
    """Excerpt the results of the newest exchange, smaller and smaller until the budget is met."""
    if Place.RESULTS not in rules.places:
        return
    for keep in EXCERPTS:
        parts = [at for at in within(draft, rules, Reach.NEWEST) if isinstance(draft.part(at), ToolResult)]
        draft.run(ShortenOutputs(keep=keep), parts)
        if draft.excess <= 0:
            break
    draft.note("newest-cut", "the budget could not be met otherwise: results of the newest exchange are excerpts")


def bounds(draft: Draft, rules: Rules, reach: Reach) -> range:
    """The messages a fold may touch at this reach, by their positions."""
    state, index = draft.state, draft.request.index
    stop = draft.upto + 1
    if reach is not Reach.NEWEST:
        stop = index.get(state.newest, stop)
    if reach is Reach.OLD:
        turns = state.turns[max(len(state.turns) - rules.protect_turns, 0) :]
        stop = min([stop, *(index[name] for name in turns if name in index)])
    return range(_bound_floor(draft) + 1, stop)


def protected(draft: Draft, rules: Rules) -> list[At]:
    """The last results, which only a caller's budget opens."""
    parts = (at for at in [*draft.state.live, *draft.state.fresh] if at.message in draft.request.index)
    results = [at for at in parts if isinstance(draft.part(at), ToolResult)]
    return results[max(len(results) - rules.protect_results, 0) :]


def within(draft: Draft, rules: Rules, reach: Reach) -> list[At]:
    """The parts a fold may touch at this reach, oldest first."""
    state, index, where = draft.state, draft.request.index, bounds(draft, rules, reach)
    parts = [at for at in [*state.live, *state.fresh] if index.get(at.message, -1) in where]
    kept: set[At] = set()
    if reach is Reach.OLD:
        kept = {*protected(draft, rules), *(at for at in parts if draft.size(at) < SMALLEST)}
    spared = {*state.turns[:1], *state.turns[-1:]}
    return [
        at
        for at in parts
        if at not in kept
        and not (at.message in spared and isinstance(draft.part(at), Text))
        and not draft.pinned(at)
    ]


def _bound_floor(draft: Draft) -> int:
    """The last message whose signed thinking must stay valid; nothing before it may change (A5).

    When a real user message has just come no exchange is open: thinking may then go as a whole (way b),
    but for what is pinned, and for messages that are nothing else.
    """
    if not binds(draft.request.frame.model):
        return -1
    index, bound = draft.request.index, draft.state.bound
    if is_turn(draft.request.parsed[draft.upto].message):
        bound = [at for at in bound if draft.pinned(at) or _is_all_reasoning(draft.message(at))]
    return max((index[at.message] for at in bound if at.message in index), default=-1)


def _is_all_reasoning(message: Message) -> bool:
    return all(isinstance(part, Reasoning) for part in message.parts)


def _drop_bound_thinking(draft: Draft) -> None:
    """Drop all signed thinking after the first edit, since its signatures no longer hold."""
    index = draft.request.index
    if not binds(draft.request.frame.model) or not (draft.records or draft.cuts):
        return
    cuts = [(draft.request.where(cut).start, 0) for cut in draft.cuts]
    first = min([*cuts, *((index[at.message], at.part) for at in draft.records)])
    for at in list(draft.state.bound):
        if at.message in index and (index[at.message], at.part) > first:
            draft.drop(Drop(at, "its signature is bound to what was cut"), "thinking binding")


def fixed_parts(draft: Draft, rules: Rules) -> list[tuple[str, int, str]]:
    """What may not be cut, largest first: place, raw tokens, why."""
    request, state = draft.request, draft.state
    hidden = {index for cut in state.cuts.values() for index in request.where(cut)}
    heads = sum(one.size for one in request.parsed[: request.heads])
    found = [
        (f"messages[{index}] part {at.part}", state.size(request, at), _why(draft, rules, at))
        for index, name in enumerate(request.names)
        if index not in hidden
        for at in (At(name, number) for number in range(len(request.parsed[index].message.parts)))
    ]
    return sorted(
        [("system and tools", request.frame_size - heads, "sent as they are"), *found], key=lambda one: -one[1]
    )


def _why(draft: Draft, rules: Rules, at: At) -> str:
    part, message = draft.part(at), draft.message(at)
    if draft.pinned(at):
        return "pinned"
    place = place_of(message, part)
    if place in rules.places:
        return "as small as it gets"
    return f"{place} stays" if place is not None else "kept whole"
