"""Messages in short, and what a finder finds in them."""

from __future__ import annotations

import re

from trimtab.facts import Fact
from trimtab.finders import ALL
from trimtab.transcript import Message, Role, Text, ToolCall, ToolResult

FINDERS = {one.name: one for one in ALL}


def user(*texts: str) -> Message:
    return Message(Role.USER, tuple(map(Text, texts)))


def says(text: str) -> Message:
    return Message(Role.ASSISTANT, (Text(text),))


def calls(name: str, arguments: str = "{}") -> Message:
    return Message(Role.ASSISTANT, (ToolCall("c", name, arguments),))


def gives(text: str, *, is_error: bool = False) -> Message:
    return Message(Role.TOOL, (ToolResult("c", text, is_error),))


def found(name: str, *messages: Message) -> list[Fact]:
    return [*FINDERS[name].find(messages)]


def finds(facts: list[Fact], text: str) -> bool:
    """Whether one of the facts is exactly this text, be it at the end of an identifier."""
    return any(fact.pattern.fullmatch(text) and not fact.pattern.search(re.sub(r"\w", "", text)) for fact in facts)
