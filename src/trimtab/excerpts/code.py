"""Source code and config files: definitions, sections and keys, told by indentation and keywords."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar

from trimtab.excerpts.base import STRUCTURE, Outline
from trimtab.excerpts.code_config import keys, sections
from trimtab.excerpts.code_lines import (
    ASSIGNMENT,
    CALL,
    DEFINING,
    DEFINITION,
    FOREIGN,
    LOOSE,
    OUTERMOST,
    ROUTINE,
    SEEN,
    STATEMENT,
)
from trimtab.excerpts.code_nesting import Definition, Nesting, nest
from trimtab.excerpts.marks import NOTHING, Mark, fit, units
from trimtab.excerpts.views import bodies
from trimtab.selection import rows
from trimtab.stubs import clip

FEWEST = 8
"""Lines that are no blank, below which nothing is told of a text."""

NEAR = 160
"""Characters of a definition above which the lines below it go without it."""

NAMED = 8
"""Definitions that have their weight in any text; in a long one, a tenth of its lines."""


SAMPLE = 100
"""Lines after which what is far from code is looked at no further."""

ENOUGH, RUN = 1_000, 50
"""Lines that show what a text is; in a longer one not all are looked at, but runs of so many lines."""


class Code:
    """Lines in the definitions they stand in."""

    name: ClassVar[str] = "code"

    def read(self, text: str) -> Outline | None:
        """The lines of a source or config file of any of the common languages."""
        lines = rows(text)
        own = [body.rstrip() for body in bodies(lines)]
        if len(own) - own.count("") < FEWEST or _is_dense(own):
            return None
        definitions = sections(own) or keys(own) or _definitions(own)
        if definitions is None:
            return None
        nesting = nest(own, definitions)
        chosen = _chosen(definitions, nesting, len(own))
        within = {line: Mark(needs=line) for line in set(nesting.parents) if line >= 0 and len(own[line]) <= NEAR}
        marks = [within.get(parent, NOTHING) for parent in nesting.parents]
        for definition in chosen:
            marks[definition.line] = marks[definition.line]._replace(weight=STRUCTURE, why=definition.word)
        return Outline(self.name, units(lines, marks), _sums(definitions, chosen))


def _is_dense(own: Sequence[str]) -> bool:
    """Whether much of a text is in lines that nobody typed, as in minified code and data."""
    lengths = [*map(len, own)]
    return 4 * sum(length for length in lengths if length > 2 * SEEN) > sum(lengths)


def _definitions(own: Sequence[str]) -> list[Definition] | None:
    """The definitions of a source file; None where too few lines look like code or some like something else."""
    found: list[Definition] = []
    seen: Counter[str] = Counter()
    solid = len(own) - own.count("")
    share = max(solid // ENOUGH, 1)
    for count, (number, body, line) in enumerate(_statements(own), 1):
        if FOREIGN.match(line):
            seen["foreign"] += 1
        elif match := _definition(line, outermost=body[0] == line[0]):
            found.append(Definition(number, len(body) - len(body.lstrip()), _name(match)))
            seen["firm"] += 1
        elif count <= SAMPLE:
            seen[_sort(line)] += 1
        elif count // RUN % share == 0:
            seen[_sort(line)] += share
        if count == SAMPLE and not _is_code(seen, share=0.5):
            return None
    return found if _is_code(seen, share=0.8) and 5 * seen.total() >= 2 * solid else None


def _is_code(seen: Counter[str], share: float) -> bool:
    """Whether a share of the lines looks like code, some of it firmly so, and next to none like something else."""
    total = seen.total()
    return (
        total >= FEWEST
        and 4 * seen["firm"] >= share * total
        and seen["firm"] + seen["loose"] >= share * total
        and 100 * seen["foreign"] <= total + 100
    )


QUOTES = ('"""', "'''")


def _statements(own: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Number, body and beginning of the lines that are neither blank nor inside a long string or comment."""
    inside = ""
    for number, body in enumerate(own):
        if inside:
            inside = "" if inside in body else inside
            continue
        line = body.lstrip()[:SEEN]
        if '"""' in body or "'''" in body:
            inside = next((marks for marks in QUOTES if body.count(marks) % 2), "")
        if line.startswith("/*"):
            inside = "" if "*/" in body else "*/"
        elif line and not line.startswith(QUOTES):
            yield number, body, line


def _definition(line: str, outermost: bool) -> re.Match[str] | None:
    found = DEFINITION.match(line) if DEFINING.match(line) else None
    if not found and line[-1] == "{" and "(" in line:
        found = ROUTINE.match(line)
    return found or (OUTERMOST.match(line) if outermost and ("=" in line or line[-1] == ")") else None)


def _name(match: re.Match[str]) -> str:
    return (match[match.lastindex or 0] or match[0]).strip(" :")


def _sort(line: str) -> str:
    """What a line looks like that defines nothing: firmly code, loosely, or not like code."""
    if STATEMENT.match(line) or ("=" in line and ASSIGNMENT.match(line)) or ("(" in line and CALL.match(line)):
        return "firm"
    return "loose" if LOOSE.match(line) else "other"


def _chosen(definitions: Sequence[Definition], nesting: Nesting, lines: int) -> list[Definition]:
    """The definitions that show how the text is built: the outer before the inner, the long before the short."""
    named = [number for number, definition in enumerate(definitions) if definition.word]
    named.sort(key=lambda number: (nesting.depths[number], -nesting.sizes[number]))
    return [definitions[number] for number in sorted(named[: max(NAMED, lines // 10)])]


def _sums(definitions: Sequence[Definition], chosen: Sequence[Definition]) -> str:
    """How many there are, and the first with the numbers of their lines, from 1."""
    if not chosen:
        return ""
    count = sum(1 for definition in definitions if definition.word)
    least = min(definition.indent for definition in chosen)
    named = [f"{each.line + 1} {clip(each.name, 40)}" for each in chosen if each.indent == least]
    return fit(f"{count:,} {chosen[0].word}{'s' * (count > 1)}: {named[0]}", *named[1:])
