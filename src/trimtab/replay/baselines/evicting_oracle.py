"""Knows the future: above a limit everything old goes but for the lines that later calls use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.replay.atoms import Need
from trimtab.replay.future import Future
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Sent, Shown
from trimtab.transcript import Media, Role

WORTH = 0.1
"""Share of the limit that must come free, or nothing is done: user messages and the last ones may exceed it."""


class EvictingOracle(Struct, frozen=True):
    """Above `most` tokens keeps system, user messages, the last `keep` messages, and what later calls use."""

    most: int = 60_000
    keep: int = 10
    name: str = "oracle: evict at 60k"
    remark: ClassVar[str] = "knows the future: a bound, no policy"
    knows_future: ClassVar[bool] = True

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """The parts of which only what is used later stays."""
        future = Future(segment, needs)
        for number, call in enumerate(segment.calls):
            changes: list[Shown] = []
            if sent.total > self.most:
                changes = [*self._left(segment, sent, future, number, call.stop - self.keep)]
            freed = segment.scale.billed(sum(sent.size(one.part) - one.size for one in changes))
            yield changes if freed >= WORTH * self.most else ()

    @staticmethod
    def _left(segment: Segment, sent: Sent, future: Future, number: int, stop: int) -> Iterator[Shown]:
        for message in range(segment.heads, max(stop, segment.heads)):
            for part in segment.parts_of(message):
                said = segment.is_turn(message) or segment.messages[message].message.role is Role.SYSTEM
                if said or isinstance(segment.parts[part], Media):
                    continue
                text, size = future.kept(part, number)
                if size < sent.size(part):
                    yield Shown(part, text, size)
