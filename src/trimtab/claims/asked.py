"""The words of the question, and of what the assistant said around the text: BM25 over units and over sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
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
    hits = {
        number: frozenset(chain.from_iterable(known[word] for word in words.intersection(run)))
        for number, run in enumerate(page.words)
        if not words.isdisjoint(run)
    }
    weights = _weights(hits.values(), len(page.words), page.wanted)
    for number, hit in hits.items():
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
    held = dict[int, set[str]]()
    for section, words in zip(parted, page.words, strict=True):
        if not telling.isdisjoint(words):
            held.setdefault(section, set()).update(*(known[word] for word in telling.intersection(words)))
    weights = _weights(held.values(), len(sizes), page.wanted)
    usual = len(parted) / max(len(sizes), 1)
    worth = {
        section: WITHIN
        * ASKED
        * sum(weights[stem] for stem in sorted(stems))
        / (0.5 + 0.5 * sizes[section] / usual)
        for section, stems in held.items()
        if sizes[section] <= LONG
    }
    for number, section in enumerate(parted):
        if number != section and section in worth and (share := meaning(page, number)):
            yield number, Claim(f"within {page.lines[section][:80]}", worth[section] * share)


def _weights(hits: Iterable[Collection[str]], total: int, wanted: Mapping[str, float]) -> dict[str, float]:
    """What each stem counts: its weight in the question by its rarity, from 0 (everywhere) to 1 (in one place).

    `hits` are the stems in each place that has any, `total` all places.
    """
    known = Counter(chain.from_iterable(hits))
    most = log(1 + (total - 0.5) / 1.5)
    return {
        stem: wanted[stem] * max(log(1 + (total - times + 0.5) / (times + 0.5)) / most, 0.0) if most > 0 else 0.0
        for stem, times in known.items()
    }
