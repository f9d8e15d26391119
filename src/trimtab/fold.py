"""One decision's folding: rounds of passes, each reaching further, until the target is met."""

from __future__ import annotations

from collections.abc import Sequence

from trimtab.bindings import binds
from trimtab.draft import Draft
from trimtab.edits import Drop, Place
from trimtab.finders import found
from trimtab.journal import Considered
from trimtab.meter import Fold
from trimtab.passes import DigestResults, FoldArguments, FoldMedia, FoldResults, KeepLines, Pass, Stage
from trimtab.rates import Rates
from trimtab.reach import Reach, Rules, bounds, noted, spared_results, within
from trimtab.state import TINY, State
from trimtab.triggers import Due
from trimtab.visibility import Visibility

LEVELS: tuple[tuple[Pass, ...], ...] = ((DigestResults(), FoldMedia(), FoldArguments()), (FoldResults(),))
"""How parts go down from each level: results first to a digest, then to a line."""

PROGRESS = 0.25
"""A fold that nobody asked for must have this share of its goal in reach, or the cut would creep on each call."""

EXCERPT, MARKER = 0.15, 30
"""A budget opens recent parts when old ones could not keep this share of themselves, and the newest exchange when
all others could not even keep so many tokens each."""

SURELY = 1.1
"""Times the least cacheable length from which on a request is taken to be cached: counts are estimates."""

MISSED = 50
"""Tokens by which a budget may be missed because tokens of excerpts were foretold; another round meets it."""


def ingest(draft: Draft, rules: Rules, rates: Rates | None) -> None:
    """Run the ingest passes over what was never sent.

    By the `rates`, below the length that the provider caches at all what they did is taken back: it would put off
    the call from which on everything is read for a fraction. Unless what is left costs less than that.
    """
    before = draft.tokens
    for one in rules.passes:
        if one.stage is Stage.INGEST:
            draft.run(one, [at for at in draft.state.fresh if not draft.pinned(at)])
    if rates and rates.caches and rates.read * before < draft.tokens < rates.least * SURELY:
        draft.take_back(draft.state.fresh)


def fold(draft: Draft, asked: Due, rules: Rules) -> None:
    """Fold until the target is met; only a caller's budget reaches beyond old parts."""
    draft.target = asked.target
    goal, old = draft.excess, within(draft, rules, Reach.OLD)
    if not asked.urged and sum(map(draft.size, old)) < goal * PROGRESS:
        draft.note("target-missed", f"{goal:,} tokens over the target, but too little of it may be cut")
        return
    _find_facts(draft, rules)
    draft.run(KeepLines(), noted(draft, rules))
    if asked.hard:
        _fit(draft, asked, rules)
    else:
        _round(draft, rules, Reach.OLD, [one for one in rules.passes if one.stage is Stage.FOLD])
    if draft.tokens > asked.target > 0:
        draft.note("target-missed", f"{draft.tokens - asked.target:,} tokens over the target remain")
    _drop_bound_thinking(draft)


def pay(draft: Draft, rules: Rules) -> Fold:
    """Carry out the fold that pays, if one does: each of its parts goes one level down. What was carried out."""
    weighed = draft.state.meter.weighed
    if weighed is None or weighed.fold.barred or weighed.fold.gain <= 0:
        return Fold()
    fold = weighed.fold
    draft.target = 0
    _find_facts(draft, rules)
    draft.reach = range(0)
    lots = draft.state.meter.lots
    for level, passes in enumerate(LEVELS):
        parts = [at for at in fold.parts if lots[at].level == level and not draft.pinned(at)]
        draft.run(KeepLines(), [at for at in parts if lots[at].noted])
        for one in passes:
            draft.run(one, [at for at in parts if not lots[at].noted])
    _drop_bound_thinking(draft)
    return fold


def considered(state: State, paying: Fold) -> Considered | None:
    """The best fold that was weighed here, None where there was none."""
    fold = state.meter.weighed.fold if state.meter.weighed else None
    if fold is None or not fold.parts:
        return None
    first, done = fold.parts[0].message, bool(paying.parts)
    return Considered(len(fold.parts), first, fold.freed, fold.rent, fold.price, done)


def _find_facts(draft: Draft, rules: Rules) -> None:
    """Let the preset's finders say what should stay visible in this decision."""
    messages = [message for _, message in draft.sent]
    firm = draft.gate.shown.facts
    draft.gate.shown = Visibility(draft.request, [*firm, *found(messages, rules.finders)])


def _fit(draft: Draft, asked: Due, rules: Rules) -> None:
    """Meet a caller's budget: one choice over all that is in reach, the reach as short as can be."""
    fits = [one for one in rules.passes if one.stage is Stage.BUDGET]
    covered = {place for one in fits for place in one.places}
    folds = [one for one in rules.passes if one.stage is Stage.FOLD and not one.places <= covered]
    least, target = _least_reach(draft, asked, rules)
    rounds = [*list(Reach)[least:], Reach.NEWEST]
    for number, reach in enumerate(rounds):
        if number == len(rounds) - 1 and draft.tokens - asked.limit > MISSED:
            return
        draft.gate.firm_only = reach > Reach.OLD
        draft.target = asked.limit if reach is Reach.NEWEST else target
        _round(draft, rules, reach, [*folds, *fits])
        if reach is Reach.NEWEST:
            draft.note("newest-cut", "the budget could not be met otherwise: newest results are cut")
        if draft.tokens <= asked.limit:
            return


def _least_reach(draft: Draft, asked: Due, rules: Rules) -> tuple[Reach, int]:
    """The shortest reach at which what is kept of its parts is worth keeping, and how far down to go there.

    Only where not even bare markers of recent parts meet the budget is the newest exchange opened; where what
    users say may be cut, messages may give way to notes, and no marker of each stays.
    """
    for reach in (Reach.UNCUT, Reach.OLD, Reach.RECENT):
        if _can_shed(draft, rules, reach, EXCERPT) >= draft.tokens - asked.target:
            return reach, asked.target
    if max(_can_shed(draft, rules, Reach.RECENT, 0.0), _can_gather(draft, rules)) >= draft.tokens - asked.limit:
        return Reach.RECENT, asked.target
    return Reach.NEWEST, asked.limit


def _can_shed(draft: Draft, rules: Rules, reach: Reach, share: float) -> int:
    """Tokens that go when each part in reach keeps this share of itself and a marker."""
    sizes = (draft.size(at) for at in within(draft, rules, reach))
    return sum(max(size - int(size * share) - MARKER, 0) for size in sizes)


def _can_gather(draft: Draft, rules: Rules) -> int:
    """Tokens that go when all messages but the newest exchange give way to notes, where a preset may do that."""
    if Place.USER_TEXT not in rules.places:
        return 0
    return draft.state.span_size(draft.request, bounds(draft, rules, Reach.RECENT))


def _round(draft: Draft, rules: Rules, reach: Reach, passes: Sequence[Pass]) -> None:
    """Run these passes; of what could not shed enough no later fold is tried again.

    Budgets, and presets that go as far as they can, are the exception: what they left may be due another time.
    """
    parts, where = within(draft, rules, reach), bounds(draft, rules, reach)
    spared = spared_results(draft, rules) if reach <= Reach.OLD else []
    draft.spared = draft.state.turns[-1:] if rules.question_stays else ()
    draft.reach = range(where.start, min([where.stop, *(draft.request.index[at.message] for at in spared)]))
    for one in passes:
        again = one.stage is Stage.BUDGET
        draft.run(
            one, [at for at in parts if draft.size(at) >= TINY and (again or draft.state.by(at) != one.name)]
        )
    if draft.excess > 0 and draft.target > 0 and not any(one.stage is Stage.BUDGET for one in passes):
        draft.spent.update(dict.fromkeys(at for at in parts if at not in draft.denied))


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
