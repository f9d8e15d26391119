"""Every identifier must stand in the source as it stands in the note."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.ground import Ground
from trimtab.handoff.identifiers import Found, Kind, identifiers

BLANKS = re.compile(r"(?: [\w.()-]{1,40}){0,6} ")
"""What stands between the pieces of a path with blanks in it."""

ROOT = re.compile(r"[~.]{0,2}/|[A-Za-z]:\\|\\\\")
"""How a path begins that is no piece of one."""


def exact(sentence: Sentence) -> Ruling | None:
    """Corrects an identifier that can only be meant for one of the source's; else strikes the sentence."""
    text, told = sentence.text, list[str]()
    for one in reversed(identifiers(text)):
        if sentence.ground.places(one.text):
            continue
        right = sentence.ground.known.meant(one.text)
        if not right:
            return Ruling("", f"{one.text!r} is not in the source")
        text = text[: one.start] + right + text[one.stop :]
        told.append(f"{one.text!r} is {right!r} in the source")
    for mend in (_parted, _filled):
        for one, other in reversed([*pairwise(identifiers(text))]):
            joined = text[one.start : other.stop]
            right = mend(one, other, joined, sentence.ground)
            if not right:
                return Ruling("", f"{joined!r} is not in the source")
            if right != joined:
                text = text[: one.start] + right + text[other.stop :]
                told.append(f"{joined!r} is {right!r} in the source")
    return Ruling(text, ", ".join(reversed(told))) if told else None


Mend = Callable[[Found, Found, str, Ground], str]


def _parted(one: Found, other: Found, joined: str, ground: Ground) -> str:
    """Two identifiers joined to one, apart where the source has not got that one; an address is not parted."""
    between = joined[len(one.text) : -len(other.text)]
    if between not in ("-", "–", ":", "=") or ground.places(joined):
        return joined
    if between == ":" and one.kind is other.kind is Kind.NUMBER:
        return ""
    if between == ":" and one.kind is Kind.PATH and other.kind is Kind.NUMBER:
        return f"{one.text} line {other.text}"
    return f"{one.text}: {other.text}" if between == ":" else f"{one.text} {between} {other.text}"


def _filled(one: Found, other: Found, joined: str, ground: Ground) -> str:
    """A path with blanks as the source has it, told by its first and last pieces."""
    between = joined[len(one.text) : -len(other.text)]
    if not ROOT.match(one.text) or other.kind is not Kind.PATH or ROOT.match(other.text):
        return joined
    if not BLANKS.fullmatch(between) or joined in ground.text:
        return joined
    pieces = re.compile(re.escape(one.text) + BLANKS.pattern + re.escape(other.text))
    found = {match[0] for match in pieces.finditer(ground.text)}
    return found.pop() if len(found) == 1 else joined
