"""Listings of files: `ls`, `find`, trees, `git status`; a path or a name a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import ClassVar

from trimtab.excerpts.base import Outline, Unit
from trimtab.excerpts.columns import LONGEST_SUM
from trimtab.excerpts.listing_forms import Entry, long_list, paths, sections, status, tree
from trimtab.excerpts.numbered import behind
from trimtab.excerpts.text import LONGEST
from trimtab.selection import rows

FEWEST = 4
"""Entries below which nothing is taken for a listing."""


class Listing:
    """Every line is a file, a directory over its files or blank; a file needs the line of its directory."""

    name: ClassVar[str] = "listing"

    def read(self, text: str) -> Outline | None:
        """The outline of a text that lists files from beginning to end; None for anything else."""
        lines = rows(text)
        if len(lines) - lines.count("\n") < FEWEST or 2 * lines.count("\n") > len(lines):
            return None
        if max(map(len, lines)) > LONGEST:
            return None
        bare = [line.rstrip("\r\n") for line in behind(lines)]
        forms = (long_list, sections, tree, status, paths)
        entries = next((found for form in forms if (found := form(bare)) is not None), None)
        if entries is None or sum(entry.path != "" for entry in entries) < FEWEST:
            return None
        edges = accumulate(map(len, lines), initial=0)
        return Outline(self.name, list(_units(edges, lines, entries)), _sums(entries))


def _units(edges: Iterator[int], lines: Sequence[str], entries: Sequence[Entry]) -> Iterator[Unit]:
    for edge, line, entry in zip(edges, lines, entries, strict=False):
        yield Unit(edge, edge + len(line), entry.weight, entry.why, entry.needs)


def _sums(entries: Sequence[Entry]) -> str:
    """How many files there are, by directory as far down as tells them apart, and by extension."""
    files = [entry.path for entry in entries if entry.path and not entry.path.endswith("/")]
    places = _places([path.split("/")[:-1] for path in files])
    kinds = Counter(_extension(path) for path in files)
    line = f"{len(files):,} files"
    for mark, counts in ((": ", places), ("; ", kinds)):
        for number, (name, count) in enumerate(counts.most_common(6) if len(counts) > 1 else ()):
            longer = f"{line}{' · ' if number else mark}{name} {count:,}"
            line = longer if len(longer) <= LONGEST_SUM else line
    return line


def _places(folders: Sequence[list[str]]) -> Counter[str]:
    """Files by the first step of their path that is not the same for all."""
    least, most = min(folders, default=[]), max(folders, default=[])
    steps = enumerate(zip(least, most, strict=False))
    shared = next((depth for depth, (one, other) in steps if one != other), min(len(least), len(most)))
    return Counter(f"{folder[shared]}/" if len(folder) > shared else "./" for folder in folders)


def _extension(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    stem, dot, extension = name.rpartition(".")
    return f".{extension[:12]}" if dot and stem else "no extension"
