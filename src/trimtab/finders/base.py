"""The one shape of a finder: it reads messages and names facts that should stay visible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol

from trimtab.facts import Fact
from trimtab.jsonbytes import encode
from trimtab.transcript import Message, Role, Text


class Finder(Protocol):
    """Finds facts of one sort. `name` equals the file name; `find:name` among a caller's facts asks for it.

    Every fact costs a search of the whole request, so a finder names a bounded number of them. Pure, linear.
    """

    name: ClassVar[str]

    def find(self, messages: Sequence[Message]) -> Iterator[Fact]:
        """Facts in messages as they were given, oldest first; `firm` is left to who asks."""
        ...


def exact(text: str, why: str, *, told: bool = True) -> Fact:
    """The fact that a text must be shown as it is, be it inside the JSON of a call's arguments."""
    inside = encode(text).decode("utf-8", "surrogatepass")[1:-1]
    both = re.escape(text) if inside == text else f"{re.escape(text)}|{re.escape(inside)}"
    return Fact(re.compile(both), why, told=told, text=text)


def whole(name: str, why: str, *, told: bool = True) -> Fact:
    """The fact that an identifier or a number must be shown, not merely as the beginning of a longer one."""
    longer = r"\w" if any(map(str.isalpha, name)) else r"\d"
    return Fact(re.compile(rf"{re.escape(name)}(?!{longer})"), why, told=told, text=name)


def said(messages: Sequence[Message]) -> list[str]:
    """The texts that the user said, the latest first; results are none."""
    spoken = (one for one in reversed(messages) if one.role is Role.USER)
    return [part.text for one in spoken for part in reversed(one.parts) if isinstance(part, Text)]
