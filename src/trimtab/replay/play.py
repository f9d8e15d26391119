"""One policy over the calls of one segment: what each request would have cost, and what it would have shown."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from trimtab.cache import Billed, Cache, Rule
from trimtab.prices import Card
from trimtab.replay.atoms import Need
from trimtab.replay.baselines.base import Policy
from trimtab.replay.figures import Figures, Sight
from trimtab.replay.segment import Segment, charge
from trimtab.replay.sent import Asked, Change, Sent
from trimtab.transcript import ToolResult

MISS_WRITTEN, MISS_OUTPUT = 1500, 150
"""Tokens that the extra call after a miss writes and answers, beside reading the context once more."""

RULES = {"marks": Rule.GOOD, "automatic": Rule.AUTOMATIC, "none": Rule.NONE}
"""The rule of each kind of caching, where marks stand well."""

ASKED_FOR = {"good": Rule.GOOD, "naive": Rule.MARKS, "none": Rule.NONE}
"""The rules that the user may ask for, whatever the model's own."""


class Played(Struct, kw_only=True):
    """A policy's figures on a segment. `tokens` and `dollars` are by call.

    `first_changed` is the message from which on each fold's request differs, by the number of its call.
    """

    policy: str
    figures: Figures
    tokens: list[int]
    dollars: list[float]
    first_changed: dict[int, int]


def play(policy: Policy, segment: Segment, needs: Sequence[Sequence[Need]], marks: str | None = None) -> Played:
    """Play a policy. `marks` are `good`, `naive` or `none`; without them each model's own cache, marked well."""
    sent, found = Sent(segment), Figures()
    done = Played(policy=policy.name, figures=found, tokens=[], dollars=[], first_changed={})
    caches: dict[str, Cache] = {}
    blind: list[tuple[Sight, Card]] = []
    changing = policy.play(segment, sent, needs)
    before = 0
    for number, (call, its) in enumerate(zip(segment.calls, needs, strict=True)):
        sent.arrive(call.stop)
        changes = next(changing)
        first = sent.change(changes)
        if first is not None and first < before:
            done.first_changed[number] = first
            found.folds += 1
            found.rewritten += sum(map(sent.message_tokens, range(first, before)))
        before = call.stop
        cache = caches.setdefault(call.card.model, cache_of(call.card, marks))
        blocks = sent.blocks()
        billed = cache.bill(blocks, call.at, (1, len(blocks)))
        paid = _pay(found, call.card, billed, call.output) + _pay_asked(found, call.card, changes)
        done.tokens.append(billed.tokens)
        done.dollars.append(paid)
        sights = ((found.literal, False), (found.grounded, True))
        blind += [(sight, call.card) for sight, tied in sights if not _look(sight, sent, its, grounded=tied)]
    for sight, card in blind:
        sight.misses += _miss(card, found.input / found.calls, marks)
    return done


def cache_of(card: Card, marks: str | None) -> Cache:
    """The cache of a model."""
    rule = RULES[card.cache.caching] if marks is None else ASKED_FOR[marks]
    return Cache(rule, card.cache.least, card.cache.lifetime)


def _pay(found: Figures, card: Card, billed: Billed, output: int) -> float:
    dollars = charge(card, **billed._asdict(), output=output)
    found.calls += 1
    found.read += billed.read
    found.written += billed.written
    found.uncached += billed.uncached
    found.output += output
    found.dollars += dollars
    found.over += billed.tokens > card.window
    found.peak = max(found.peak, billed.tokens)
    return dollars


def _pay_asked(found: Figures, card: Card, changes: Sequence[Change]) -> float:
    """What a policy's own model was paid."""
    asked = (one for one in changes if isinstance(one, Asked))
    paid = sum(charge(card, read=0, written=0, uncached=one.input, output=one.output) for one in asked)
    found.asked += paid
    found.dollars += paid
    return paid


def _miss(card: Card, context: float, marks: str | None) -> float:
    """One more call: the mean context read, a little written and answered."""
    context, caches = int(context), cache_of(card, marks).rule is not Rule.NONE
    read, uncached = (context, 0) if caches else (0, context)
    return charge(card, read=read, written=MISS_WRITTEN, uncached=uncached, output=MISS_OUTPUT)


def _look(sight: Sight, sent: Sent, needs: Sequence[Need], *, grounded: bool) -> bool:
    """Count what of the atoms is in sight; whether all are."""
    pairs = [(need, need.grounded if grounded else need.holders) for need in needs]
    pairs = [(need, holders) for need, holders in pairs if holders]
    hidden = [(need, holders) for need, holders in pairs if not sent.shows(need.text, holders)]
    sight.atoms += len(pairs)
    sight.visible += len(pairs) - len(hidden)
    sight.quotes += sum(need.quote for need, _ in pairs)
    sight.quotes_visible += sum(need.quote for need, _ in pairs) - sum(need.quote for need, _ in hidden)
    sight.old += sum(need.old for need, _ in pairs)
    sight.old_visible += sum(need.old for need, _ in pairs) - sum(need.old for need, _ in hidden)
    lost = [(need, holders) for need, holders in hidden if not any(sent.over[part].handle for part in holders)]
    sight.recoverable += len(pairs) - len(lost)
    sight.old_recoverable += sum(need.old for need, _ in pairs) - sum(need.old for need, _ in lost)
    sight.rerunnable += len(pairs) - sum(not _rerunnable(sent, holders) for _, holders in lost)
    sight.needing += bool(pairs)
    sight.intact += bool(pairs) and not hidden
    return not hidden


def _rerunnable(sent: Sent, holders: Sequence[int]) -> bool:
    """Whether the call behind one of these results is still sent as it was."""
    segment = sent.segment
    results = (part for part in holders if isinstance(segment.parts[part], ToolResult))
    return any(segment.caller.get(part, -1) not in {-1, *sent.over} for part in results)
