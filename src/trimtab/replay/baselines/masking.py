"""Observation masking: at every call all results but the last give way to a placeholder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.replay.atoms import Need
from trimtab.replay.baselines.base import PLACEHOLDER_TOKENS, cleared
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Sent


class Masking(Struct, frozen=True):
    """Sends the last `keep` results whole and masks the others (The Complexity Trap, arXiv 2508.21433)."""

    keep: int = 10
    name: str = "mask all but 10 results"
    remark: ClassVar[str] = ""
    knows_future: ClassVar[bool] = False

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """The results that leave the last few."""
        masked = seen = 0
        for call in segment.calls:
            while seen < len(segment.results) and segment.results[seen] < segment.first[call.stop]:
                seen += 1
            old = segment.results[masked : max(seen - self.keep, masked)]
            masked += len(old)
            yield [cleared(part) for part in old if segment.sizes[part] > PLACEHOLDER_TOKENS]
