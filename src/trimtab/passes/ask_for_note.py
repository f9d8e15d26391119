"""Old messages to one note that a model writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Ask, Edit, Loss, Place, Span, Summarize
from trimtab.passes.base import Stage, View
from trimtab.passes.keep_window import PLACES, before_last
from trimtab.stubs import clip, clip_start, inner_gap_stub
from trimtab.transcript import Message, Text, ToolCall, ToolResult

PROMPT = (
    "Write a note from which an assistant can go on with this conversation without having it. Give the user's task"
    " word for word, the user's rules and limits word for word, facts found (every path, line number, code,"
    " setting, id and amount copied exactly), what was tried and ruled out, what was done, and the next step."
    " Write in the language of the user. Invent nothing."
)


class AskForNote(Struct, frozen=True):
    """All foldable messages but the last `keep` give way to a note of at most `most` tokens by the writer.

    The writer sees the messages as they are sent now, `names_only` without what calls and results hold; of what
    has more than `longest` tokens each long text loses its middle, and where that is not enough the oldest go.
    Removes: the messages. Keeps: the newest, system messages. Recovers: the messages as JSON by the handle. Skips
    when: the request has no more than `above` raw tokens, or one message alone would give way; when there is no
    writer, it fails, answers nothing or takes longer than `seconds` the report says so.
    """

    keep: int = 0
    prompt: str = PROMPT
    most: int = 2048
    seconds: float = 60.0
    above: int = 0
    names_only: bool = False
    longest: int = 100_000

    name: ClassVar[str] = "ask_for_note"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.LOSSY
    places: ClassVar[frozenset[Place]] = PLACES

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first, each span as long as may be."""
        if view.tokens <= self.above:
            return
        sent = dict(view.sent)
        for run in before_last(view, self.keep):
            messages = [sent[name] for name, _ in run if name in sent]
            if len(messages) > 1:
                told = _bounded(list(_told(messages, self.names_only)), self.longest, view.count)
                span = Span(run[0][0], run[-1][0])
                yield Summarize(span, Ask(told, self.prompt, self.most, self.seconds), "old messages")


SHORTEST = 200
"""Characters that a text keeps before whole texts are left out."""


def _bounded(texts: Sequence[str], most: int, count: Callable[[str], int]) -> str:
    """The texts as one of at most `most` tokens: a question larger than who answers it gets no answer."""
    told = "\n\n".join(texts)
    tokens = count(told)
    room = len(told)
    while tokens > most:
        room = min(int(room * 0.9 * most / tokens), room - 1)
        cap = _cap([len(text) for text in texts], room)
        told = "\n\n".join(_clipped(text, cap) for text in texts)[-room:]
        tokens = count(told)
    return told


def _cap(lengths: Sequence[int], room: int) -> int:
    """The characters at which texts of these lengths are cut so that they have room together."""
    left, rest = room, len(lengths)
    for length in sorted(lengths):
        if length * rest > left:
            return max(left // rest, SHORTEST)
        left, rest = left - length, rest - 1
    return max(lengths, default=0)


def _clipped(text: str, cap: int) -> str:
    """A text without its middle, which says how much that was."""
    if len(text) <= cap + SHORTEST // 2:
        return text
    head, tail = clip(text, cap // 2), clip_start(text, cap // 2)
    return f"{head}{inner_gap_stub(len(text) - len(head) - len(tail))}{tail}"


def _told(messages: Sequence[Message], names_only: bool) -> Iterator[str]:
    """The messages as plain text; reasoning and media are left out."""
    for message in messages:
        for part in message.parts:
            match part:
                case Text():
                    yield f"{message.role.upper()}: {part.text}"
                case ToolCall():
                    yield f"CALL {part.name}" if names_only else f"CALL {part.name} {part.arguments}"
                case ToolResult():
                    yield "RESULT" if names_only else f"RESULT: {part.text}"
