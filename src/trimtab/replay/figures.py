"""What one policy did to one segment of a session, in figures that add up."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct


class Sight(Struct, kw_only=True):
    """What of the atoms was in sight, and of the calls that needed any. All are counts.

    `recoverable` atoms are visible or have a handle; `rerunnable` ones are that, or the call that gave them is
    still visible. `intact` calls saw all they needed. `misses` are dollars: one more call for each that did not.
    """

    atoms: int = 0
    visible: int = 0
    recoverable: int = 0
    rerunnable: int = 0
    quotes: int = 0
    quotes_visible: int = 0
    old: int = 0
    old_visible: int = 0
    old_recoverable: int = 0
    needing: int = 0
    intact: int = 0
    misses: float = 0.0


class Figures(Struct, kw_only=True):
    """Sums over calls. Tokens are as the provider counts them, dollars by the price card.

    `read`, `written` and `uncached` split the input. `asked` are dollars for a policy's own model. `folds` are
    calls whose request differs from the last one before its end, `rewritten` the tokens from there on. `over`
    are calls beyond the model's window, `peak` the largest request. `failed` counts segments that the policy
    could not play, which count as kept.
    """

    calls: int = 0
    read: int = 0
    written: int = 0
    uncached: int = 0
    output: int = 0
    dollars: float = 0.0
    asked: float = 0.0
    folds: int = 0
    rewritten: int = 0
    over: int = 0
    peak: int = 0
    failed: int = 0
    literal: Sight = msgspec.field(default_factory=Sight)
    grounded: Sight = msgspec.field(default_factory=Sight)

    @property
    def input(self) -> int:
        """All input tokens."""
        return self.read + self.written + self.uncached


def added(many: Iterable[Figures]) -> Figures:
    """The sum of figures; of `peak` the largest."""
    total = Figures()
    for one in many:
        peak = max(total.peak, one.peak)
        _add(total, one)
        total.peak = peak
    return total


def _add(total: Struct, one: Struct) -> None:
    for name in total.__struct_fields__:
        own, other = getattr(total, name), getattr(one, name)
        if isinstance(own, Struct):
            _add(own, other)
        else:
            setattr(total, name, own + other)
