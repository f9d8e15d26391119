"""Knows the future: results arrive as the lines that will be used, and what is used up goes when that pays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import ClassVar

from msgspec import Struct

from trimtab.prices import Card
from trimtab.replay.atoms import Need
from trimtab.replay.future import Future
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Sent, Shown
from trimtab.transcript import ToolCall, ToolResult

STUB = 20
"""Raw tokens of what stays of arguments."""


class WritingOracle(Struct, frozen=True):
    """Writes of each result only what later calls use. The meter: what nobody uses any more pays rent at each
    call; it goes, from some message on, as soon as the rent is more than writing the rest again.
    """

    name: str = "oracle: write once, meter"
    remark: ClassVar[str] = "knows the future: a bound, no policy"
    knows_future: ClassVar[bool] = True

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """What arrives is cut to what is used, and what is used up goes when that pays."""
        future, rents, seen = Future(segment, needs), dict[int, float](), segment.first[segment.heads]
        idle: list[int] = []
        before, now = segment.heads, float("-inf")
        for number, call in enumerate(segment.calls):
            arrived = range(seen, segment.first[call.stop])
            seen = arrived.stop
            changes = [*_written(segment, sent, future, number, arrived)]
            cold = call.at - now > call.card.cache.lifetime
            folded = _metered(segment, sent, future, number, idle, rents, before, call.card, cold=cold)
            idle = [part for part in idle if part not in folded]
            idle += [part for part in arrived if isinstance(segment.parts[part], ToolCall | ToolResult)]
            before, now = call.stop, call.at
            yield [*changes, *folded.values()]


def _written(segment: Segment, sent: Sent, future: Future, number: int, arrived: range) -> Iterator[Shown]:
    """The new results, each as what later calls use of it."""
    for part in arrived:
        if isinstance(segment.parts[part], ToolResult):
            text, size = future.kept(part, number)
            if size < sent.size(part):
                yield Shown(part, text, size)


def _metered(
    segment: Segment,
    sent: Sent,
    future: Future,
    number: int,
    idle: Sequence[int],
    rents: dict[int, float],
    before: int,
    card: Card,
    *,
    cold: bool,
) -> dict[int, Shown]:
    """What goes now: from the message on at which rent exceeds the price by most."""
    read, written = _prices(card)
    least = {part: STUB if isinstance(segment.parts[part], ToolCall) else 0 for part in idle}
    usable = [part for part in idle if sent.size(part) > least[part] and not future.used(part, number)]
    for part in usable:
        rents[part] = rents.get(part, 0.0) + read * segment.scale.billed(sent.size(part) - least[part])
    behind = [0, *accumulate(sent.message_tokens(message) for message in range(before - 1, -1, -1))]
    best, start, rent, freed = 0.0, len(segment.parts), 0.0, 0
    for part in reversed(usable):
        rent += rents[part]
        freed += segment.scale.billed(sent.size(part) - least[part])
        left = max(behind[before - segment.message_of[part]] - freed, 0)
        gain = rent - (0.0 if cold else (written - read) * left)
        if gain > best:
            best, start = gain, part
    return {part: Shown(part, "", least[part]) for part in usable if part >= start}


def _prices(card: Card) -> tuple[float, float]:
    """A cached read and a write, for input at 1."""
    whole = card.input or 1.0
    read = whole if card.read is None else card.read
    return read / whole, (whole if card.write is None else card.write) / whole
