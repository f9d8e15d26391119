"""Finders of facts, and how what a caller asks for becomes facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import structs

from trimtab.errors import ConfigError
from trimtab.facts import Fact, given
from trimtab.finders.base import Finder
from trimtab.finders.identifiers import Identifiers
from trimtab.finders.last_error import LastError
from trimtab.finders.rules import Rules
from trimtab.finders.said import Said
from trimtab.finders.todos import Todos
from trimtab.transcript import Message

FINDERS: tuple[Finder, ...] = (Rules(), Todos(), LastError(), Identifiers())
"""Those that the default preset asks, without firmness."""

ALL: tuple[Finder, ...] = (*FINDERS, Said())
"""All there are, each to be asked for by name."""

ASK = "find:"
"""Starts a fact that is the name of a finder."""


def found(messages: Sequence[Message], finders: Iterable[Finder] = FINDERS) -> list[Fact]:
    """What these finders find, none of it firm."""
    return [structs.replace(fact, firm=False) for one in finders for fact in one.find(messages)]


def wanted(texts: Sequence[str], messages: Sequence[Message]) -> list[Fact]:
    """The facts a caller asks for: texts, `re:` patterns, `find:` names. Raises ConfigError for what is none."""
    asked = [_finder(text.removeprefix(ASK)) for text in texts if text.startswith(ASK)]
    plain = given(text for text in texts if not text.startswith(ASK))
    return [*plain, *(structs.replace(fact, firm=True) for one in asked for fact in one.find(messages))]


def _finder(name: str) -> Finder:
    known = {one.name: one for one in ALL}
    if name not in known:
        raise ConfigError(f"fact {ASK + name!r}: there is no such finder, only {', '.join(known)}")
    return known[name]


def check(texts: Sequence[str]) -> None:
    """Raises ConfigError for a fact that is no pattern and no finder."""
    wanted(texts, ())


__all__ = ["ALL", "ASK", "FINDERS", "Finder", "check", "found", "wanted"]
