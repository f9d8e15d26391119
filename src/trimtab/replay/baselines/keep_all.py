"""Keep all: the transcript goes out as it is; what every other policy is measured against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.replay.atoms import Need
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Sent


class KeepAll(Struct, frozen=True):
    """Changes nothing."""

    name: str = "keep-all"
    remark: ClassVar[str] = ""
    knows_future: ClassVar[bool] = False

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """Nothing, before every call."""
        for _ in segment.calls:
            yield ()
