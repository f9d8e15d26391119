"""Observation masking: old results are masked at every call, all that the agent said stays."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Place
from trimtab.passes.clear_results import ClearResults
from trimtab.presets.base import Count
from trimtab.reach import Rules, When


class ObservationMasking(Struct, frozen=True, forbid_unknown_fields=True):
    """At every call of more than `tokens`, every result but the last `keep` is masked by one line.

    Keeps all calls, all that is said and thought, the last results and the newest exchange.

    Loses nothing for good: what is masked comes back by its handle. The mask moves on with every call, and breaks
    the provider's cache where it does.
    """

    keep: Count = 10
    tokens: Count = 0

    name: ClassVar[str] = "observation-masking"
    source: ClassVar[str] = "Observation masking of software agents, last 10 observations"

    def rules(self) -> Rules:
        """One pass over results."""
        masks = ClearResults("old result masked", self.keep)
        return Rules(
            preset=self.name,
            passes=(masks,),
            places=masks.places | {Place.REASONING},
            protect_results=self.keep,
            finders=(),
            when=When(tokens=self.tokens),
            smallest=0,
        )
