"""Asking the writer: piece by piece of the transcript, and what it answers is read and checked at once."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from trimtab.edits import Ask, Brief
from trimtab.handoff import headings
from trimtab.handoff.brief import again, ask, texts
from trimtab.handoff.ground import Ground
from trimtab.handoff.headings import Heading, Sections
from trimtab.handoff.language import language
from trimtab.handoff.note import rendered
from trimtab.handoff.verify import Fault, verified
from trimtab.writer import Writer, answer

FEWEST_HEADINGS = 2
"""Headings that an answer must have to be taken for a note; one word may be there by chance."""

UNTITLED = "Summary"
"""The title of an answer to a prompt of the caller's own."""


class Answered(NamedTuple):
    """What stands of an answer, what was wrong with the rest, and the model."""

    sections: Sections
    faults: Sequence[Fault]
    by: str


class Refused(NamedTuple):
    """Why an answer cannot be a note; a writer that failed is not asked again (`final`)."""

    why: str
    faults: Sequence[Fault] = ()
    final: bool = False


class Asking:
    """The questions of one brief about one ground; the writer has its seconds from now on."""

    def __init__(self, ground: Ground, brief: Brief, writer: Writer | None) -> None:
        self._ground, self._brief, self._writer = ground, brief, writer
        self._until = time.monotonic() + brief.seconds
        self._wanted: tuple[Heading, ...] = () if brief.prompt else headings.headings(brief.headings)
        self.titles = {one.key: one.title for one in self._wanted} or {"": UNTITLED}

    def once(self, problems: Sequence[str]) -> Answered | Refused:
        """One answer; `problems` are those of the one before it."""
        rest: Sequence[str] = texts(self._ground, self._brief)
        kept, faults, by = Sections(), list[Fault](), ""
        while rest:
            question, rest = ask(rest, rendered(self.titled(kept)), self._brief, self._wanted, self._ground)
            found, by = self._asked(again(question, problems) if problems else question)
            if isinstance(found, Refused):
                return found
            stands, new = verified(found, self._ground)
            kept, faults = stands or kept, [*faults, *new]
        if not kept:
            return Refused("nothing of the note stands", faults)
        spoken, said = self._ground.language, language(rendered(kept))
        if spoken and said and said != spoken:
            return Refused(f"the note is in another language ({said}) than the user's ({spoken})", faults)
        return Answered(kept, faults, by)

    def _asked(self, question: Ask) -> tuple[Sections | Refused, str]:
        """What the writer says to one question, in sections, and its name."""
        seconds = self._until - time.monotonic()
        written, problem = answer(self._writer, replace(question, seconds=max(seconds, 0.0)))
        if problem and time.monotonic() >= self._until:
            return Refused(f"the writer did not answer within {self._brief.seconds:g} s", final=True), ""
        if problem:
            return Refused(problem, final=True), ""
        if not written.whole:
            return Refused(f"the writer's note was cut off at {self._brief.most:,} tokens"), ""
        found = headings.read(written.text, self._wanted)
        if len(found) < min(FEWEST_HEADINGS, len(self.titles)):
            return Refused("the answer has not got the headings that were asked for"), ""
        return found, re.sub(r"[^\w./:@+-]", "", written.model)[:80]

    def titled(self, sections: Sections) -> dict[str, Sequence[str]]:
        """Sections by their titles."""
        return {self.titles[key]: items for key, items in sections.items()}
