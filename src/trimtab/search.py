"""Search over what was cut: its lines, ranked by the words they share with a text.

The rank is BM25 (Robertson and Zaragoza, 2009) with a line as the document. Words are compared by their
stems; the text as a whole counts as one more word.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from trimtab.excerpts.text import lines
from trimtab.journal import Artifact, Kind
from trimtab.stubs import clip
from trimtab.words import stems

MOST_HITS = 20
"""Hits of a search that does not say how many."""

MOST_WORDS = 50
"""Different words of a text that count, the first ones."""

K1, B = 1.2, 0.75
"""How soon a word that comes again stops to count, and how much a long line counts for less; the usual values."""

SHOWN = 200
"""Characters of a line in a hit."""


class Hit(Struct, frozen=True):
    """A line that was found. `label` says what the original is; `line` counts from 1, as for recall.

    An overlong line is searched in pieces: `bytes` is the range of the piece (else ""). `text` is clipped.
    """

    handle: str
    label: str
    line: int
    bytes: str
    text: str
    score: float


class _Match(NamedTuple):
    artifact: int
    line: int
    start: int
    text: str
    words: Counter[str]


def search(artifacts: Sequence[Artifact], text: str, limit: int = MOST_HITS) -> list[Hit]:
    """The best `limit` lines of these originals, best first; of two that are equal the one cut from later on.

    Of equal lines from the same call only the latest counts. Media are not searched.
    """
    whole = " ".join(text.lower().split())
    words = list(dict.fromkeys(stems(text)))[:MOST_WORDS]
    if not whole:
        return []
    found: dict[tuple[str, str], _Match] = {}
    holding: Counter[str] = Counter()
    count = characters = 0
    for number, artifact in enumerate(artifacts):
        if artifact.kind is Kind.MEDIA:
            continue
        for match in _matches(number, artifact, words, whole):
            count += 1
            characters += len(match.text)
            if match.words:
                holding.update(match.words.keys())
                found[artifact.label, match.text.strip()] = match
    weights = {word: math.log1p((count - some + 0.5) / (some + 0.5)) for word, some in holding.items()}
    scores = [(_score(match, weights, characters / count), match) for match in found.values()]
    scores.sort(key=lambda pair: (-pair[0], -pair[1].artifact, pair[1].line, pair[1].start))
    return [_hit(artifacts[match.artifact], match, score) for score, match in scores[: max(limit, 0)]]


def _matches(number: int, artifact: Artifact, words: Sequence[str], whole: str) -> Iterator[_Match]:
    """Every line, an overlong one in pieces, with what it shares with the text. A stem but for its last letter
    stands in every form of its word, so that most lines need not be taken apart."""
    text, line = artifact.data.decode("utf-8", "surrogatepass"), 0
    cues = [word[:-1] or word for word in words]
    for unit in lines(text):
        line += unit.start == 0 or text[unit.start - 1] == "\n"
        piece = text[unit.start : unit.stop]
        lowered = piece.lower()
        shared: Counter[str] = Counter()
        if any(cue in lowered for cue in cues):
            shared.update(stem for stem in stems(piece) if stem in words)
        if whole in lowered:
            shared[""] = 1
        yield _Match(number, line, unit.start, piece, shared)


def _score(match: _Match, weights: dict[str, float], average: float) -> float:
    length = K1 * (1 - B + B * len(match.text) / average)
    return sum(weights[word] * often * (K1 + 1) / (often + length) for word, often in match.words.items())


def _hit(artifact: Artifact, match: _Match, score: float) -> Hit:
    data = artifact.data.decode("utf-8", "surrogatepass")
    stop = match.start + len(match.text)
    overlong = (match.start and data[match.start - 1] != "\n") or (stop < len(data) and data[stop - 1] != "\n")
    first, last = (len(data[:place].encode("utf-8", "surrogatepass")) for place in (match.start, stop))
    shown = match.text.rstrip("\r\n")
    return Hit(
        handle=artifact.handle,
        label=artifact.label,
        line=match.line,
        bytes=f"{first + 1}-{last}" if overlong else "",
        text=shown if len(shown) <= SHOWN else clip(shown, SHOWN) + "…",
        score=round(score, 3),
    )
