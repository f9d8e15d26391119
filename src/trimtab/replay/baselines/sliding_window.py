"""Sliding window: only the last messages are sent, at every call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.replay.atoms import Need
from trimtab.replay.baselines.base import safe_start
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Noted, Sent


class SlidingWindow(Struct, frozen=True):
    """Sends system and the last `keep` messages; fewer where the first of them would answer a call."""

    keep: int = 40
    name: str = "sliding window 40"
    remark: ClassVar[str] = ""
    knows_future: ClassVar[bool] = False

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """The messages that leave the window."""
        gone = segment.heads
        for call in segment.calls:
            start = safe_start(segment, max(call.stop - self.keep, gone), call.stop)
            yield [Noted(gone, start - 1, "", 0)] if gone < start < call.stop else ()
            gone = start if start < call.stop else gone
