"""What a transcript says that names are set to, in the order in which it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from trimtab.finders.rules import SENTENCE
from trimtab.handoff.refuting import refuting
from trimtab.handoff.source import Row, paths_of
from trimtab.ledger import arguments_of
from trimtab.transcript import Role

ASSIGNED = re.compile(
    r"(?<![\w.-])([^\W\d][\w.-]{0,79})"
    r"(?=[\"'`\\]{0,2}[ \t]{0,4}(?:=>|->|=(?!=)|:(?!//))[ \t]{0,4}[\"'`\\]{0,2}([^\s\"'`<>()\[\]{};,\\]{1,120}))"
)
"""A name, a mark and a value; the value may be a name itself."""

SIGNED = re.compile(r"[ \t]*[+-](?![+-])")
"""How a line of a difference begins."""

BEHIND = ".,:;!?%/"
"""What does not belong to a value behind it."""

LONGEST = 200
"""Characters of a line that gave a value."""

TITLE = "Settings with more than one value, in the order they had them"
"""The section of a note that has these lines."""


class Given(NamedTuple):
    """A value, and the line that gave it."""

    value: str
    line: str


class Settings:
    """The values of each name in their order, none twice in a row."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.given, self._had = dict[str, list[Given]](), dict[str, list[Given]]()
        self._records, self._changed = set[str](), set[str]()
        self._places = dict[str, dict[str, str]]()
        for row in sorted(rows, key=lambda one: (not one.kept, one.title == TITLE)):
            self._read(row)

    def values(self, name: str) -> list[str]:
        """The values of a name."""
        return [one.value for one in self.given.get(name, ())]

    def _read(self, row: Row) -> None:
        here = dict[str, set[str]]()
        is_prose = row.role is Role.ASSISTANT and row.call is None and not row.kept
        shown = row.role is Role.TOOL or (row.kept and row.role is not Role.USER and row.title != TITLE)
        for name, given, signed in (one for text in texts(row) for one in _assigned(text)):
            self.given.setdefault(name, []).append(given)
            before = self._had.setdefault(name, [])
            if not is_prose and (not before or before[-1].value != given.value):
                before.append(given)
            if not shown or signed:
                self._changed.add(name)
            else:
                here.setdefault(name, set()).add(given.value)
                self._places.setdefault(name, {})[_place(row)] = given.value
        self._records |= {name for name, values in here.items() if len(values) > 1}

    @cached_property
    def changing(self) -> dict[str, list[Given]]:
        """The settings that had several values one after another; what an assistant says of them changes none."""
        return {name: given for name, given in self._had.items() if len(given) > 1 and self.has(name)}

    def has(self, name: str) -> bool:
        """Whether a name is that of a setting, and not of a column of records.

        A column has several values in one result, or in results of different calls and nowhere else.
        """
        if name not in self.given or name in self._records:
            return False
        places, values = self._places.get(name, {}), set(self.values(name))
        return name in self._changed or not len(places) == len(values) > 1


def texts(row: Row) -> list[str]:
    """What a row says; of a call the texts in its arguments, what is replaced before what replaces it."""
    if row.call is None and row.role is not Role.TOOL:
        refuted = "\n".join(refuting(row.text))
        sentences = (match[0] for match in SENTENCE.finditer(row.text) if match[0].strip() not in refuted)
        return list(sentences) if refuted else [row.text]
    if row.call is None or row.role is Role.TOOL:
        return [row.text]
    values = sorted(arguments_of(row.call).items(), key=lambda one: not one[0].lower().startswith("old"))
    return [value for _, value in values if isinstance(value, str)]


def _place(row: Row) -> str:
    """What a result is about."""
    if row.call is None:
        return row.text[:LONGEST] if row.kept else ""
    return " ".join(sorted(set(paths_of(row.call)))) or row.call.arguments


def _assigned(text: str) -> Iterator[tuple[str, Given, bool]]:
    """Name and value, and whether they stand on a line of a difference. Linear."""
    start = 0
    for match in ASSIGNED.finditer(text):
        while (stop := text.find("\n", start, match.start())) >= 0:
            start = stop + 1
        stop = text.find("\n", match.end(2), start + LONGEST)
        is_whole = stop >= 0 or len(text) <= start + LONGEST
        line = text[start : stop if stop >= 0 else len(text)] if is_whole else text[match.start() : match.end(2)]
        given = Given(match[2].rstrip(BEHIND), line.strip())
        signed = SIGNED.match(text, start, start + 8) is not None
        yield match[1].rstrip(".-"), given, signed
