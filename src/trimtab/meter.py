"""The meter of a conversation: what each foldable part costs and may be needed for, call by call.

It is a part of the state: a function of the messages, of the times of the calls and of what was decided. The rule
is in `policy.py`; all money is in plain input tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace

from msgspec import Struct, structs

from trimtab.cache import LOOK_BACK
from trimtab.edits import At
from trimtab.observed import Observed
from trimtab.policy import AGAIN, SHOWS, Kind, Policy, need, recall_price
from trimtab.rates import Rates, cost


class Lot(Struct, frozen=True):
    """A part that may be folded. `size` are its tokens as it is sent, `before` those of the messages in front of
    it, `freed` those that go when it is folded one level further.

    `first` is the number of the call that sent it first, `used` that of the action that last used something of
    it. `names` are what actions may use of it, `rent` what keeping it has cost beyond its worth. Of a result,
    `shows` tells whether it shows a file; of its `lines` later results show some `again`. `noted`: the agent said
    what it keeps of it, so the rest is not needed. At the end of the last request before it, `entry` tokens and
    `block` parts of messages, the cache has an entry, which was used last at `read`, in seconds.
    """

    at: At
    kind: Kind
    size: int
    before: int
    freed: int
    first: int
    used: int
    names: Set[str]
    level: int = 0
    rent: float = 0.0
    shows: bool = False
    lines: Set[str] = frozenset()
    again: Set[str] = frozenset()
    noted: bool = False
    entry: int = 0
    block: int = 0
    read: float = float("-inf")


class Now(Struct, frozen=True):
    """A call about to be made: its time in seconds, the tokens of its frame, of its messages as they are sent and
    as they were given, the parts that no fold may touch yet, and the number of all parts."""

    at: float
    frame: int
    tokens: int
    whole: int
    closed: Set[At] = frozenset()
    blocks: int = 0


class Fold(Struct, frozen=True):
    """A fold: the parts that go a level down, in order, the tokens of messages that are still read in front of it,
    the rent it ends, its price, and the tokens it frees. It pays when `gain` is above 0, unless it is `barred`:
    the guard does not allow it."""

    parts: tuple[At, ...] = ()
    start: int = 0
    rent: float = 0.0
    price: float = 0.0
    freed: int = 0
    gain: float = 0.0
    barred: bool = False


class Weighed(Struct, frozen=True):
    """What was weighed at a call that is not settled yet: its time, the rates it was weighed by, the best fold."""

    at: float
    rates: Rates
    fold: Fold


class Bill(Struct, frozen=True):
    """What a call costs as it is sent and had nothing been folded, and of the first what writes anew what its own
    folds moved; the same for all calls of the conversation up to it, with their answers."""

    sent: float
    whole: float
    rewritten: float
    sent_so_far: float
    whole_so_far: float


@dataclass(slots=True)
class Meter:
    """`calls` made so far and the time of the `last`; `frame` are the tokens of its frame, `sent` and `whole`
    those of its messages as they were sent and as they were given, `blocks` the parts of these; `spent` and `kept`
    what both have cost.

    `cached` are the tokens that the provider said it holds of the last request (None: what the rates say), `paid`
    and `owed` what that call was taken to cost as sent and had nothing been folded, by these `rates`.

    `lots` stand in the order of the request. `said` are the names that others know as well; `seen` are the needs
    that actions had, `foretold` those that were expected. `upto` is the last message of the last call.
    """

    calls: int = 0
    last: float | None = None
    frame: int = 0
    sent: int = 0
    whole: int = 0
    blocks: int = 0
    spent: float = 0.0
    kept: float = 0.0
    cached: int | None = None
    paid: float = 0.0
    owed: float = 0.0
    rates: Rates = field(default_factory=Rates)
    lots: dict[At, Lot] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)
    seen: float = 0.0
    foretold: float = 0.0
    upto: bytes = b""
    weighed: Weighed | None = None

    def copy(self) -> Meter:
        """A copy that can go on while this one stays."""
        return replace(self, lots=dict(self.lots), said=set(self.said))

    def act(self, names: Set[str]) -> None:
        """An action used these names. A need was met by a part that alone held one of them."""
        holders: dict[str, list[Lot]] = {}
        for lot in list(self.lots.values()):
            if found := lot.names & names:
                self.lots[lot.at] = structs.replace(lot, used=self.calls)
                for name in found - self.said:
                    holders.setdefault(name, []).append(lot)
        self.seen += len({lots[0].at for lots in holders.values() if len(lots) == 1})
        self.said |= names

    def show(self, lines: Set[str]) -> None:
        """A new result shows these lines."""
        for lot in list(self.lots.values()):
            if found := lot.lines & lines:
                self.lots[lot.at] = structs.replace(lot, again=lot.again | found)

    def is_warm(self, at: float, frame: int, rates: Rates) -> bool:
        """Whether the last request is still in the provider's cache; another frame is another beginning."""
        if not rates.caches or self.last is None or self.frame != frame or frame + self.sent < rates.least:
            return False
        if self.cached == 0:
            return False
        return at - self.last <= rates.lifetime

    def weigh(self, policy: Policy, rates: Rates, now: Now) -> Fold:
        """Charge this call's rent, and find the fold that earns most of those that the guard allows; where none
        pays, the one that would without the guard."""
        best: Fold | None = None
        parts: list[At] = []
        barred, count = Fold(), 0
        for fold in self._folds(policy, rates, now, parts):
            if best is not None and fold.gain <= best.gain:
                continue
            if self._allows(fold, policy, rates, now):
                best, count = fold, len(parts)
            elif fold.gain > barred.gain:
                barred = structs.replace(fold, parts=tuple(reversed(parts)), barred=True)
        if best is None or best.gain <= 0 < barred.gain:
            return barred
        return structs.replace(best, parts=tuple(reversed(parts[:count])))

    def _folds(self, policy: Policy, rates: Rates, now: Now, parts: list[At]) -> Iterator[Fold]:
        """The folds from each start, the last one first; `parts` gathers what goes along.

        A fold takes every part from its start on that pays back soon, of a small request only what the agent is
        done with. What pays by this call alone gives the rent, what the agent is done with that of the next calls
        as well.
        """
        warm = self.is_warm(now.at, now.frame, rates)
        scale = (policy.inertia + self.seen) / (policy.inertia + self.foretold)
        worth = policy.care * scale * recall_price(rates, now.frame + now.tokens)
        small = now.frame + now.tokens < policy.floor
        rent, freed = 0.0, 0
        for lot in reversed(self.lots.values()):
            if lot.at in now.closed:
                continue
            age, since = self.calls - lot.first, self.calls - lot.used
            likely = 0.0 if lot.noted else need(lot.kind, lot.level, age, since, lot.size, _beside(lot))
            self.foretold += likely
            if (rates.read + rates.write / policy.soon) * lot.freed <= worth * likely:
                continue
            if (earned := rates.read * lot.freed - worth * likely) > 0:
                self.lots[lot.at] = lot = structs.replace(lot, rent=lot.rent + earned)
            if small and not lot.noted:
                continue
            parts.append(lot.at)
            freed += lot.freed
            if earned <= 0:
                continue
            rent += lot.rent + (policy.soon * earned if lot.noted else 0.0)
            start = self.stands(lot, rates, now)
            stays = max(self.held - freed - start, 0)
            price = (rates.write - rates.read) * stays if warm else 0.0
            yield Fold((), start, rent, price, freed, rent - price * policy.break_even)

    @staticmethod
    def stands(lot: Lot, rates: Rates, now: Now) -> int:
        """The tokens of messages in front of a part that are still read when it is sent otherwise.

        With naive marks those up to an entry that the last mark of the request still finds, else none.
        """
        if rates.good_marks:
            return lot.before
        found = now.blocks - lot.block <= LOOK_BACK and now.at - lot.read <= rates.lifetime
        return lot.entry if found else 0

    def bill(self, rates: Rates, now: Now, answered: int, first_changed: int | None) -> Bill:
        """What a call costs, the call before having been answered by so many tokens.

        `first_changed` are the tokens that are still read in front of the first part that the call before sent
        otherwise, None when there is none.
        """
        stands = self.held if first_changed is None else min(first_changed, self.held)
        ours, theirs = self._costs(rates, now, stands, now.tokens)
        stays = min(self.held, now.tokens - (now.whole - self.whole))
        broken = stays - stands if first_changed is not None and self.is_warm(now.at, now.frame, rates) else 0
        rewritten = (rates.write - rates.read) * max(broken, 0)
        answer = rates.output * answered
        return Bill(ours, theirs, rewritten, self.spent + answer + ours, self.kept + answer + theirs)

    def settle(self, rates: Rates, now: Now, answered: int, first_changed: int | None) -> None:
        """Account for a call as it was sent."""
        bill = self.bill(rates, now, answered, first_changed)
        self.spent, self.kept = bill.sent_so_far, bill.whole_so_far
        self.paid, self.owed, self.rates, self.cached = bill.sent, bill.whole, rates, None
        self.calls += 1
        self.last, self.frame, self.sent, self.whole = now.at, now.frame, now.tokens, now.whole

    @property
    def held(self) -> int:
        """The tokens of messages that the cache holds of the last request, if it is warm."""
        return self.sent if self.cached is None else max(min(self.sent, self.cached - self.frame), 0)

    def correct(self, seen: Observed) -> None:
        """Take what the provider reported for the last call, which wins over what the rates say.

        What was found cold would have been cold as well had nothing been folded.
        """
        tokens, rates = self.frame + self.sent, self.rates
        if seen.boundary != self.upto or not rates.caches or not tokens:
            return
        scale = tokens / seen.input
        read, self.cached = seen.read * scale, int(seen.cached * scale)
        paid = rates.read * read + rates.write * (self.cached - read) + rates.plain * (tokens - self.cached)
        self.spent += paid - self.paid
        if not seen.read:
            whole = self.frame + self.whole
            self.kept += (rates.write if self.cached else rates.plain) * whole - self.owed

    def _allows(self, fold: Fold, policy: Policy, rates: Rates, now: Now) -> bool:
        """The guard: with this fold the conversation costs at most so much more than one that is never folded,
        once `policy.grace` more calls have read what is then sent."""
        if policy.never_dearer_than is None:
            return True
        ours, theirs = self._costs(rates, now, min(fold.start, self.held), now.tokens - fold.freed)
        ahead = policy.grace * rates.read
        ours += self.spent + ahead * (now.frame + now.tokens - fold.freed)
        return ours <= (1 + policy.never_dearer_than) * (self.kept + theirs + ahead * (now.frame + now.whole))

    def _costs(self, rates: Rates, now: Now, stands: int, tokens: int) -> tuple[float, float]:
        """What this call costs when so many tokens of messages stand as they were, and when nothing was folded."""
        warm = self.is_warm(now.at, now.frame, rates)
        lost = self.sent - self.held
        ours = cost(rates, now.frame + stands if warm else 0, now.frame + tokens)
        return ours, cost(rates, now.frame + self.whole - lost if warm else 0, now.frame + now.whole)


def _beside(lot: Lot) -> float:
    """What beside age, use and size speaks for a part."""
    return AGAIN * len(lot.again) / max(len(lot.lines), 1) + SHOWS * lot.shows


def told(fold: Fold) -> str:
    """What was weighed at a call, in words."""
    if not fold.parts:
        return "no reason to fold"
    parts = f"{len(fold.parts)} part{'s' * (len(fold.parts) != 1)}"
    sums = f"rent of {parts} is {fold.rent:,.0f}, the price {fold.price:,.0f}"
    if fold.barred:
        return f"the conversation has not earned a fold yet: the {sums}"
    if fold.gain <= 0:
        return f"no reason to fold: the {sums}"
    return f"it pays: {fold.freed:,} tokens go; the {sums}"
