"""A threshold on utilisation, above which old results become a notice."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Place
from trimtab.passes.redact_results import RedactResults
from trimtab.presets.base import Count, Share
from trimtab.reach import Rules, When


class ThresholdRedact(Struct, frozen=True, forbid_unknown_fields=True):
    """Over `threshold` of the window, every result of an old turn becomes a notice.

    Keeps the last `keep_recent_turns` turns, everything that is said, and every call.

    Loses nothing for good: what is redacted comes back by its handle. Nothing tells what a result said.
    """

    threshold: Share = 0.75
    keep_recent_turns: Count = 3

    name: ClassVar[str] = "threshold-redact"
    source: ClassVar[str] = "Compaction Algorithm: ThresholdCompactor, ToolCompaction::Redact"

    def rules(self) -> Rules:
        """One pass over the results of old turns."""
        return Rules(
            preset=self.name,
            passes=(RedactResults(summarize=False),),
            places=frozenset({Place.RESULTS, Place.REASONING}),
            protect_results=0,
            protect_turns=self.keep_recent_turns,
            finders=(),
            when=When(share=self.threshold),
            smallest=0,
        )
