"""Under a caller's budget: a run of old messages gives way to one note that holds their lines, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import count as count_from, groupby, takewhile
from typing import ClassVar, NamedTuple

import msgspec
from msgspec import Struct

from trimtab.choice import Choice, Sheet
from trimtab.edits import At, Edit, Loss, Place, Span, Summarize
from trimtab.excerpt import sheet, stretches
from trimtab.passes.base import Stage, View
from trimtab.stubs import OTHERS, gathered, gathered_stub
from trimtab.talk import TOOLS, Talk, said
from trimtab.transcript import Message, Role, Text, ToolCall, ToolResult

MARKERS, SHARE = 30, 3
"""Tokens of the markers of an excerpt; excerpts serve where there is room for so many times as much in each."""

SMALLEST = 60
"""Tokens of a run below which a note saves next to nothing."""

LEAST_SAVING = 8
"""Tokens that an edit must save."""

MESSAGE = 4
"""Tokens of the frame of a message."""

TRIES, SPARE = 6, 6
"""Times a choice is widened because room is left, and tokens that may stay free."""


class Source(NamedTuple):
    """A text of a message, and who speaks: the tool where it is a call or a result."""

    at: At
    role: Role
    text: str
    tokens: int


class Run(NamedTuple):
    """Messages that one note will stand for: where they are, how many, what they say."""

    span: Span
    messages: int
    sources: Sequence[Source]


class GatherMessages(Struct, frozen=True):
    """Each run of old messages becomes a note: the lines and sentences that are worth most, in their order.

    Removes: the messages, and what is worth least of what they say. Keeps: the task, the newest turn and the
    newest exchange in place; of the rest lines and sentences word for word. Recovers: the messages by the
    handle. Skips when: there is room for an excerpt of each text.
    """

    name: ClassVar[str] = "gather_messages"
    stage: ClassVar[Stage] = Stage.BUDGET
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset(
        {Place.RESULTS, Place.ARGUMENTS, Place.REASONING, Place.MEDIA, Place.ASSISTANT_TEXT, Place.USER_TEXT}
    )

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit a run, oldest first."""
        runs = _runs(view) if _is_crowded(view) else []
        if runs:
            for run, text in zip(runs, _notes(view, runs), strict=True):
                yield Summarize(run.span, text, f"over the budget; {run.messages} messages", Loss.RECOVERABLE)


def _is_crowded(view: View) -> bool:
    """Whether excerpts of all texts that may be cut would hold little but their markers."""
    room = sum(map(view.size, view.open)) - view.excess
    return room < MARKERS * SHARE * max(len(view.open), 1)


def _runs(view: View) -> list[Run]:
    """What may give way, the newest exchange left out."""
    newest = _newest_exchange(view.messages)
    old = (list(takewhile(lambda one: one[0] not in newest, run)) for run in view.foldable)
    made = [_run(view, run) for run in old if run]
    return [run for run in made if view.size(run.span) >= SMALLEST]


def _newest_exchange(messages: Sequence[tuple[bytes, Message]]) -> Set[bytes]:
    """The names of the last messages from an answer with calls on, none where a turn has come since."""
    names, inside = set[bytes](), False
    for name, message in reversed(messages):
        if message.role is not Role.ASSISTANT and inside:
            return names
        if message.role is Role.USER and not any(isinstance(part, ToolResult) for part in message.parts):
            return set()
        names.add(name)
        inside = inside or any(isinstance(part, ToolCall) for part in message.parts)
    return names if inside else set()


def _run(view: View, run: Sequence[tuple[bytes, Message]]) -> Run:
    sources = [source for name, message in run for source in _of_message(view, name, message)]
    return Run(Span(run[0][0], run[-1][0]), len(run), sources)


def _of_message(view: View, name: bytes, message: Message) -> Iterator[Source]:
    for number in range(len(message.parts)):
        at = At(name, number)
        match view.original(at):
            case Text(text=text) if (lines := gathered(text)) is not None:
                yield from _of_note(view, at, lines)
            case Text(text=text):
                yield Source(at, message.role, text, view.original_size(at))
            case ToolResult(text=text):
                yield Source(at, Role.TOOL, text, view.original_size(at))
            case ToolCall(name=tool, arguments=arguments):
                yield Source(at, Role.TOOL, f"{tool} {arguments}", view.original_size(at))
            case _:
                pass


def _of_note(view: View, at: At, lines: Sequence[str]) -> Iterator[Source]:
    """The lines of an earlier note that the client sent back, in stretches of the user's and of the others'."""
    for others, group in groupby(lines, lambda line: line.startswith(OTHERS)):
        text = "\n".join(line.removeprefix(OTHERS) if others else line for line in group)
        yield Source(at, Role.ASSISTANT if others else Role.USER, text, view.count(text))


def _notes(view: View, runs: Sequence[Run]) -> list[str]:
    """The notes: together within the room if their first lines are."""
    sheets = _sheets(view, [source for run in runs for source in run.sources])
    best = _written(view, runs, sheets, [() for _ in sheets])
    room = sum(view.size(run.span) for run in runs) - max(view.excess, LEAST_SAVING)
    used, choice = _size(view, best), Choice(sheets)
    for _ in range(TRIES):
        if room - used < SPARE:
            break
        choice.widen(room - used)
        best = _written(view, runs, sheets, choice.chosen)
        for turn in count_from(1):
            used = _size(view, best)
            if used <= room or not any(choice.chosen):
                break
            choice.narrow((used - room) * turn)
            best = _written(view, runs, sheets, choice.chosen)
    return best


def _size(view: View, notes: Sequence[str]) -> int:
    return sum(view.count(note) + MESSAGE for note in notes)


def _sheets(view: View, sources: Sequence[Source]) -> list[Sheet]:
    """A sheet for each text; what is said again later, or stands in what stays, is shown there alone."""
    talk, gone = Talk([message for _, message in view.messages]), {one.at.message for one in sources}
    seen = set(said([message for name, message in view.messages if name not in gone]))
    made = list[Sheet]()
    for one in reversed(sources):
        if one.role is Role.TOOL:
            new = sheet(one.text, one.tokens, view.interest, one.at, TOOLS)
        else:
            new = talk.sheet(one.text, one.tokens, view.interest, one.at, one.role, seen)
        made.append(msgspec.structs.replace(new, marked=False))
    return made[::-1]


def _written(
    view: View, runs: Sequence[Run], sheets: Sequence[Sheet], shown: Sequence[Sequence[int]]
) -> list[str]:
    """The notes of runs: a first line each, then what is shown of each text on lines of its own."""
    rows, notes = iter(zip(sheets, shown, strict=True)), list[str]()
    for run in runs:
        lines = list[str]()
        for source in run.sources:
            sign = "" if source.role is Role.USER else OTHERS
            lines += [sign + line for text in stretches(*next(rows)) for line in text.split("\n")]
        mixed = any(line.startswith(OTHERS) for line in lines)
        notes.append("\n".join([gathered_stub(run.messages, mixed, view.handle(run.span)), *lines]))
    return notes
