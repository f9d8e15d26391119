"""The one shape of a policy in the replay: for each call what it changes before the request goes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol

from trimtab.replay.atoms import Need
from trimtab.replay.segment import Segment
from trimtab.replay.sent import Change, Sent, Shown
from trimtab.transcript import Role, ToolResult

PLACEHOLDER = "[old tool result content cleared]"
"""What stands in the place of a cleared result."""

PLACEHOLDER_TOKENS = 7
"""Raw tokens of it."""


class Policy(Protocol):
    """A way to compact. `remark` says what a reader of its figures must know, "" when nothing."""

    remark: ClassVar[str]
    knows_future: ClassVar[bool]

    @property
    def name(self) -> str:
        """What the table calls it."""
        ...

    def play(self, segment: Segment, sent: Sent, needs: Sequence[Sequence[Need]]) -> Iterator[Sequence[Change]]:
        """For each call the changes before it. `sent` then holds the messages of the call, as sent until now.

        `needs` are the atoms of every call; only a policy that knows the future may look at them.
        """
        ...


def cleared(part: int) -> Shown:
    """A result that gives way to the placeholder."""
    return Shown(part, PLACEHOLDER, PLACEHOLDER_TOKENS)


def safe_start(segment: Segment, start: int, stop: int) -> int:
    """The first message from `start` on with which a request may begin: none that answers calls before it."""
    while start < stop and _answers(segment, start):
        start += 1
    return start


def _answers(segment: Segment, message: int) -> bool:
    one = segment.messages[message].message
    return one.role is Role.TOOL or any(isinstance(part, ToolResult) for part in one.parts)
