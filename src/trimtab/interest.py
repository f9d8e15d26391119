"""What a conversation is about: the words of the question, the identifiers it works with, the facts to keep."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from trimtab.edits import At
from trimtab.facts import Fact
from trimtab.transcript import Message, Role, Text, ToolCall, ToolResult
from trimtab.words import named, stems

NEWEST, TASK, STEP, EARLIER = 1.0, 0.7, 0.5, 0.3
"""Weights of the words of the newest turn, of the first one, of what the assistant said and did last and
before."""

AFTER, BEFORE = 0.9, 0.9
"""Weights of the words by which the assistant went on from a result, and of those with which it asked for it."""

MIXED = re.compile(r"(?<!\w)[^\W\d]*+\d\w*+")
"""Numbers and ids, which are no words but identifiers."""

AGAIN = 1.5
"""How much more a word counts that is said more than once."""

STEPS = 20
"""Messages of the assistant whose words count."""

PATHS = re.compile(r'"[\w-]*+"\s*+:|(?<![^\s"])[^\s"/\\]*+[/\\][^\s"]*+|\.\w++')
"""Keys and paths in arguments, whose words are no words of a question."""

HOLDERS = 3
"""Parts remembered for an identifier; one that more parts use tells little more."""


class Interest(Struct, frozen=True):
    """`asked` are stems with their weights, `used` the parts that name an identifier, `said` those that the user,
    the assistant or a call named; `around` are the stems said right before and after a result, by its message;
    `facts` must stay visible."""

    asked: Mapping[str, float] = {}
    used: Mapping[str, Sequence[At]] = {}
    said: frozenset[str] = frozenset()
    facts: Sequence[Fact] = ()
    around: Mapping[bytes, Mapping[str, float]] = {}

    def wanted(self, at: At | None) -> Mapping[str, float]:
        """The stems asked for in a part, with their weights."""
        near = self.around.get(at.message, {}) if at else {}
        return {**near, **self.asked, **{one: max(near[one], self.asked[one]) for one in near.keys() & self.asked}}


def interest(messages: Sequence[tuple[bytes, Message]], facts: Sequence[Fact] = ()) -> Interest:
    """The interest of a conversation as it stands, from messages as they were given."""
    used = dict[str, list[At]]()
    names = set[str]()
    for name, message in messages:
        for number, part in enumerate(message.parts):
            found = named(_words(part))
            if not isinstance(part, ToolResult):
                names |= found
            for one in found:
                holders = used.setdefault(one, [])
                if len(holders) < HOLDERS:
                    holders.append(At(name, number))
    return Interest(
        _asked([message for _, message in messages]), used, frozenset(names), tuple(facts), _around(messages)
    )


def said(messages: Sequence[tuple[bytes, Message]]) -> frozenset[str]:
    """`Interest.said` alone: results, which are most of a conversation, need not be read for it."""
    parts = (part for _, message in messages for part in message.parts if not isinstance(part, ToolResult))
    return frozenset(name for part in parts for name in named(_words(part)))


def _asked(messages: Sequence[Message]) -> dict[str, float]:
    """The stems of the task, of the newest turn and of the assistant's steps, each with its greatest weight."""
    turns = [one for one in messages if one.role is Role.USER and any(isinstance(p, Text) for p in one.parts)]
    steps = [one for one in messages if one.role is Role.ASSISTANT]
    asked: dict[str, float] = {}
    for weight, chosen in (
        (EARLIER, steps[-STEPS:-1]),
        (STEP, steps[-1:]),
        (TASK, turns[:1]),
        (NEWEST, turns[-1:]),
    ):
        for message in chosen:
            asked |= _weighed(message, weight)
    return asked


def _around(messages: Sequence[tuple[bytes, Message]]) -> dict[bytes, dict[str, float]]:
    """For each message with results the stems of what the assistant said before and after it."""
    found: dict[bytes, dict[str, float]] = {}
    said: Message | None = None
    waiting: list[bytes] = []
    for name, message in messages:
        if message.role is Role.ASSISTANT:
            said = message
            for one in waiting:
                found[one] |= _weighed(message, AFTER)
            waiting = []
        elif any(isinstance(part, ToolResult) for part in message.parts):
            found[name] = _weighed(said, BEFORE) if said else {}
            waiting.append(name)
    return found


def _weighed(message: Message, weight: float) -> dict[str, float]:
    """The stems of what a message says and does, those it has twice for more."""
    texts = (
        PATHS.sub(" ", part.arguments) if isinstance(part, ToolCall) else _words(part) for part in message.parts
    )
    texts = (MIXED.sub(" ", text) for text in texts)
    words = "" if any(isinstance(part, ToolResult) for part in message.parts) else " ".join(texts)
    times = Counter(stems(words))
    return {stem: weight * (1.0 if count == 1 else AGAIN) for stem, count in times.items()}


def _words(part: object) -> str:
    match part:
        case Text() | ToolResult():
            return part.text
        case ToolCall():
            return part.arguments
    return ""
