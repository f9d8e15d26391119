"""What was said in a conversation, sentence by sentence: how often, by whom, and what has been replaced since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log

from trimtab.choice import Sheet
from trimtab.claims import Claim, Page
from trimtab.claims.asked import asked
from trimtab.claims.facts import FACT, facts
from trimtab.edits import At
from trimtab.excerpts import read
from trimtab.excerpts.base import Outline, Unit
from trimtab.excerpts.prose import sentences
from trimtab.excerpts.text import LONGEST, pieces
from trimtab.interest import Interest
from trimtab.score import scored
from trimtab.selection import rows
from trimtab.statements import LABELLED, is_bare, leans, says_nothing, stated
from trimtab.supersession import superseded
from trimtab.transcript import Message, Role, Text
from trimtab.words import identifiers

ASSISTANTS = 0.5
"""What a statement of the assistant counts beside one of the user's."""

TOOLS = 0.25
"""What calls and results count beside what is said: they are most of a conversation, and can be had again."""

CARRIED = 0.5
"""What the sentences behind a labelled one on its line have of the label's worth."""

USED = 0.9
"""What an identifier counts that other messages name."""

NEVER = -1.0
"""The worth of what is not shown even where there is room."""


SPOKEN = frozenset({"prose", "markdown"})
"""Kinds whose units are sentences; of others, such as code, only labels count."""


def said(messages: Sequence[Message]) -> Iterator[str]:
    """The sentences of users and assistants, without the white space around them."""
    for message in messages:
        texts = [part.text for part in message.parts if isinstance(part, Text)]
        for text in texts if message.role in (Role.USER, Role.ASSISTANT) else ():
            found = (text[unit.start : unit.stop].strip() for unit in _outline(text).units)
            yield from (sentence for sentence in found if 0 < len(sentence) <= LONGEST)


class Talk:
    """The texts of users and assistants, in their order."""

    def __init__(self, messages: Sequence[Message]) -> None:
        found = list(said(messages))
        self._times = Counter(found)
        self._all = len(found) + 1
        self._replaced = {found[number] for number in superseded(found)}

    def sheet(self, text: str, tokens: int, interest: Interest, at: At, role: Role, seen: set[str]) -> Sheet:
        """A text of the user or the assistant made ready to be chosen from, as `excerpt.sheet` does for others.

        The sentences in `seen` are not shown again; those of this text join them.
        """
        outline = _outline(text)
        found = _claims(text, outline, interest, at)
        if outline.kind in SPOKEN:
            self._say(text, outline, found, interest, at, role, seen)
        else:
            for unit, own in zip(outline.units, found, strict=True):
                own += (one for one in stated(text[unit.start : unit.stop].strip()) if one.worth >= LABELLED)
        return Sheet(text, outline, found, max(len(text) / max(tokens, 1), 0.5))

    def _say(
        self,
        text: str,
        outline: Outline,
        found: Sequence[list[Claim]],
        interest: Interest,
        at: At,
        role: Role,
        seen: set[str],
    ) -> None:
        """Add to the claims of sentences what they state, and bar those that need not be shown."""
        label = 0.0
        for unit, own in zip(outline.units, found, strict=True):
            sentence = text[unit.start : unit.stop].strip()
            made = self._weighed(sentence, role)
            if text[unit.start - 1 : unit.start] in ("", "\n"):
                label = sum(one.worth for one in made if one.key.startswith("label "))
            elif label:
                made.append(Claim(f"labelled {sentence[:80]}", label * CARRIED))
            own += [*made, *_used(sentence, interest, at)]
            if outline.kind == "prose" and (
                says_nothing(sentence) or (role is Role.ASSISTANT and is_bare(sentence))
            ):
                own[:] = [Claim("says nothing", NEVER)]
            elif sentence in self._replaced:
                own[:] = [*(one for one in own if one.worth >= FACT), Claim("replaced since", NEVER)]
            elif sentence in seen:
                own[:] = [Claim("said again", NEVER)]
            seen.add(sentence)

    def _weighed(self, sentence: str, role: Role) -> list[Claim]:
        """What a sentence states: the less, the more often it is said; the assistant's less than the user's."""
        times = max(self._times[sentence], 1)
        share = (ASSISTANTS if role is Role.ASSISTANT else 1.0) * log(self._all / times) / log(max(self._all, 2))
        return [Claim(one.key, one.worth * share) for one in stated(sentence)]


def _used(sentence: str, interest: Interest, at: At) -> Iterator[Claim]:
    """Identifiers that other messages name as well."""
    for name in identifiers(sentence):
        if any(holder.message != at.message for holder in interest.used.get(name, ())):
            yield Claim(f"used {name}", USED)


def _claims(text: str, outline: Outline, interest: Interest, at: At) -> list[list[Claim]]:
    """The claims of each unit; of sentences only those that do not compare them with their like."""
    page = Page(text, outline, interest, at)
    if outline.kind != "prose":
        return scored(page)
    found: list[list[Claim]] = [[] for _ in outline.units]
    for reason in (asked, facts):
        for number, claim in reason(page):
            found[number].append(claim)
    return found


CACHED = 2_000
"""Characters up to which a text is remembered as it was read: a conversation is read at each of its boundaries."""


def _outline(text: str) -> Outline:
    return _remembered(text) if len(text) <= CACHED else _read(text)


def _read(text: str) -> Outline:
    """A text in sentences, unless it is of a kind that has units of its own."""
    found = read(text)
    return Outline("prose", list(_units(text))) if found.kind in ("text", "prose") else found


_remembered = lru_cache(maxsize=4096)(_read)


def _units(text: str) -> Iterator[Unit]:
    """A unit a sentence, with those behind it on its line that say nothing without it."""
    start = 0
    for line in rows(text):
        spans = list[tuple[int, int]]()
        for begin, end in sentences(line):
            if spans and end - spans[-1][0] <= LONGEST and leans(line[begin:end]):
                begin = spans.pop()[0]
            spans.append((begin, end))
        for begin, end in spans:
            yield from pieces(text, start + begin, start + end)
        start += len(line)
