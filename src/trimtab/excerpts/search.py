"""What a search found: lines of files as grep prints them, under headings or not; hits of a web search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import ClassVar

from trimtab.excerpts.base import STRUCTURE, Outline, Unit
from trimtab.excerpts.columns import LONGEST_SUM
from trimtab.excerpts.parts import in_parts
from trimtab.excerpts.search_forms import Hit, headed, inline, web
from trimtab.selection import rows


class Search:
    """A hit a line, each with its file; the first hit in each file stands for the file."""

    name: ClassVar[str] = "search"

    def read(self, text: str) -> Outline | None:
        """The outline of a text that is the output of a search from beginning to end; None for anything else."""
        lines = rows(text)
        if 2 * lines.count("\n") > len(lines):
            return None
        bare = [line.rstrip("\r\n") for line in lines]
        hits = next((found for form in (inline, headed, web) if (found := form(bare)) is not None), None)
        if hits is None:
            return None
        counts = Counter(hit.file for hit in hits if hit.counts)
        edges = list(accumulate(map(len, lines), initial=0))
        units = in_parts(text, _units(edges, hits, _firsts(hits, counts)))
        return Outline(self.name, list(units), _sums(counts, hits))


def _firsts(hits: Sequence[Hit], counts: Counter[str]) -> frozenset[int]:
    """The first hit of each file, of those with most hits where there are more than a tenth of the lines."""
    files = {file for file, _ in counts.most_common(max(3, len(hits) // 10))}
    seen = dict[str, int]()
    for number, hit in enumerate(hits):
        if hit.counts and hit.file in files:
            seen.setdefault(hit.file, number)
    return frozenset(seen.values())


def _units(edges: Sequence[int], hits: Sequence[Hit], firsts: frozenset[int]) -> Iterator[Unit]:
    for number, (hit, (start, stop)) in enumerate(zip(hits, pairwise(edges), strict=True)):
        weight, why = (STRUCTURE, "first hit") if number in firsts else (hit.weight, hit.why)
        yield Unit(start, stop, weight, why, hit.needs)


def _sums(counts: Counter[str], hits: Sequence[Hit]) -> str:
    """How many hits there are in how many files, and in which most."""
    line = f"{counts.total():,} hits in {len(counts):,} {'sites' if hits[0].web else 'files'}"
    for number, (file, count) in enumerate(counts.most_common(6)):
        longer = f"{line}{' · ' if number else ': '}{file} {count:,}"
        line = longer if len(longer) <= LONGEST_SUM else line
    return line
