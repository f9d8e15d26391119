"""From raw counts to what a provider charges: the window and price of a model, and a factor that usage
corrects."""

from __future__ import annotations

import logging
from functools import lru_cache
from time import time

from trimtab.cache import LOOK_BACK
from trimtab.config import Settings
from trimtab.errors import StoreError
from trimtab.marks import Mark
from trimtab.memo import Memo
from trimtab.observed import Observed, observed
from trimtab.policy import Marks, Policy, rates
from trimtab.prices import Card, adjusted, card, patient
from trimtab.rates import Rates
from trimtab.reach import When
from trimtab.request import Request
from trimtab.stores.base import Store
from trimtab.tokens import Counter, Given, billed_input, factor, family, plausible
from trimtab.transcript import Finding
from trimtab.triggers import Limits

MOST_CALLS = 4_096
"""Calls of which it is remembered what was reported."""

MOST_BACK = 64
"""Messages that one exchange has at most, among which the call before is looked for."""

LOG = logging.getLogger("trimtab")


class Calibration:
    """What is known of models under these settings, kept in the store by model family."""

    def __init__(self, store: Store, settings: Settings, counter: Counter) -> None:
        self._store, self._settings, self._counter = store, settings, counter
        self._seen: Memo[Observed] = Memo(MOST_CALLS)

    def limits(self, request: Request, when: When | None, *, force: bool = False) -> tuple[Limits, list[Finding]]:
        """What this call allows, and what had to be assumed for it."""
        settings, findings = self._settings, list[Finding]()
        model = settings.model or request.frame.model
        held = self._card(model)
        if held.assumed and settings.window is None:
            _warn_once(held.source)
            findings.append(Finding("assumed", "window", held.source, "set model= or window"))
        try:
            pairs = self._store.usage(settings.namespace, self._family(model))
        except StoreError:  # what it breaks besides is reported where it breaks
            pairs = []
        window, reserve = settings.window or held.window, request.frame.max_output or 0
        limits = Limits(
            budget=settings.budget,
            target=settings.target,
            window=window - reserve if reserve < window else window,
            share=when.share if when else settings.window_share,
            results=when.results if when else settings.max_results,
            tokens=when.tokens if when else None,
            full=when is not None,
            force=force,
            factor=factor(self._family(model), pairs),
        )
        return limits, findings

    def rates(self, request: Request, policy: Policy | None, factor: float, seen: Observed | None = None) -> Rates:
        """What the model's provider charges for a request like this one, beside its plain price.

        What it reported for the call before tells of marks that are set after the request was seen here.
        """
        held = self._card(self._settings.model or request.frame.model)
        mark = request.mark or next((one.mark for one in reversed(request.parsed[-LOOK_BACK:]) if one.mark), "")
        mark = mark or (Mark.SHORT if seen and (seen.read or seen.written) else Mark.NONE)
        marks = _marks(held, mark, request) if policy is None or policy.marks is None else policy.marks
        return rates(patient(held) if mark == Mark.LONG else held, request.size, marks, factor)

    def learn(self, model: str | None, raw: int, usage: object, at: float | None, boundary: bytes) -> None:
        """Note what a provider billed for a request of `raw` tokens, made after the message `boundary`.

        Impossible figures are passed over. What it tells of the cache is kept until the next call.
        """
        if seen := observed(usage, boundary):
            self._seen.put(boundary, seen)
        billed = billed_input(usage)
        if raw and billed is not None and plausible(billed, self._settings.window or self._card(model).window):
            try:
                when = time() if at is None else at
                self._store.note_usage(self._settings.namespace, self._family(model), raw, billed, when)
            except StoreError as error:
                LOG.warning("usage was not noted: %s", error)

    def observed(self, request: Request) -> Observed | None:
        """What was reported of the cache for the latest call of this conversation."""
        latest = reversed(request.names[-MOST_BACK:-1])
        return next((seen for name in latest if (seen := self._seen.get(name)) is not None), None)

    def _card(self, model: str | None) -> Card:
        return adjusted(card(model), model, self._settings.models)

    def _family(self, model: str | None) -> str:
        """What figures are kept under: those of a caller's own count apart from those of the tokenizer."""
        return self._counter.name if isinstance(self._counter, Given) else family(model)


def _marks(held: Card, mark: str, request: Request) -> Marks:
    """Where the marks of a request stand; of a list of messages alone, which shows none, well."""
    if held.cache.caching == "marks":
        return Marks.NAIVE if mark else Marks.GOOD if request.bare else Marks.NONE
    return Marks.NONE if mark == Mark.ONLY else Marks.GOOD


@lru_cache(maxsize=64)
def _warn_once(source: str) -> None:
    LOG.warning("%s", source)
