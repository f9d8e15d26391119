"""A threshold on utilisation, above which old results become the short texts handed over for them."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Place
from trimtab.passes.redact_results import RedactResults
from trimtab.presets.base import Count, Share
from trimtab.reach import Rules, When


class ThresholdSummarize(Struct, frozen=True, forbid_unknown_fields=True):
    """Over `threshold` of the window, results of old turns become the short texts handed over for them.

    `compact(…, compact_summaries={call_id: text})` hands them over, for that call and all later ones of the
    conversation; a tool may put its own under `compact_summary` of a JSON result. A result for which there is none
    stays.

    Keeps the last `keep_recent_turns` turns, everything that is said, and every call.

    Loses what the short text does not say; the result comes back by its handle.
    """

    threshold: Share = 0.75
    keep_recent_turns: Count = 3

    name: ClassVar[str] = "threshold-summarize"
    source: ClassVar[str] = "Compaction Algorithm: ThresholdCompactor, ToolCompaction::Summarize"

    def rules(self) -> Rules:
        """One pass over the results of old turns."""
        return Rules(
            preset=self.name,
            passes=(RedactResults(summarize=True),),
            places=frozenset({Place.RESULTS, Place.REASONING}),
            protect_results=0,
            protect_turns=self.keep_recent_turns,
            finders=(),
            when=When(share=self.threshold),
            smallest=0,
        )
