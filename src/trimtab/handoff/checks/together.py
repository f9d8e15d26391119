"""Identifiers that a note names together must stand together in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.ground import Ground
from trimtab.handoff.identifiers import Found, Kind, identifiers
from trimtab.words import stems

LINE = re.compile(
    r"(?:\blines?|\bzeilen?|\bl[íi]neas?|\blignes?|\blinhas?|行|:|#?\bL)\W{0,3}(?:\d+\W{1,3})?$", re.IGNORECASE
)
"""What stands before the number of a line."""

NUMBERED = re.compile(r"\s*(\d+)(?:[\t:|→)\]-]|\s{1,4}\S|$)")
"""A line that begins with its number."""

SHARED = 2
"""Words that a note and a line have in common when the note quotes the line."""


def together(sentence: Sentence) -> Ruling | None:
    """Corrects a number of a line, or a value, where the source leaves one reading; else strikes the sentence."""
    here = identifiers(sentence.text)
    for one, other in sorted(_pairs(identifiers(sentence.before), here), key=_rank):
        if not _stand_together(one, other, sentence):
            right = _right(one, other, here, sentence) if not sentence.before else None
            if right is not None:
                return together(sentence._replace(text=right.text)) or right
            return Ruling("", f"{one.text!r} and {other.text!r} do not stand together in the source")
    return None


def _pairs(before: list[Found], here: list[Found]) -> Iterator[tuple[Found, Found]]:
    """Each two that are named together, one of them in this sentence."""
    yield from product(before, here)
    yield from ((one, other) for n, one in enumerate(here) for other in here[n + 1 :])


def _rank(pair: tuple[Found, Found]) -> bool:
    """A file and its line first: that number can be corrected."""
    return {one.kind for one in pair} != {Kind.PATH, Kind.NUMBER}


def _stand_together(one: Found, other: Found, sentence: Sentence) -> bool:
    if one.text == other.text or one.kind is other.kind is Kind.PATH:
        return True
    ground = sentence.ground
    if not ground.lines(one.text).isdisjoint(ground.lines(other.text)):
        return True
    path, inner = (one, other) if one.kind is Kind.PATH else (other, one)
    if path.kind is not Kind.PATH:
        return False
    if inner.kind is Kind.NUMBER:
        return any(_quotes(sentence, path, inner, line) for line in _lines(ground, path, inner, sentence))
    lines = ground.lines(inner.text)
    return any(line in where for where in ground.of_file(path.text) for line in lines)


def _lines(ground: Ground, path: Found, number: Found, sentence: Sentence) -> Iterator[str]:
    """The lines of a file that a number can belong to: the line it numbers, or one that holds it."""
    if _is_of_line(number, sentence):
        yield from (line for line in _within(ground, path, number) if _number(line) == number.text)
        yield from ground.numbered(path.text, int(number.text)) if number.text.isdigit() else ()
    else:
        yield from (line for line in _within(ground, path, number) if _number(line) != number.text)


def _is_of_line(number: Found, sentence: Sentence) -> bool:
    """Whether a number is said to be that of a line; where it stands in an earlier sentence nobody knows."""
    text = sentence.text if sentence.text.startswith(number.text, number.start) else sentence.before
    return LINE.search(text[max(number.start - 24, 0) : number.start]) is not None


def _within(ground: Ground, path: Found, other: Found) -> Iterator[str]:
    lines = ground.lines(other.text)
    for where in ground.of_file(path.text):
        yield from (ground.words(line) for line in lines if line in where)


def _number(line: str) -> str:
    match = NUMBERED.match(line)
    return match[1] if match else ""


def _quotes(sentence: Sentence, path: Found, number: Found, line: str) -> bool:
    """Whether the note says what stands on this line."""
    said = f"{sentence.before} {sentence.text}"
    names = {one.text for one in identifiers(said)} - {path.text, number.text}
    if any(one.text in names for one in identifiers(line)):
        return True
    where = {*stems(path.text), *stems(number.text), *stems("line lines")}
    return len(set(stems(said)) & set(stems(line)) - where) >= SHARED


def _right(one: Found, other: Found, here: list[Found], sentence: Sentence) -> Ruling | None:
    """The sentence with the number that the source has for it, if there is only one."""
    number = other if other.kind is Kind.NUMBER else one
    named = one if number is other else other
    if number.kind is not Kind.NUMBER or named.kind is Kind.NUMBER:
        return None
    ground, found = sentence.ground, set[str]()
    if named.kind is Kind.PATH:
        rest = [that.text for that in here if that not in (number, named)]
        if rest and _is_of_line(number, sentence):
            inside = [line for where in ground.of_file(named.text) for line in where]
            common = frozenset(inside).intersection(*map(ground.lines, rest))
            found = {_number(ground.words(line)) for line in common}
    elif len(here) == 2:
        found = set(ground.values(named.text))
    if len(found) != 1 or not (right := found.pop()):
        return None
    text = sentence.text[: number.start] + right + sentence.text[number.stop :]
    return Ruling(text, f"{number.text!r} is {right!r} in the source")
