"""The text that a note stands for by lines and records: where an identifier stands, and beside what."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, islice
from typing import NamedTuple

from trimtab.edits import At
from trimtab.effects import PATHS
from trimtab.handoff.identifiers import Found, Kind, identifiers
from trimtab.ledger import arguments_of
from trimtab.transcript import Role, ToolCall
from trimtab.words import stems

MOST_PLACES = 2_000
"""Places of an identifier that are looked at: a digit has one on every line."""

LONGEST_LINE = 2_000
"""Characters of a line that are read for its words; a longer one is data."""

COUNTED = re.compile(r"(?<![\w.,/:-])(\d[\d.,]*\d|\d)\s([^\W\d_]{3,})")
"""A number and the word behind it."""

MOST_RECORDS = 500
"""Records of a result that one of them is compared with."""

RECORD = re.compile(r"\{\s*[\"'][^{}]{0,4000}\}")
"""A JSON object without others in it: what stands in one belongs together, whatever the lines are."""

FIRST_LINE = ("offset", "start_line", "startline", "line_start", "view_range", "start")
"""Arguments that say with which line of a file a result begins."""


class Row(NamedTuple):
    """What was said in one part. `call` is the call it is, or answers; `kept` that an earlier note tells of it."""

    at: At
    role: Role
    text: str
    call: ToolCall | None = None
    failed: bool = False
    kept: bool = False
    title: str = ""


class Source:
    """The text of some rows. A line is named by its number, counted from 0; a record by where it begins."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.text = "\n".join(row.text for row in rows)
        self._lines = [0, *(n + 1 for n, sign in enumerate(self.text) if sign == "\n")]
        self._starts = list(accumulate((len(row.text) + 1 for row in rows), initial=0))
        self._found: dict[str, list[int]] = {}

    def line(self, place: int) -> int:
        """The number of the line a place stands on."""
        return bisect_right(self._lines, place) - 1

    def words(self, line: int) -> str:
        """A line, of a long one its beginning."""
        stop = self._lines[line + 1] - 1 if line + 1 < len(self._lines) else len(self.text)
        return self.text[self._lines[line] : min(stop, self._lines[line] + LONGEST_LINE)]

    def places(self, identifier: str) -> list[int]:
        """Where an identifier stands as such, and not within a longer one."""
        if identifier not in self._found:
            self._found[identifier] = list(self._look_for(identifier))
        return self._found[identifier]

    def lines(self, identifier: str) -> frozenset[int]:
        """The lines it stands on."""
        return frozenset(map(self.line, self.places(identifier)))

    def records(self, identifier: str) -> frozenset[int]:
        """The records it stands in: JSON objects, and lines where it stands in none."""
        return frozenset(map(self._record, self.places(identifier)))

    def _record(self, place: int) -> int:
        number = bisect_right(self._records, (place, len(self.text))) - 1
        if number >= 0 and place < self._records[number][1]:
            return self._records[number][0]
        return self._lines[self.line(place)]

    @cached_property
    def _records(self) -> list[tuple[int, int]]:
        """Where records stand that reach over lines, or share one with others."""
        spans = [match.span() for match in RECORD.finditer(self.text)]
        lines = [(self.line(start), self.line(stop)) for start, stop in spans]
        times = Counter(first for first, last in lines if first == last)
        return [span for span, (first, last) in zip(spans, lines, strict=True) if times[first] != 1]

    def record(self, start: int) -> str:
        """The text of a record."""
        number = bisect_right(self._records, (start, len(self.text))) - 1
        if number >= 0 and start == self._records[number][0]:
            return self.text[start : self._records[number][1]]
        return self.words(self.line(start))

    def _look_for(self, identifier: str) -> Iterator[int]:
        place, count = self.text.find(identifier), 0
        while place >= 0 and count < MOST_PLACES:
            if _stands_alone(self.text, place, place + len(identifier)):
                count += 1
                yield place
            place = self.text.find(identifier, place + 1)

    def of_file(self, path: str) -> list[range]:
        """The lines of what was read from a file or written to it, by each call that names it."""
        return [where for where, row, paths in self._files if any(same_file(path, one) for one in paths)]

    def numbered(self, path: str, number: int) -> Iterator[str]:
        """The lines of a file that bear a number, as they are counted."""
        for where, row, paths in self._files:
            if row.role is Role.TOOL and row.call and any(same_file(path, one) for one in paths):
                place = where.start + number - _first(row.call)
                if place in where:
                    yield self.words(place)

    @cached_property
    def _files(self) -> list[tuple[range, Row, list[str]]]:
        """The lines of each call and result, with what the call names that may be a file."""
        return [
            (range(self.line(start), self.line(start + len(row.text)) + 1), row, paths_of(row.call))
            for start, row in zip(self._starts, self.rows, strict=False)
            if row.call is not None
        ]

    def file_of(self, line: int) -> list[str]:
        """The files that the call names which a line is of."""
        number = bisect_right(self._starts, self._lines[line]) - 1
        row = self.rows[number] if number < len(self.rows) else None
        return paths_of(row.call) if row is not None and row.call is not None else []

    def of_same_row(self, line: int, other: int) -> bool:
        """Whether two lines are of one text."""
        one, two = (bisect_right(self._starts, self._lines[number]) for number in (line, other))
        return one == two

    @cached_property
    def by_stem(self) -> Mapping[str, Sequence[int]]:
        """The lines that have a word, by the word's stem."""
        found = dict[str, list[int]]()
        for number in range(len(self._lines)):
            for stem in set(stems(self.words(number))):
                found.setdefault(stem, []).append(number)
        return found

    @cached_property
    def counted(self) -> Mapping[str, frozenset[str]]:
        """The numbers that stand in front of a word, by the word's stem."""
        found = dict[str, set[str]]()
        for number, word in COUNTED.findall(self.text):
            found.setdefault("".join(stems(word)), set()).add(number)
        return {stem: frozenset(numbers) for stem, numbers in found.items() if stem}

    def strange(self, identifier: str, words: Iterable[str]) -> str:
        """Which of these words stands in a record beside those of an identifier, and in none of its own."""
        own = self.records(identifier)
        if not own or not own <= {start for start, _ in self._records}:
            return ""
        rows = {self._row(start) for start in own}
        inside = {stem for start in own for stem in stems(self.record(start))}
        beside = (
            self.record(start) for start, _ in self._records if start not in own and self._row(start) in rows
        )
        others = {stem for text in islice(beside, MOST_RECORDS) for stem in stems(text)}
        return next((word for word in words if word in others and word not in inside), "")

    def _row(self, place: int) -> int:
        return bisect_right(self._starts, place)

    def after(self, name: str) -> Iterator[Found]:
        """The identifiers that follow a name on its lines, each the first one behind it."""
        for place in self.places(name):
            start = place + len(name)
            near = self.text[start : start + NEAR].partition("\n")[0]
            if found := identifiers(near):
                cut = found[0].stop == len(near) == NEAR
                yield (next(iter(identifiers(self.text[start : start + 4 * NEAR])), found[0]) if cut else found[0])


NEAR = 80
"""Characters behind a name in which its value is looked for."""


def same_file(path: str, other: str) -> bool:
    """Whether two paths may name the same file: one ends with the other."""
    one, two = (text.replace("\\", "/").removeprefix("./") for text in (path, other))
    return one == two or one.endswith("/" + two) or two.endswith("/" + one)


@lru_cache(maxsize=2_000)
def paths_of(call: ToolCall) -> list[str]:
    """What a call names that may be a file, be it within a command."""
    found = [one.text for one in identifiers(" ".join(_strings(call))) if one.kind is Kind.PATH]
    return [*found, *(str(value) for key, value in arguments_of(call).items() if key.lower() in PATHS)]


def _strings(call: ToolCall) -> Iterator[str]:
    yield from (value for value in arguments_of(call).values() if isinstance(value, str) and len(value) < 2_000)


def _first(call: ToolCall) -> int:
    """The number of the first line that a call asks for."""
    for key, value in arguments_of(call).items():
        asked = value[0] if isinstance(value, list) and value else value
        if key.lower() in FIRST_LINE and isinstance(asked, int) and asked > 0:
            return asked
    return 1


def _stands_alone(text: str, start: int, stop: int) -> bool:
    """Whether what stands there is no piece of a longer identifier: `12` is none of `3.12`, `a.py` of `ba.py`."""
    before, after, first, last = text[start - 1 : start], text[stop : stop + 2], text[start], text[stop - 1]
    if first.isalnum() or first == "_":
        if (before.isalnum() and before.isascii()) or before == "_":
            return False
        if before in (".", ",") and first.isdigit() and text[start - 2 : start - 1].isdigit():
            return False
        if before == "-" and not (first.isdigit() and text[start - 2 : start - 1].isdigit()):
            return start < 2 or not text[start - 2].isalnum()
    if last.isalnum() or last == "_":
        if (after[:1].isalnum() and after[:1].isascii()) or after[:1] == "_":
            return False
        if len(after) == 2 and after[0] in ".," and last.isdigit() and after[1].isdigit():
            return False
        if len(after) == 2 and after[0] == "-" and not last.isdigit() and after[1].isalnum():
            return False
        if len(after) == 2 and after[0] == "." and not last.isdigit() and after[1].isalnum():
            return False
    return True
