"""Clear tool uses: above a limit all results but the last give way to a placeholder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.replay.atoms import Need
from trimtab.replay.baselines.base import PLACEHOLDER_TOKENS, cleared
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Sent


class ClearToolUses(Struct, frozen=True):
    """Above `trigger` tokens all results but the last `keep` are cleared, whenever that frees `least` more tokens.

    As the provider's context editing does it (Anthropic, `clear_tool_uses_20250919`): the client sends everything,
    so once it is above the trigger it stays there, and the cut moves on. There are no handles.
    """

    trigger: int = 100_000
    keep: int = 3
    least: int = 0
    name: str = "clear tool uses 100k"
    remark: ClassVar[str] = ""
    knows_future: ClassVar[bool] = False

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """The results that are cleared."""
        waiting: list[int] = []
        seen, given, upto = 0, segment.frame, segment.heads
        for call in segment.calls:
            given += sum(map(segment.tokens, range(upto, call.stop)))
            upto = call.stop
            while seen < len(segment.results) and segment.results[seen] < segment.first[call.stop]:
                waiting.append(segment.results[seen])
                seen += 1
            old = [part for part in waiting[: -self.keep] if segment.sizes[part] > PLACEHOLDER_TOKENS]
            freed = segment.scale.billed(sum(segment.sizes[part] - PLACEHOLDER_TOKENS for part in old))
            acts = given > self.trigger and freed > 0 and freed >= self.least
            yield [cleared(part) for part in old] if acts else ()
            waiting = waiting[-self.keep :] if acts else waiting
