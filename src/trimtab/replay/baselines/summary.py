"""A stand-in for a summary: above a limit the older messages give way to a note that says nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.replay.atoms import Need
from trimtab.replay.baselines.base import safe_start
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Asked, Change, Noted, Sent

NOTE, NOTE_TOKENS = "[summary of the conversation so far]", 1000
"""The note, and the raw tokens that it is charged with."""

ASKED = Asked(4_000, 1_000)
"""What its writer is charged with: the input that LangChain's middleware trims to, and the note."""


class Summary(Struct, frozen=True):
    """Above `trigger` tokens all but the last `keep` messages become a note (LangChain SummarizationMiddleware).

    No model writes it, so what a real summary would still show counts as hidden.
    """

    trigger: int = 60_000
    keep: int = 20
    name: str = "summarize at 60k"
    remark: ClassVar[str] = "a stand-in: the note says nothing, so visible is a lower bound"
    knows_future: ClassVar[bool] = False

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """The messages that become the note, and what writing it costs."""
        noted = segment.heads
        for call in segment.calls:
            start = safe_start(segment, max(call.stop - self.keep, segment.heads), call.stop)
            acts = sent.total > self.trigger and noted < start < call.stop
            yield [Noted(segment.heads, start - 1, NOTE, NOTE_TOKENS), ASKED] if acts else ()
            noted = start if acts else noted
