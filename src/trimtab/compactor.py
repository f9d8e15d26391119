"""The front of the library: a payload in, a smaller payload of the same kind out."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from time import time
from typing import Any

import msgspec
from msgspec import Struct

from trimtab.accounts import Basis, account
from trimtab.config import DEFAULT_STORE, load
from trimtab.engine import Engine, Outcome
from trimtab.errors import BudgetError, StoreError
from trimtab.facts import patterns
from trimtab.journal import Entry
from trimtab.memo import Memo
from trimtab.passes import Pass
from trimtab.presets import preset as rules_of
from trimtab.prices import Card, card
from trimtab.reader import Reader
from trimtab.recall import Recalled, recall
from trimtab.render import payload as render
from trimtab.report import Report
from trimtab.request import Request
from trimtab.state import State
from trimtab.stores import open_store
from trimtab.stores.base import Store
from trimtab.tokens import billed_input, counter_for, factor, family, plausible
from trimtab.transcript import JSON, Finding
from trimtab.triggers import Limits
from trimtab.undo import undo
from trimtab.walk import Demand

LOG = logging.getLogger("trimtab")
RENDERED_BYTES = 64_000_000
MOST_NOTES = 1000
"""Notes within notes that `undo` takes apart."""

HANDS_OFF = "hands-off"
"""The finding that says why a request was left alone."""


class Result(Struct, frozen=True):
    """What `compact` answers. `payload` is of the kind that came in, the very object when nothing changed.

    `headers` are HTTP headers that the payload needs (betas); empty unless a preset asks for some.
    """

    payload: Any
    report: Report
    changed: bool
    headers: dict[str, str] = {}


class Compactor:
    """Compacts requests. Thread-safe; one object serves many conversations.

    `model` is the model the requests are for, where they do not say. `budget` and `target` are tokens
    as the provider counts them: above `budget` a fold goes down to `target` (0.7 of it unless given).
    `facts` must stay visible, `pins` stay word for word: texts, or patterns after `re:`. `passes` run
    in the place of those of the preset. `store` is a path, "memory:", or None (nothing is kept, so
    only edits that lose nothing are made). `config` is a TOML file or its content (see `config.py`).

    Raises ConfigError and StoreError.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        preset: str | None = None,
        budget: int | None = None,
        target: int | None = None,
        facts: Sequence[str] = (),
        pins: Sequence[str] = (),
        passes: Sequence[Pass] | None = None,
        store: str | os.PathLike[str] | Store | None = DEFAULT_STORE,
        config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    ) -> None:
        given: dict[str, Any] = {"model": model, "preset": preset, "budget": budget, "target": target}
        given |= {"facts": tuple(facts) or None, "pins": tuple(pins) or None}
        self.settings = settings = load(given, config).settings
        rules = rules_of(settings.preset)
        self._rules = msgspec.structs.replace(
            rules,
            passes=tuple(passes) if passes is not None else rules.passes,
            protect_results=settings.protect_results,
            protect_turns=settings.protect_turns,
        )
        patterns((*settings.facts, *settings.pins))
        self.store = open_store(settings.store if store == DEFAULT_STORE else store)
        self.counter = counter_for(settings.model)
        self._reader = Reader(self.counter, self.store, settings.namespace)
        self._engine = Engine(self.store, settings.namespace, self._rules, self._reader)
        self._written: Memo[bytes] = Memo(RENDERED_BYTES)

    def compact(
        self,
        payload: Any,
        *,
        usage: object = None,
        at: float | None = None,
        force: bool = False,
        facts: Sequence[str] = (),
        pins: Sequence[str] = (),
        tools: JSON = None,
        system: JSON = None,
    ) -> Result:
        """The request made smaller where that is due: bytes, a dict or a list of messages, and the same comes out.

        `usage` is what the provider reported for the call before; `at` the time of this call in seconds
        (the clock otherwise). `force` folds now. `facts` and `pins` hold for this call, beside those of
        the compactor. `tools` and `system` are counted when the payload does not hold them.

        The caller's objects are never changed. When trimtab itself fails, the last good rendition of the
        known messages goes out with the new ones untouched, and `report.findings` says why.
        Raises WireError when this is not a request, BudgetError when the caller's budget cannot be met,
        ConfigError for a fact or a pin that is no pattern.
        """
        if self.settings.preset == "none":
            return self._passed_through(payload)
        request = self._reader.read(payload, self.settings.model, tools, system)
        if request.frame.hands_off:
            return self._left_alone(request)
        patterns((*facts, *pins))
        limits, findings = self._limits(request, force)
        demand = Demand(limits, (*self.settings.facts, *facts), (*self.settings.pins, *pins), at)
        try:
            if usage is not None:
                self._observe_previous(request, usage, at)
            outcome = self._engine.run(request, demand)
            sent, first = render(request, outcome.state, self._written)
        except BudgetError:
            raise
        except Exception as error:
            LOG.warning("nothing new was decided: %s: %s", type(error).__name__, error)
            return self._fallen_back(request, limits, findings, error)
        report = account(request, self._basis(request, limits), outcome, first, findings)
        return Result(sent, report, first is not None)

    async def acompact(self, payload: Any, **options: Any) -> Result:
        """`compact` in a thread, so that an event loop goes on meanwhile. Same options, same errors."""
        return await asyncio.to_thread(self.compact, payload, **options)

    def observe(self, result: Result, usage: object, at: float | None = None) -> None:
        """Learn from what the provider reported for a result: it corrects the factor from raw to billed tokens.

        `usage` is the provider's object or its JSON; missing, zero and impossible figures are ignored, and
        those of a request whose history the provider holds: they count more than was seen.
        """
        if any(finding.rule == HANDS_OFF for finding in result.report.findings):
            return
        self._learn(result.report.model, result.report.tokens_after, usage, at)

    def recall(self, handle: str, *, lines: str | None = None, grep: str | None = None) -> Recalled:
        """What was cut, whole, by lines ("40-80") or by pattern. Raises HandleError and StoreError."""
        return recall(self.store, self.settings.namespace, handle, lines, grep)

    def undo(self, payload: Any) -> Any:
        """The request as it was before trimtab edited it. Raises WireError and StoreError."""
        for _ in range(MOST_NOTES):  # what a note stood for may hold an earlier note
            request = self._reader.read(payload, self.settings.model)
            restored = undo(request, self.store, self.settings.namespace)
            if restored is payload:
                break
            payload = restored
        return payload

    def replay(self, payload: Any) -> Any:
        """The request as the journal alone sends it; nothing new is decided. Raises WireError and StoreError."""
        request = self._reader.read(payload, self.settings.model)
        return render(request, self._engine.settled(request), self._written)[0]

    def explain(self, payload: Any) -> list[Entry]:
        """Every decision on record for this conversation, in order. Raises WireError and StoreError."""
        request = self._reader.read(payload, self.settings.model)
        found = self.store.decisions(self.settings.namespace, self._rules.preset, request.names)
        return [entry for name in request.names for entry in found.get(name, [])]

    def _limits(self, request: Request, force: bool) -> tuple[Limits, list[Finding]]:
        """What this call allows, and what had to be assumed for it."""
        held, findings = self._card(request), []
        if held.assumed and self.settings.window is None:
            _warn_once(held.source)
            findings.append(Finding("assumed", "window", held.source, "set model= or window"))
        name = family(self.settings.model or request.frame.model)
        try:
            pairs = self.store.usage(self.settings.namespace, name)
        except StoreError:  # what it breaks besides is reported where it breaks
            pairs = []
        window = self.settings.window or held.window
        reserve = request.frame.max_output or 0
        limits = Limits(
            budget=self.settings.budget,
            target=self.settings.target,
            window=window - reserve if reserve < window else window,
            share=self.settings.window_share,
            results=self.settings.max_results,
            force=force,
            factor=factor(name, pairs),
        )
        return limits, findings

    def _card(self, request: Request) -> Card:
        return card(self.settings.model or request.frame.model)

    def _observe_previous(self, request: Request, usage: object, at: float | None) -> None:
        """Learn from the usage of the call before: the latest one on record in this conversation."""
        found = self.store.decisions(self.settings.namespace, self._rules.preset, request.names[:-1])
        latest = next((found[name] for name in reversed(request.names[:-1]) if name in found), None)
        if latest:
            self._learn(self.settings.model or request.frame.model, latest[-1].after, usage, at)

    def _learn(self, model: str | None, raw: int, usage: object, at: float | None) -> None:
        billed = billed_input(usage)
        if raw and billed is not None and plausible(billed, self.settings.window or card(model).window):
            try:
                self.store.note_usage(
                    self.settings.namespace, family(model), raw, billed, time() if at is None else at
                )
            except StoreError as error:
                LOG.warning("usage was not noted: %s", error)

    def _fallen_back(self, request: Request, limits: Limits, findings: list[Finding], error: Exception) -> Result:
        """Promise 3: what is on record is applied, the rest goes out as it came."""
        failed = Finding("failed", "compact", f"{type(error).__name__}: {error}", "nothing new was decided")
        try:
            state = self._engine.settled(request)
            sent, first = render(request, state, self._written)
        except Exception:
            state, sent, first = _as_given(request), request.body.payload, None
        basis = self._basis(request, limits)
        report = account(request, basis, Outcome(state, [], None), first, [*findings, failed])
        return Result(sent, msgspec.structs.replace(report, outcome="failed"), first is not None)

    def _left_alone(self, request: Request) -> Result:
        """What goes with a history that the provider holds is not touched: here stands only its newest end."""
        limits, findings = self._limits(request, force=False)
        findings.append(Finding(HANDS_OFF, "request", request.frame.hands_off, "send the whole history instead"))
        outcome = Outcome(_as_given(request), [], None)
        return Result(
            request.body.payload, account(request, self._basis(request, limits), outcome, None, findings), False
        )

    def _basis(self, request: Request, limits: Limits) -> Basis:
        held = self._card(request)
        source = "setting" if self.settings.window else held.source
        model = self.settings.model or request.frame.model
        return Basis(self._rules.preset, model, self.counter.name, limits, held, source)

    def _passed_through(self, payload: Any) -> Result:
        report = Report(
            outcome="nothing",
            wire="not read",
            model=self.settings.model,
            preset="none",
            trigger="the preset passes everything through",
            tokens_before=0,
            tokens_after=0,
            factor=1.0,
            counter="none",
            window=None,
            window_source="not read",
            dollars_saved=None,
            first_changed=None,
            edits=(),
            standing=0,
            decided=None,
        )
        return Result(payload, report, False)


def _as_given(request: Request) -> State:
    """The state that sends a request as it came."""
    return State(total=request.size - request.frame_size)


@lru_cache(maxsize=64)
def _warn_once(source: str) -> None:
    LOG.warning("%s", source)
