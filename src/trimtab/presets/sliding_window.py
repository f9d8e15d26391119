"""A sliding window: the last messages are sent and no others."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.passes.keep_window import PLACES, KeepWindow
from trimtab.presets.base import Count
from trimtab.reach import Rules, When


class SlidingWindow(Struct, frozen=True, forbid_unknown_fields=True):
    """At every call of more than `tokens`, all but the last `keep` messages give way to one line.

    Keeps system messages and the last messages; more of them where the cut would part a call from its result.

    Loses the task first: the question is an old message like any other, and the one being worked on goes too when
    more than `keep` messages have come since. All comes back by the handle, but nothing tells the model what is
    missing. The window moves on with every call, and breaks the provider's cache.
    """

    keep: Count = 6
    tokens: Count = 0

    name: ClassVar[str] = "sliding-window"
    source: ClassVar[str] = "Context Compaction for AI Agents: Trim vs Summarize, last 6 messages"

    def rules(self) -> Rules:
        """One pass over whole messages."""
        return Rules(
            preset=self.name,
            passes=(KeepWindow(self.keep),),
            places=PLACES,
            protect_results=0,
            finders=(),
            when=When(tokens=self.tokens),
            smallest=0,
            task_stays=False,
            question_stays=False,
        )
