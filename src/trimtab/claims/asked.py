"""The words of the question, and of what the assistant said around the text: BM25 over units and over sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from math import log

from trimtab.claims.base import Claim, Claimed, Page
from trimtab.claims.meaning import meaning, weight

ASKED = 1.6
"""Worth of a word that is asked for, stands in one unit only and once."""

TOGETHER = 0.1
"""What each further word of the question in the same unit adds to the worth of all."""

COMMON = 0.02
"""Weight of a word that tells nothing, being nearly everywhere."""

WITHIN = 0.6
"""What is given on to the units of a section of the worth of the words in it."""

LONG = 60
"""Units above which a section is not about one thing."""


def asked(page: Page) -> Iterator[Claimed]:
    """Units with words that are asked for; rare words count more, several together more than each alone."""
    known = page.telling
    if not known:
        return
    words = set(known)
    hits = [
        frozenset(chain.from_iterable(known[word] for word in words.intersection(run)))
        if not words.isdisjoint(run)
        else ()
        for run in page.words
    ]
    weights = _weights(hits, page.wanted)
    for number, hit in enumerate(hits):
        more = weight(page, number) * (1 + TOGETHER * (len(hit) - 1))
        for stem in sorted(hit):
            if weights[stem] > COMMON:
                yield number, Claim(f"asked {stem}", ASKED * weights[stem] * more)


def sections(page: Page) -> Iterator[Claimed]:
    """Units of a section with words that are asked for: those that carry its meaning get the most."""
    known, parted, sizes = page.telling, page.sections, Counter(page.sections)
    if not known:
        return
    telling = set(known)
    held: dict[int, set[str]] = {section: set() for section in sizes}
    for section, words in zip(parted, page.words, strict=True):
        held[section].update(*(known[word] for word in telling.intersection(words)))
    weights = _weights(list(held.values()), page.wanted)
    usual = len(parted) / max(len(sizes), 1)
    worth = {
        section: WITHIN
        * ASKED
        * sum(weights[stem] for stem in sorted(stems))
        / (0.5 + 0.5 * sizes[section] / usual)
        for section, stems in held.items()
        if stems and sizes[section] <= LONG
    }
    for number, section in enumerate(parted):
        if number != section and section in worth and (share := meaning(page, number)):
            yield number, Claim(f"within {page.lines[section][:80]}", worth[section] * share)


def _weights(hits: Sequence[Collection[str]], wanted: Mapping[str, float]) -> dict[str, float]:
    """What each stem counts: its weight in the question by its rarity, from 0 (everywhere) to 1 (in one place)."""
    known = Counter(stem for hit in hits for stem in hit)
    most = log(1 + (len(hits) - 0.5) / 1.5)
    return {
        stem: wanted[stem] * max(log(1 + (len(hits) - times + 0.5) / (times + 0.5)) / most, 0.0)
        if most > 0
        else 0.0
        for stem, times in known.items()
    }
