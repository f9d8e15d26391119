"""What happened in one call: tokens, dollars, every edit with its reason, what was refused."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from trimtab.transcript import Finding


class EditLine(Struct, frozen=True):
    """One edit for the eye: what was cut where, by which pass and why. Tokens are raw counts."""

    place: str
    what: str
    by: str
    reason: str
    loss: str
    saved: int
    handle: str


class CutCall(Struct, frozen=True):
    """A call whose result no longer goes out whole: its id in the transcript ("" where the wire has none), its
    tool, and its `calls.call_key` ("" for arguments that have none).
    """

    id: str
    name: str
    key: str


class Cost(Struct, frozen=True):
    """Dollars by the model's price card, cached reads and writes included: what this call is expected to cost as
    `sent`, what the `whole` request would have cost, and how much of the first writes anew what was cached until
    this call's folds moved it; the same for all calls of the conversation up to this one, with their answers."""

    sent: float
    whole: float
    rewritten: float
    sent_so_far: float
    whole_so_far: float

    @property
    def saved(self) -> float:
        """Dollars that compaction has saved so far, net of the cache it broke; below 0 where it cost more."""
        return self.whole_so_far - self.sent_so_far

    def __str__(self) -> str:
        broken = f", ${self.rewritten:.4f} of it for cache that folds broke" if self.rewritten else ""
        return (
            f"this call ${self.sent:.4f} instead of ${self.whole:.4f}{broken};"
            f" all calls up to it ${self.sent_so_far:.4f} instead of ${self.whole_so_far:.4f}"
        )


class Report(Struct, frozen=True, kw_only=True):
    """The account of one call.

    `outcome` is `applied` (new edits), `standing` (earlier edits only), `nothing` or `failed`.
    `tokens_before` and `tokens_after` are raw counts of the whole request, system and tools included,
    by `counter`; times `factor` they are what the provider is expected to charge. `dollars_saved` is
    the difference at the uncached input price, None without one; `cost` is the net with the prompt cache,
    None where the preset does not reckon. `first_changed` is the first message that a fold of this call
    changed against the call before; `edits` are new, `standing` the number of earlier ones still in force.
    `cut_calls` are the calls whose results the new edits cut. Of the new edits `results_summarized` are
    the results that became another text about them, `results_redacted` those that were cut,
    `turns_compacted` the turns whose user message gave way to a note.
    """

    outcome: str
    wire: str
    model: str | None
    preset: str
    trigger: str
    tokens_before: int
    tokens_after: int
    factor: float
    counter: str
    window: int | None
    window_source: str
    dollars_saved: float | None
    cost: Cost | None
    first_changed: int | None
    edits: tuple[EditLine, ...]
    standing: int
    decided: float | None
    refused: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()
    cut_calls: tuple[CutCall, ...] = ()
    results_summarized: int = 0
    results_redacted: int = 0
    turns_compacted: int = 0

    @property
    def saved(self) -> int:
        """Raw tokens that do not go out."""
        return self.tokens_before - self.tokens_after

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON."""
        return {"saved": self.saved, **msgspec.to_builtins(self)}

    @classmethod
    def untouched(cls, model: str | None) -> Report:
        """The account of a request that was passed through unread."""
        return cls(
            outcome="nothing",
            wire="not read",
            model=model,
            preset="none",
            trigger="the preset passes everything through",
            tokens_before=0,
            tokens_after=0,
            factor=1.0,
            counter="none",
            window=None,
            window_source="not read",
            dollars_saved=None,
            cost=None,
            first_changed=None,
            edits=(),
            standing=0,
            decided=None,
        )

    def __str__(self) -> str:
        share = self.saved / self.tokens_before if self.tokens_before else 0.0
        money = f", ${self.dollars_saved:.4f} at the uncached input price" if self.dollars_saved else ""
        lines = [
            f"trimtab {self.outcome}: {self.tokens_before:,} -> {self.tokens_after:,} tokens"
            f" ({share:.0%} less{money})",
            f"  {self.wire}, {self.model or 'model not named'}, preset {self.preset}; {self.trigger}",
        ]
        lines += [f"  {self.cost}"] if self.cost else []
        lines += [
            f"  {edit.saved:>8,}  {edit.place}  {edit.what}  [{edit.by}: {edit.reason}]  {edit.handle}"
            for edit in self.edits
        ]
        if self.standing:
            lines.append(f"  {self.standing} earlier edits stand")
        told = [*self.refused, *self.findings]
        lines += [f"  {one.rule}: {one.place}: {one.text}" for one in told[:10]]
        if len(told) > 10:
            lines.append(f"  and {len(told) - 10} more findings")
        return "\n".join(lines).encode(errors="replace").decode()  # labels may hold lone surrogates
