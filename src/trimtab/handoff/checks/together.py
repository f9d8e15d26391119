"""Identifiers that a note names together must stand together in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise, product
from typing import NamedTuple

from trimtab.handoff.checks.base import ENDS, Ruling, Sentence
from trimtab.handoff.ground import Ground
from trimtab.handoff.identifiers import Found, Kind, identifiers, shape
from trimtab.words import stems

LINE = re.compile(
    r"(?:\blines?|\bzeilen?|\bl[íi]neas?|\blignes?|\blinhas?|行|:|#?\bL)\W{0,3}(?:\d+\W{1,3})?$", re.IGNORECASE
)
"""What stands before the number of a line."""

NUMBERED = re.compile(r"\s*(\d+)(?:[\t:|→)\]-]|\s{1,4}\S|$)")
"""A line that begins with its number."""

RANGE = re.compile(r"\d\s?[-–]\s?$")
"""What stands before the last of several lines."""

SHARED = 2
"""Words that a note and a line have in common when the note quotes the line."""

CLAUSE = re.compile(r"[,;，；、]\s*|\s(?:and|und|y|et|e|и|和)\s")
"""Where a clause ends."""

WORD = re.compile(r"[^\W\d][\w.-]*")


def together(sentence: Sentence) -> Ruling | None:
    """Corrects a number of a line, or a value, where the source leaves one reading; else strikes the sentence."""
    here = identifiers(sentence.text)
    for one, other in sorted(_pairs(sentence, here), key=_rank):
        if not _stand_together(one, other, sentence):
            right = _right(one, other, here, sentence) if not sentence.before else None
            if right is not None:
                return together(sentence._replace(text=right.text)) or right
            return Ruling("", f"{one.text!r} and {other.text!r} do not stand together in the source")
    return None


class _Clause(NamedTuple):
    """What a clause names, and of which kinds that is; of an `earlier` sentence or of this one."""

    named: list[Found]
    kinds: set[Kind]
    earlier: bool


def _pairs(sentence: Sentence, here: list[Found]) -> Iterator[tuple[Found, Found]]:
    """Each two that are named together, one of them in this sentence.

    Of clauses that name the same kinds of things, as in `a = 1, b = 2`, each speaks of its own.
    """
    clauses = [
        *_clauses(sentence.before, identifiers(sentence.before), ENDS, sentence.ground),
        *_clauses(sentence.text, here, CLAUSE, sentence.ground),
    ]
    for number, clause in enumerate(clauses):
        yield from () if clause.earlier else combinations(clause.named, 2)
        for before in () if clause.earlier else clauses[:number]:
            for one, other in product(before.named, clause.named):
                if one.kind not in clause.kinds or other.kind not in before.kinds:
                    yield one, other


def _clauses(text: str, named: list[Found], end: re.Pattern[str], ground: Ground) -> Iterator[_Clause]:
    stops = [*(match.start() for match in end.finditer(text)), len(text)]
    for start, stop in pairwise([0, *stops]):
        inside = [one for one in named if start <= one.start < stop]
        kinds = {one.kind for one in inside}
        if any(ground.settings.has(word) for word in WORD.findall(text, start, stop)):
            kinds.add(Kind.NAME)
        if inside:
            yield _Clause(inside, kinds, end is ENDS)


def _rank(pair: tuple[Found, Found]) -> bool:
    """A file and its line first: that number can be corrected."""
    return {one.kind for one in pair} != {Kind.PATH, Kind.NUMBER}


def _stand_together(one: Found, other: Found, sentence: Sentence) -> bool:
    if one.text == other.text or one.kind is other.kind is Kind.PATH or _is_range(one, other, sentence):
        return True
    ground = sentence.ground
    path, inner = (one, other) if one.kind is Kind.PATH else (other, one)
    is_line = path.kind is Kind.PATH and inner.kind is Kind.NUMBER and _is_of_line(inner, sentence)
    records = (ground.record(where) for where in ground.records(one.text) & ground.records(other.text))
    if any(_says_line(text, path, inner) if is_line else _aligned(one.text, other.text, text) for text in records):
        return True
    if path.kind is not Kind.PATH:
        return _on_line(one, other, sentence) or _on_line(other, one, sentence)
    if inner.kind is Kind.NUMBER:
        if is_line and any(_says_line(line, path, inner) for line in _within(ground, path, inner)):
            return True
        if is_line and RANGE.search(sentence.text[: inner.start]) and inner.text.isdigit():
            return any(ground.numbered(path.text, int(inner.text)))
        return any(_quotes(sentence, path, inner, line) for line in _lines(ground, path, inner, sentence))
    lines = ground.lines(inner.text)
    return any(line in where for where in ground.of_file(path.text) for line in lines)


def _on_line(number: Found, other: Found, sentence: Sentence) -> bool:
    """Whether a number is that of a line, of a file that the note names here, on which the other stands."""
    if number.kind is not Kind.NUMBER or not _is_of_line(number, sentence):
        return False
    paths = (one for one in identifiers(sentence.text) if one.kind is Kind.PATH)
    lines = (line for path in paths for line in _lines(sentence.ground, path, number, sentence))
    return any(other.text == one.text for line in lines for one in identifiers(line))


def _is_range(one: Found, other: Found, sentence: Sentence) -> bool:
    """Whether two numbers are those of the first and the last of several lines."""
    between = sentence.text[one.stop : other.start]
    return (
        one.kind is other.kind is Kind.NUMBER
        and between.strip() in ("-", "–")
        and sentence.text.startswith(one.text, one.start)
        and _is_of_line(one, sentence)
    )


def _says_line(text: str, path: Found, number: Found) -> bool:
    """Whether a text says that a number is that of a line of a file."""
    places = (one.start() for one in re.finditer(rf"(?<![\w.]){re.escape(number.text)}(?!\w)", text))
    before = (text[:place] for place in places)
    return any(LINE.search(told[-24:]) or told.endswith(f"{path.text}(") for told in before)


def _aligned(one: str, other: str, line: str) -> bool:
    """Whether two are a pair where a line has several such pairs, as in `a 1, b 2`."""
    shapes = shape(one), shape(other)
    row = [found.text for found in identifiers(line) if shape(found.text) in shapes]
    kinds = [shape(text) for text in row]
    if shapes[0] == shapes[1] or len(row) < 4 or kinds != kinds[:2] * (len(row) // 2):
        return True
    return any({one, other} == {*row[n : n + 2]} for n in range(0, len(row), 2))


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
    words = set(stems(said)) - {*stems(path.text), *stems(number.text), *stems("line lines")}
    return bool(words) and len(words & set(stems(line))) >= min(SHARED, len(words))


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
        found = set(ground.settings.values(named.text))
    if len(found) != 1 or (right := found.pop()) in ("", number.text):
        return None
    text = sentence.text[: number.start] + right + sentence.text[number.stop :]
    return Ruling(text, f"{number.text!r} is {right!r} in the source")
