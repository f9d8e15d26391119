"""Old messages to one handoff note that a model writes and trimtab checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Brief, Edit, Loss, Place, Span, Summarize
from trimtab.passes.base import Stage, View
from trimtab.passes.keep_window import PLACES, before_last


class WriteNote(Struct, frozen=True):
    """All foldable messages but the last `keep` give way to a note, which is made as the `brief` says.

    Removes: the messages. Keeps: the newest, system messages; in the note the user's words, what was executed,
    what failed. Recovers: the messages as JSON by the handle. Skips when: the request has no more than `above`
    raw tokens, or one message alone would give way; when no note can be had the report says why.
    """

    keep: int = 0
    above: int = 0
    brief: Brief = Brief()

    name: ClassVar[str] = "write_note"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.LOSSY
    places: ClassVar[frozenset[Place]] = PLACES

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first, each span as long as may be."""
        if view.tokens > self.above:
            for run in before_last(view, self.keep):
                if len(run) > 1:
                    yield Summarize(Span(run[0][0], run[-1][0]), self.brief, "old messages")
