"""Identifiers that the newest turns work with and that older results hold: what is at hand must stay in sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar

from trimtab.facts import Fact
from trimtab.finders.base import whole
from trimtab.stubs import HANDLE
from trimtab.transcript import Message, Role, Text, ToolCall, ToolResult
from trimtab.words import identifiers

MOST = 20
"""Identifiers in all, the rarest ones: each costs a search of all results, and may keep a line of one."""

COMMON = 5
"""Results above which an identifier tells them apart no more: the name of the project stands everywhere."""

MOST_NAMED = 200
"""Identifiers of the newest turns that are looked for, the first ones; what pastes more is no question."""


class Identifiers:
    """Identifiers of the last user message and of the last answer with its calls, as older results show them.

    Handles are none: every marker names its own, whatever becomes of it.
    """

    name: ClassVar[str] = "identifiers"

    def find(self, messages: Sequence[Message]) -> Iterator[Fact]:
        answer = _last(messages, Role.ASSISTANT)
        named = _named([messages[n] for n in sorted({answer, _last(messages, Role.USER)}) if n >= 0])
        facts = [whole(one, "the newest turns name it", told=False) for one in named[:MOST_NAMED]]
        older = messages[: max(answer, 0)]
        results = [part.text for one in older for part in one.parts if isinstance(part, ToolResult)]
        held = [(_holders(fact, results), number) for number, fact in enumerate(facts)]
        for _, number in sorted(pair for pair in held if 0 < pair[0] <= COMMON)[:MOST]:
            yield facts[number]


def _holders(fact: Fact, results: Sequence[str]) -> int:
    """How many results show an identifier; no more are counted than are too many."""
    held = (1 for text in results if fact.text in text and fact.pattern.search(text))
    return sum(islice(held, COMMON + 1))


def _last(messages: Sequence[Message], role: Role) -> int:
    """The last message in which someone says or calls something, -1 when there is none."""
    numbers = range(len(messages) - 1, -1, -1)
    here = (n for n in numbers if messages[n].role is role)
    return next((n for n in here if any(isinstance(part, Text | ToolCall) for part in messages[n].parts)), -1)


def _named(messages: Sequence[Message]) -> list[str]:
    texts = (
        part.text if isinstance(part, Text) else part.arguments
        for one in messages
        for part in one.parts
        if isinstance(part, Text | ToolCall)
    )
    found = (one for text in texts for one in identifiers(text))
    return [one for one in dict.fromkeys(found) if not HANDLE.fullmatch(one)]
