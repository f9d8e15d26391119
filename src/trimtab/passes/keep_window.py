"""A window that slides: all but the last messages give way to one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Span, Summarize
from trimtab.passes.base import Stage, View
from trimtab.stubs import window_stub
from trimtab.transcript import Message, Role, ToolCall

PLACES = frozenset(
    {Place.RESULTS, Place.ARGUMENTS, Place.REASONING, Place.MEDIA, Place.ASSISTANT_TEXT, Place.USER_TEXT}
)
"""Where whole messages give way: all but system text, tools and options."""


class KeepWindow(Struct, frozen=True):
    """All messages but the last `keep` become one line; the cut moves back where it would tear a pair apart.

    Removes: everything in them, the task included where the preset lets it go. Keeps: system messages. Recovers:
    the messages as JSON by the handle. Skips when: there are no more than `keep`.
    """

    keep: int = 6

    name: ClassVar[str] = "keep_window"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.LOSSY
    places: ClassVar[frozenset[Place]] = PLACES

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first, each as long as may be."""
        for run in before_last(view, self.keep):
            span = Span(run[0][0], run[-1][0])
            yield Summarize(
                span, window_stub(len(run), view.handle(span)), f"older than the last {self.keep} messages"
            )


def before_last(view: View, keep: int) -> Iterator[Sequence[tuple[bytes, Message]]]:
    """The runs of messages that may give way before the last `keep`; none tears a pair or an answer apart."""
    kept = {name for name, _ in view.messages[max(len(view.messages) - keep, 0) :]}
    for run in view.foldable:
        stop = _stop(run, sum(name not in kept for name, _ in run), view.alternates)
        if stop:
            yield run[:stop]


def _stop(run: Sequence[tuple[bytes, Message]], most: int, alternates: bool) -> int:
    """The last place up to `most` messages into the run where no call waits for results and no answer goes on.

    Where users and models must take turns the model goes on there.
    """
    waiting, found = set[str](), 0
    for index, (_, message) in enumerate(run[:most], 1):
        for part in message.parts:
            if isinstance(part, ToolCall):
                waiting.add(part.id)
        waiting -= _answered(message)
        if waiting:
            continue
        if index == len(run) or not (_goes_on(message, run[index][1]) or (alternates and _is_user(run[index][1]))):
            found = index
    return found


def _goes_on(message: Message, following: Message) -> bool:
    return message.role is following.role is Role.ASSISTANT or bool(_answered(following))


def _is_user(message: Message) -> bool:
    return message.role is Role.USER


def _answered(message: Message) -> set[str]:
    """The ids of the calls that this message holds results of."""
    ids = (getattr(part, "call_id", None) for part in message.parts)
    return {one for one in ids if one is not None}
