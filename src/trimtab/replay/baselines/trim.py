"""Trim: above a limit the oldest messages go until the rest fits, at every call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.replay.atoms import Need
from trimtab.replay.baselines.base import safe_start
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Noted, Sent


class Trim(Struct, frozen=True):
    """Sends system and as many of the last messages as fit in `most` tokens (LangChain `trim_messages`)."""

    most: int = 100_000
    name: str = "trim to 100k"
    remark: ClassVar[str] = ""
    knows_future: ClassVar[bool] = False

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """The messages that no longer fit."""
        gone = segment.heads
        for call in segment.calls:
            start, left = gone, sent.total
            while left > self.most and start < call.stop - 1:
                left -= sent.message_tokens(start)
                start += 1
            start = safe_start(segment, start, call.stop) if start > gone else gone
            yield [Noted(gone, start - 1, "", 0)] if gone < start < call.stop else ()
            gone = start if start < call.stop else gone
