"""What a note says of an identifier must not be what the source says of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trimtab.handoff.checks.base import Ruling, Sentence
from trimtab.handoff.ground import Ground
from trimtab.handoff.identifiers import identifiers, shape
from trimtab.handoff.source import same_file
from trimtab.words import stems

LEAST, ALIKE = 2, 0.7
"""Words, and the part of a sentence's words, that a line has when the sentence says what the line says."""

ABOVE = 8
"""Lines above a line in which it is looked for what the line is about."""

MOST = 50
"""Lines that are looked at."""


def attached(sentence: Sentence) -> Ruling | None:
    """Strikes a sentence that says of an identifier what only stands beside another one like it."""
    named = identifiers(sentence.text)
    words = set(stems(sentence.text)) - {stem for one in named for stem in stems(one.text)}
    if not named or not words:
        return None
    for one in named:
        if word := sentence.ground.strange(one.text, words):
            return Ruling("", f"{one.text!r} stands in a record without {word!r}")
    if len(words) < LEAST:
        return None
    lines = list(_lines_with(words, sentence.ground))
    shapes = {shape(one.text) for one in named}
    for kind in shapes - {"0"}:
        own = {one.text for one in named if shape(one.text) == kind}
        about = [others for line in lines if (others := _about(line, kind, sentence.ground))]
        is_own = any(_is_one_of(text, own, kind) for others in about for text in others)
        if about and not is_own and not _says_so(own, words, sentence.ground):
            return Ruling("", f"the source says this of {about[0][0]!r}, not of {min(own)!r}")
    return None


def _lines_with(words: set[str], ground: Ground) -> Iterator[int]:
    """The lines that have most of these words."""
    times = Counter(line for word in words for line in ground.by_stem.get(word, ()))
    least = max(LEAST, ALIKE * len(words))
    yield from (line for line, count in times.most_common(MOST) if count >= least)


def _about(line: int, kind: str, ground: Ground) -> list[str]:
    """What of a kind a line is about: what it names, else what the nearest line above it names, else its file."""
    for number in range(line, max(line - ABOVE, -1), -1):
        if not ground.of_same_row(line, number):
            break
        if found := [one.text for one in identifiers(ground.words(number)) if shape(one.text) == kind]:
            return found
    return ground.file_of(line) if kind == "/" else []


def _is_one_of(text: str, own: set[str], kind: str) -> bool:
    return any(same_file(text, one) if kind == "/" else text == one for one in own)


def _says_so(own: set[str], words: set[str], ground: Ground) -> bool:
    """Whether half of the words stand on one line beside an identifier, or in a file of that name."""
    lines = {line for one in own for line in ground.lines(one)}
    lines |= {line for one in own for where in ground.of_file(one) for line in where}
    times = Counter(line for word in words for line in ground.by_stem.get(word, ()) if line in lines)
    return max(times.values(), default=0) >= len(words) / 2
