"""How far a fold may reach: from old parts to the newest exchange, and what is fixed at any reach."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from msgspec import Struct

from trimtab.bindings import binds
from trimtab.draft import Draft
from trimtab.edits import At, Place, place_of
from trimtab.finders import FINDERS, Finder
from trimtab.passes import KeepLines, Pass
from trimtab.passes.base import FramePass
from trimtab.policy import Policy
from trimtab.recent import protected
from trimtab.state import SMALLEST
from trimtab.tool_levels import Level, level
from trimtab.transcript import Message, Reasoning, Text, ToolResult, is_turn


class When(Struct, frozen=True):
    """What makes a preset fold as far as it goes: more than `tokens`, a `share` of the window, or so many
    `results`."""

    tokens: int | None = None
    share: float | None = None
    results: int | None = None


class Rules(Struct, frozen=True):
    """What a preset sets: its passes in order, the places it declares, what it protects from folding.

    `protect_results` are the last results, `protect_turns` the last turns, that only a caller's budget opens.
    `finders` name facts that a fold keeps visible. `when` is the preset's own trigger, in the place of the
    settings' ones. Parts under `smallest` raw tokens are folded only for a budget. The first turn, the task,
    stays whole unless `task_stays` is off, the newest one unless `question_stays` is. `frames` shape tools,
    system and options. Results of `tools` at the level `keep` only a caller's budget opens. With a `policy` a fold
    also happens when it pays.
    """

    preset: str
    passes: tuple[Pass, ...]
    places: frozenset[Place]
    protect_results: int = 3
    protect_turns: int = 0
    finders: tuple[Finder, ...] = FINDERS
    when: When | None = None
    smallest: int = SMALLEST
    task_stays: bool = True
    question_stays: bool = True
    frames: tuple[FramePass, ...] = ()
    tools: Mapping[str, Level] = {}
    policy: Policy | None = None


class Reach(IntEnum):
    """Which parts a round of folding may touch; UNCUT are old ones that no fold has cut yet."""

    UNCUT = 0
    OLD = 1
    RECENT = 2
    NEWEST = 3


def bounds(draft: Draft, rules: Rules, reach: Reach) -> range:
    """The messages a fold may touch at this reach, by their positions."""
    state, index = draft.state, draft.request.index
    stop = draft.upto + 1
    if reach is not Reach.NEWEST:
        stop = index.get(state.newest, stop)
    if reach <= Reach.OLD:
        turns = state.turns[max(len(state.turns) - rules.protect_turns, 0) :]
        stop = min([stop, *(index[name] for name in turns if name in index)])
    return range(_bound_floor(draft) + 1, stop)


def spared_results(draft: Draft, rules: Rules) -> list[At]:
    """The last results, which only a caller's budget opens."""
    return protected(draft.request, draft.state, draft.upto, rules.protect_results)


def within(draft: Draft, rules: Rules, reach: Reach) -> list[At]:
    """The parts a fold may touch at this reach, oldest first."""
    state, index, where = draft.state, draft.request.index, bounds(draft, rules, reach)
    parts = [at for at in [*state.live, *state.fresh] if index.get(at.message, -1) in where]
    kept: set[At] = set()
    if reach is Reach.UNCUT:
        parts = [at for at in parts if state.is_whole(at)]
    if reach <= Reach.OLD:
        parts = [at for at in parts if at not in state.notes or not _keeps(rules)]
        kept = {*spared_results(draft, rules), *(at for at in parts if draft.size(at) < rules.smallest)}
        kept |= {at for at in parts if rules.tools and level(rules.tools, draft.call(at)) is Level.KEEP}
    if reach is Reach.NEWEST:
        older = bounds(draft, rules, Reach.RECENT)
        kept = {
            at for at in parts if index[at.message] not in older and not isinstance(draft.part(at), ToolResult)
        }
    spared = {*state.turns[:1], *state.turns[-1:]}
    return [
        at
        for at in parts
        if at not in kept
        and not (at.message in spared and isinstance(draft.part(at), Text))
        and not draft.pinned(at)
    ]


def noted(draft: Draft, rules: Rules) -> list[At]:
    """The old results of which the agent said what it keeps, where the preset heeds that."""
    state, where = draft.state, bounds(draft, rules, Reach.OLD)
    parts = [at for at in state.notes if draft.request.index.get(at.message, -1) in where] if _keeps(rules) else []
    return [at for at in parts if not draft.pinned(at) and state.by(at) != KeepLines.name]


def _keeps(rules: Rules) -> bool:
    """Whether notes of the agent say what stays of results."""
    return any(isinstance(one, KeepLines) for one in rules.passes)


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
