"""Old messages to one handoff note that a model writes and trimtab checks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Brief, Edit, Loss, Place, Span, Summarize
from trimtab.passes.base import Stage, View
from trimtab.passes.keep_window import PLACES, before_last
from trimtab.transcript import is_turn


class WriteNote(Struct, frozen=True):
    """All foldable messages but the last `keep` give way to a note, which is made as the `brief` says.

    Where `turns_stay` the first turn and the newest stay beside the note; but not where users and models must take
    turns, for there no note can stand next to them. It has their words.

    Removes: the messages. Keeps: the newest, system messages; in the note the user's words, what was executed,
    what failed. Recovers: the messages as JSON by the handle. Skips when: the request has no more than `above`
    raw tokens, or one message alone would give way; when no note can be had the report says why.
    """

    keep: int = 0
    above: int = 0
    turns_stay: bool = False
    brief: Brief = Brief()

    name: ClassVar[str] = "write_note"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.LOSSY
    places: ClassVar[frozenset[Place]] = PLACES

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first, each span as long as may be."""
        turns = [name for name, message in view.messages if is_turn(message)]
        stay = {*turns[:1], *turns[-1:]} if self.turns_stay and not view.alternates else set[bytes]()
        for run in before_last(view, self.keep) if view.tokens > self.above else ():
            for stays, group in groupby(run, lambda one: one[0] in stay):
                names = [name for name, _ in group]
                if not stays and len(names) > 1:
                    yield Summarize(Span(names[0], names[-1]), self.brief, "old messages")
