"""The front of the library: a payload in, a smaller payload of the same kind out."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

import msgspec
from msgspec import Struct

from trimtab.accounts import Basis, account, with_frame
from trimtab.calibration import Calibration
from trimtab.config import DEFAULT_STORE, load
from trimtab.edits import At
from trimtab.engine import Engine, Outcome
from trimtab.errors import BudgetError
from trimtab.facts import patterns
from trimtab.finders import ASK, check
from trimtab.frames import Frames
from trimtab.journal import Entry
from trimtab.keep import Note
from trimtab.memo import Memo
from trimtab.passes import Pass
from trimtab.presets import Preset, preset as preset_of
from trimtab.prices import adjusted, card
from trimtab.reader import Reader
from trimtab.recall import Asked, Recalled, conversation, recall
from trimtab.render import payload as render
from trimtab.report import Report
from trimtab.request import Request
from trimtab.search import MOST_HITS, Hit, search
from trimtab.state import State
from trimtab.stores import open_store
from trimtab.stores.base import Store
from trimtab.tokens import Given, counter_for
from trimtab.transcript import JSON, Finding
from trimtab.triggers import Limits
from trimtab.undo import undo
from trimtab.walk import Demand
from trimtab.writer import Writer

LOG = logging.getLogger("trimtab")
RENDERED_BYTES = 64_000_000
MOST_NOTES = 1000
"""Notes within notes that `undo` takes apart."""

PROTECTING = ("protect_results", "protect_turns")
"""Settings that hold over those of the preset where they are set."""

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
    in the place of those of the preset, folds by size alone. `writer` answers where a preset asks for a note.
    `store` is a path, "memory:", or None (nothing is kept, so only edits that lose nothing are made). `config` is
    a TOML file or its content (see `config.py`).
    `count_tokens` counts a text as the provider does; without it an exact tokenizer of OpenAI's counts.

    Raises ConfigError and StoreError.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        preset: str | Preset | None = None,
        budget: int | None = None,
        target: int | None = None,
        facts: Sequence[str] = (),
        pins: Sequence[str] = (),
        passes: Sequence[Pass] | None = None,
        writer: Writer | None = None,
        store: str | os.PathLike[str] | Store | None = DEFAULT_STORE,
        config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        count_tokens: Callable[[str], int] | None = None,
    ) -> None:
        named = preset if preset is None or isinstance(preset, str) else preset.name
        given: dict[str, Any] = {"model": model, "preset": named, "budget": budget, "target": target}
        given |= {"facts": tuple(facts) or None, "pins": tuple(pins) or None}
        held = load(given, config)
        self.settings = settings = held.settings
        set_here = {name: getattr(settings, name) for name in PROTECTING if held.origins[name] != "default"}
        if preset is None or isinstance(preset, str):
            preset = preset_of(settings.preset, settings.presets.get(settings.preset))
        rules = msgspec.structs.replace(preset.rules(), **set_here)
        if rules.policy is not None and "protect_results" in set_here:
            newest = msgspec.structs.replace(rules.policy, newest=settings.protect_results)
            rules = msgspec.structs.replace(rules, policy=newest)
        own = {} if passes is None else {"passes": tuple(passes), "policy": None}
        self._rules = msgspec.structs.replace(rules, **own)
        check(settings.facts)
        patterns(settings.pins)
        self.store = open_store(settings.store if store == DEFAULT_STORE else store)
        self.counter = counter_for(settings.model) if count_tokens is None else Given(count_tokens)
        self._reader = Reader(self.counter, self.store, settings.namespace)
        frames = [one for one in self._rules.frames if one.places <= self._rules.places]
        self._frames = Frames(frames, self._reader.count, self.store, settings.namespace)
        self._engine = Engine(self.store, settings.namespace, self._rules, self._reader, writer)
        self._calibration = Calibration(self.store, settings, self.counter)
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
        compact_summaries: Mapping[str, str] = {},
    ) -> Result:
        """The request made smaller where that is due: bytes, a dict or a list of messages, and the same comes out.

        `usage` is what the provider reported for the call before; `at` the time of this call in seconds
        (the clock otherwise). `force` folds now. `facts` and `pins` hold for this call, beside those of
        the compactor. `tools` and `system` are counted when the payload does not hold them.
        `compact_summaries` are short texts by call id that a preset may put in the place of results, now or in a
        later call of the conversation.

        The caller's objects are never changed. When trimtab itself fails, the last good rendition of the
        known messages goes out with the new ones untouched, and `report.findings` says why.
        Raises WireError when this is not a request, BudgetError when the caller's budget cannot be met,
        ConfigError for a fact or a pin that is no pattern.
        """
        if self.settings.preset == "none":
            return Result(payload, Report.untouched(self.settings.model), False)
        given = request = self._reader.read(payload, self.settings.model, tools, system)
        if request.frame.hands_off:
            return self._left_alone(request)
        check(facts)
        patterns(pins)
        demand_facts, demand_pins = (*self.settings.facts, *facts), (*self.settings.pins, *pins)
        framed = self._frames.shaped(
            given, [one for one in demand_facts if not one.startswith(ASK)] + [*demand_pins]
        )
        if framed.payload is not payload:
            request = self._reader.read(framed.payload, self.settings.model, tools, system)
        limits, findings = self._calibration.limits(request, self._rules.when, force=force)
        findings = [*framed.findings, *findings]
        demand = Demand(limits, demand_facts, demand_pins, at, summaries=compact_summaries)
        try:
            if usage is not None:
                self._observe_previous(request, usage, at)
            outcome = self._engine.run(request, self._priced(demand, request))
            sent, first = render(request, outcome.state, self._written)
            report = account(request, self._basis(request, limits), outcome, first, findings)
        except BudgetError:
            raise
        except Exception as error:
            LOG.warning("nothing new was decided: %s: %s", type(error).__name__, error)
            sent, report = self._fallen_back(request, limits, findings, error)
        return Result(sent, with_frame(report, framed.lines), sent is not payload, dict(framed.headers))

    async def acompact(self, payload: Any, **options: Any) -> Result:
        """`compact` in a thread, so that an event loop goes on meanwhile. Same options, same errors."""
        return await asyncio.to_thread(self.compact, payload, **options)

    def observe(self, result: Result, usage: object, at: float | None = None) -> None:
        """Learn from what the provider reported for a result: it corrects the factor from raw to billed tokens.

        What it tells of the cache holds for the next decision of the conversation, made by this object. `usage` is
        the provider's object or its JSON; missing, zero and impossible figures are ignored, and
        those of a request whose history the provider holds: they count more than was seen.
        """
        if any(finding.rule == HANDS_OFF for finding in result.report.findings):
            return
        report, names = result.report, self._reader.read(result.payload, self.settings.model).names
        self._calibration.learn(report.model, report.tokens_after, usage, at, names[-1] if names else b"")

    def recall(self, handle: str, *, whole: bool = False, payload: Any = None, **asked: Unpack[Asked]) -> Recalled:
        """What was cut, in pages, and only of the payload's conversation. See `recall.recall` and its `Asked`."""
        request = self._given(payload)
        return recall(self.store, self.settings.namespace, handle, asked, whole=whole, request=request)

    def search(self, text: str, payload: Any = None, *, limit: int = MOST_HITS) -> list[Hit]:
        """The lines that fit best in all that was cut from this request, or in the conversation used last."""
        return search(conversation(self.store, self.settings.namespace, self._given(payload)), text, limit)

    def undo(self, payload: Any) -> Any:
        """The request as it was before trimtab edited it. Raises WireError and StoreError."""
        for _ in range(MOST_NOTES):  # what a note stood for may hold an earlier note
            request = self._reader.read(payload, self.settings.model)
            restored = undo(request, self.store, self.settings.namespace)
            if restored is payload:
                return self._frames.unshaped(request)
            payload = restored
        return payload

    def replay(self, payload: Any) -> Any:
        """The request as the journal alone sends it; nothing new is decided. Raises WireError and StoreError."""
        framed = self._frames.shaped(self._reader.read(payload, self.settings.model), decides=False)
        request = self._reader.read(framed.payload, self.settings.model)
        return render(request, self._engine.settled(request), self._written)[0]

    def rehearse(
        self,
        payload: Any,
        times: Mapping[int, float] = {},
        *,
        unseen: int = 0,
        notes: Mapping[int, Mapping[At, tuple[Note, ...]]] = {},
    ) -> list[Entry]:
        """Every decision for the calls of a recorded conversation, as if each had been made at its time.

        `times` are seconds by the position of the message that a call followed, `unseen` the raw tokens of system
        and tools that the recording lacks, `notes` what the agent is supposed to say it keeps of results, by the
        position of its message. Nothing is sent, no writer is asked, and what is on record stays. Raises
        WireError, BudgetError and StoreError.
        """
        request = self._reader.read(payload, self.settings.model)
        size, frame_size = request.size + unseen, request.frame_size + unseen
        request = msgspec.structs.replace(request, size=size, frame_size=frame_size)
        limits, _ = self._calibration.limits(request, self._rules.when)
        at = times.get(len(request.names) - 1)
        demand = Demand(limits, self.settings.facts, self.settings.pins, at, times, notes=notes)
        return self._engine.run(request, self._priced(demand, request)).made

    def explain(self, payload: Any) -> list[Entry]:
        """Every decision on record for this conversation, in order. Raises WireError and StoreError."""
        request = self._reader.read(payload, self.settings.model)
        found = self.store.decisions(self.settings.namespace, self._rules.preset, request.names)
        return [entry for name in request.names for entry in found.get(name, [])]

    def _given(self, payload: Any) -> Request | None:
        """The request as it was before trimtab edited it."""
        return None if payload is None else self._reader.read(self.undo(payload), self.settings.model)

    def _priced(self, demand: Demand, request: Request) -> Demand:
        """The same with what the provider charges, and what it reported for the call before."""
        seen = self._calibration.observed(request)
        rates = self._calibration.rates(request, self._rules.policy, demand.limits.factor, seen)
        return msgspec.structs.replace(demand, rates=rates, observed=seen)

    def _observe_previous(self, request: Request, usage: object, at: float | None) -> None:
        """Learn from the usage of the call before: the latest one on record in this conversation."""
        found = self.store.decisions(self.settings.namespace, self._rules.preset, request.names[:-1])
        latest = next((found[name] for name in reversed(request.names[:-1]) if name in found), None)
        if latest:
            model, last = self.settings.model or request.frame.model, latest[-1]
            self._calibration.learn(model, last.after, usage, at, last.boundary)

    def _fallen_back(
        self, request: Request, limits: Limits, findings: list[Finding], error: Exception
    ) -> tuple[Any, Report]:
        """Promise 3: what is on record is applied, the rest goes out as it came."""
        failed = Finding("failed", "compact", f"{type(error).__name__}: {error}", "nothing new was decided")
        try:
            state = self._engine.settled(request)
            sent, first = render(request, state, self._written)
        except Exception:
            state, sent, first = _as_given(request), request.body.payload, None
        outcome = Outcome(state, [], None)
        report = account(request, self._basis(request, limits), outcome, first, [*findings, failed])
        return sent, msgspec.structs.replace(report, outcome="failed")

    def _left_alone(self, request: Request) -> Result:
        """What goes with a history that the provider holds is not touched: here stands only its newest end."""
        limits, findings = self._calibration.limits(request, self._rules.when)
        findings.append(Finding(HANDS_OFF, "request", request.frame.hands_off, "send the whole history instead"))
        outcome = Outcome(_as_given(request), [], None)
        return Result(
            request.body.payload, account(request, self._basis(request, limits), outcome, None, findings), False
        )

    def _basis(self, request: Request, limits: Limits) -> Basis:
        model = self.settings.model or request.frame.model
        held = adjusted(card(model), model, self.settings.models)
        source = "setting" if self.settings.window else held.source
        return Basis(self._rules.preset, model, self.counter.name, limits, held, source)


def _as_given(request: Request) -> State:
    """The state that sends a request as it came."""
    return State(total=request.size - request.frame_size)
