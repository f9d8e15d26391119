"""When to fold and how far down: share of the window, a budget, a number of results, or force."""

from __future__ import annotations

from msgspec import Struct

TARGET_SHARE = 0.7
"""A fold goes down to this share of what triggered it, so that the next message does not move the cut again."""


class Limits(Struct, frozen=True):
    """What one call allows. `budget`, `target` and `window` in tokens as the provider counts them.

    `window` is what input may take of the model's context window (its output reserve taken off),
    `share` the part of it that triggers a fold. `results` triggers when so many results have arrived
    since the last fold, `tokens` when the request has more than so many. `full` lets a fold go as far as
    its passes do, whatever the target. `factor` turns raw counts into provider tokens.
    """

    budget: int | None = None
    target: int | None = None
    window: int | None = None
    share: float | None = 0.75
    results: int | None = None
    tokens: int | None = None
    full: bool = False
    force: bool = False
    factor: float = 1.0

    @property
    def own(self) -> bool:
        """Whether the caller says when to fold: then that holds, and not what pays."""
        return self.budget is not None or self.results is not None


class Due(Struct, frozen=True):
    """A reason to fold: down to `target` raw tokens. `hard` when the caller set a budget that must be met.

    `limit` are the raw tokens that must not be exceeded when `hard`. `urged` when the caller asked for this
    very fold: then any progress is welcome.
    """

    reason: str
    target: int
    limit: int
    hard: bool = False
    urged: bool = False


def due(tokens: int, arrived: int, limits: Limits, *, present: bool) -> Due | None:
    """The most pressing reason to fold a request of `tokens` raw tokens, or None.

    Force counts only at the present end of the request, never at boundaries of its past.
    """
    judged = tokens * limits.factor
    if limits.budget is not None and judged > limits.budget:
        target = limits.budget * TARGET_SHARE if limits.target is None else limits.target
        return Due(
            f"{judged:,.0f} tokens are over the budget of {limits.budget:,}",
            int(min(target, limits.budget) / limits.factor),
            int(limits.budget / limits.factor),
            hard=True,
            urged=True,
        )
    if limits.force and present:
        base = min(judged, limits.budget or judged)
        target = base * TARGET_SHARE if limits.target is None else limits.target
        return Due(
            "forced",
            0 if limits.full and limits.target is None else int(target / limits.factor),
            tokens,
            urged=True,
        )
    reason, target = _reason(judged, arrived, limits)
    return (
        Due(reason, 0 if limits.full else int(target / limits.factor), tokens, urged=limits.full)
        if reason
        else None
    )


def _reason(judged: float, arrived: int, limits: Limits) -> tuple[str, float]:
    """Why to fold though nobody asked, and the target in provider tokens; "" when there is no reason."""
    if limits.window is not None and limits.share is not None and judged > limits.window * limits.share:
        over = f"{limits.share:.0%} of the window of {limits.window:,}"
        return f"{judged:,.0f} tokens are over {over}", limits.window * limits.share * TARGET_SHARE
    if limits.tokens is not None and judged > limits.tokens:
        return f"{judged:,.0f} tokens are over {limits.tokens:,}", limits.tokens * TARGET_SHARE
    if limits.results is not None and arrived > limits.results:
        return f"{arrived} results since the last fold are over {limits.results}", judged * TARGET_SHARE
    return "", 0.0
