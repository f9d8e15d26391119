"""From a brief to a note: written by a model, checked, repaired, accepted; or the program's own in its place."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from trimtab.credentials import masked
from trimtab.edits import Brief
from trimtab.handoff import headings
from trimtab.handoff.brief import again, ask, texts
from trimtab.handoff.ground import Ground
from trimtab.handoff.headings import Heading, Sections
from trimtab.handoff.language import language
from trimtab.handoff.note import KEPT, marked, rendered
from trimtab.handoff.parts import PARTS, USER
from trimtab.handoff.verify import CORRECTED, STRUCK, Fault, news, verified
from trimtab.writer import Writer, answer

RETRIED, ALONE = "note-retried", "note-alone"

MOST_TOLD = 20
"""Faults of a note that are told one by one."""

FEWEST_HEADINGS = 2
"""Headings that an answer must have to be taken for a note; one word may be there by chance."""

MARKS = 110
"""Tokens of the marks of a note at most."""

BARE = "made by trimtab without a model"


class Noted(NamedTuple):
    """A note, or why there is none; and what was done to make it, as pairs of rule and text.

    `by` is the model, "" where the note is the program's own.
    """

    text: str = ""
    by: str = ""
    faults: Sequence[tuple[str, str]] = ()
    problem: str = ""


class _Refused(NamedTuple):
    """Why an answer cannot be a note; a writer that failed is not asked again."""

    why: str
    faults: Sequence[Fault] = ()
    final: bool = False


class _Accepted(NamedTuple):
    sections: Mapping[str, Sequence[str]]
    faults: Sequence[Fault]
    by: str


def noted(ground: Ground, brief: Brief, writer: Writer | None, tokens: int, handle: str, messages: int) -> Noted:
    """The note on messages of so many `tokens`, which come back by `handle`.

    One answer that cannot be a note is sent back with what was wrong with it; the next is the last.
    """
    job = _Job(ground, brief, writer, int(tokens / brief.factor), time.monotonic() + brief.seconds)
    told = list[tuple[str, str]]()
    problems: Sequence[str] = ()
    for _ in range(2):
        found = job.attempt(problems)
        if isinstance(found, _Accepted):
            told += _told(found.faults)
            by = found.by or "a model"
            return Noted(_text(found, handle, messages, _checked(by, found.faults)), by, told)
        problems = [found.why, *map(str, found.faults)]
        told.append((RETRIED, found.why))
        if found.final:
            break
    why = told[-1][1]
    bare = job.alone() if brief.stands_alone else None
    if bare is None:
        return Noted(faults=told[:-1], problem=why)
    return Noted(
        _text(bare, handle, messages, BARE), "", [*told[:-1], (ALONE, f"{why}; the note is the program's own")]
    )


class _Job:
    """The making of one note of at most `most` tokens."""

    def __init__(self, ground: Ground, brief: Brief, writer: Writer | None, most: int, until: float) -> None:
        self._ground, self._brief, self._writer, self._most, self._until = ground, brief, writer, most, until
        self._wanted: tuple[Heading, ...] = () if brief.prompt else headings.headings(brief.headings)
        self._titles = {one.key: one.title for one in self._wanted} or {"": "Summary"}

    def attempt(self, problems: Sequence[str]) -> _Accepted | _Refused:
        """Ask, piece by piece, and judge what comes back."""
        rest: Sequence[str] = texts(self._ground, self._brief)
        so_far, faults, by = Sections(), list[Fault](), ""
        while rest:
            told = rendered(self._named(so_far))
            question, rest = ask(rest, told, self._brief, self._wanted, self._ground)
            seconds = self._until - time.monotonic()
            if seconds <= 0:
                return _Refused(f"the writer did not answer within {self._brief.seconds:g} s", final=True)
            question = replace(again(question, problems) if problems else question, seconds=round(seconds, 2))
            written, problem = answer(self._writer, question)
            if problem:
                return _Refused(problem, final=True)
            if not written.whole:
                return _Refused(f"the writer's note was cut off at {self._brief.most:,} tokens")
            found = headings.read(written.text, self._wanted)
            if len(found) < min(FEWEST_HEADINGS, len(self._titles)):
                return _Refused("the answer has not got the headings that were asked for")
            kept, new = verified(found, self._ground)
            so_far, faults, by = kept or so_far, [*faults, *new], _name(written.model)
        return self._judged(so_far, faults, by)

    def _judged(self, kept: Sections, faults: Sequence[Fault], by: str) -> _Accepted | _Refused:
        if not kept:
            return _Refused("nothing of the note stands", faults)
        spoken, said = (
            self._ground.language,
            language("\n".join(item for items in kept.values() for item in items)),
        )
        if spoken and said and said != spoken:
            return _Refused(f"the note is in another language ({said}) than the user's ({spoken})", faults)
        made = self._completed(kept)
        if made is None:
            return _Refused(f"the note is longer than {self._most:,} tokens", faults)
        return _Accepted(made, faults, by)

    def alone(self) -> _Accepted | None:
        """The program's own note, with what earlier notes said; None where even that is too long."""
        earlier = {key: items for key, title in self._titles.items() if (items := self._ground.kept(title))}
        made = self._completed(earlier) or self._completed({})
        return None if made is None else _Accepted(made, (), "")

    def _completed(self, kept: Sections) -> dict[str, Sequence[str]] | None:
        """The sections of the whole note: the user's words, the model's, the program's; None if they are too long.

        Each of the program's parts has what those before it leave of the room.
        """
        count = self._ground.count
        room = min(self._brief.program, self._most - MARKS - count(rendered(self._named(kept))))
        made = dict[str, Sequence[str]]()
        for title, part in PARTS.items():
            items = part(self._ground, room)
            while title != USER and items and count(rendered({title: items})) > room:
                items = items[1:]
            made[title] = items
            room -= count(rendered({title: items}))
        made[KEPT] = self._ground.kept(KEPT)
        sections = {USER: made[USER]} | self._named(news(kept, rendered(made))) | made
        return sections if count(rendered(sections)) + MARKS <= self._most else None

    def _named(self, kept: Sections) -> dict[str, Sequence[str]]:
        return {self._titles[key]: items for key, items in kept.items()}


def _text(found: _Accepted, handle: str, messages: int, by: str) -> str:
    return marked(masked(rendered(found.sections)), messages, handle, by)


def _checked(by: str, faults: Sequence[Fault]) -> str:
    """Who wrote a note, and what the checks did to it."""
    corrected, struck = (sum(one.rule == rule for one in faults) for rule in (CORRECTED, STRUCK))
    return f"in part written by {by} and checked by trimtab ({corrected} corrected, {struck} struck)"


def _told(faults: Sequence[Fault]) -> Iterator[tuple[str, str]]:
    yield from ((one.rule, str(one)) for one in faults[:MOST_TOLD])
    if len(faults) > MOST_TOLD:
        yield STRUCK, f"and {len(faults) - MOST_TOLD} more sentences corrected or struck"


def _name(model: str) -> str:
    """The name of a model as it may stand in a mark."""
    return re.sub(r"[^\w./:@+-]", "", model)[:80]
