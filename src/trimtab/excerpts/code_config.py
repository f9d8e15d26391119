"""The sections of TOML and INI files and the keys of YAML, as definitions of what stands below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from trimtab.excerpts.code_nesting import Definition

HEADER = re.compile(r"\[{1,2}([\w.\"':/\\@$ *+-]++)\]{1,2}\s*+(?:[#;].*)?$")
PAIR = re.compile(r"[\w.\"'$/@*-]++(?:[ ][\w.\"'-]++){0,3}\s*+[=:](?!=)")
VALUE = re.compile(r"[#;\])}\"']")
"""How lines begin that are comments, or the rest of a value of several lines."""

KEY = re.compile(
    r"""((?:-\s++)*+)((?:[\w.$/@<~-]++(?:[ ][\w./-]++){0,3}|"[^"]{1,120}"|'[^']{1,120}'))\s?:(?=\s|$)(.*)""",
    re.DOTALL,
)
ITEM = re.compile(r"-\s|-$|---$|\.\.\.$")
SCALAR = re.compile(r"(?:.*\s)?[|>][+-]?\d?\s*$")
"""A value that goes on as text in the lines below."""

FEWEST_SECTIONS = 2
FEWEST_KEYS = 3
FEWEST_HOLDERS = 2
"""Keys or items with others below them: what has none is a list of pairs, of which there are many kinds."""


def sections(own: Sequence[str]) -> list[Definition] | None:
    """The headers of an INI or TOML file; None when a line is neither header, pair, comment nor of a value."""
    if sum(body.startswith("[") for body in own) < FEWEST_SECTIONS:
        return None
    found: list[Definition] = []
    pairs = 0
    quoted = ""
    for number, body in enumerate(own):
        line = body.strip()
        if quoted:
            quoted = "" if quoted in line else quoted
        elif body[:1] == "[" and (header := HEADER.match(line)):
            found.append(Definition(number, -1, header[1].strip(" \"'"), "section"))
        elif PAIR.match(line):
            pairs += 1
            quoted = next((marks for marks in ('"""', "'''") if line.count(marks) == 1), "")
        elif line and not body[:1].isspace() and not VALUE.match(line):
            return None
    return found if len(found) >= FEWEST_SECTIONS and pairs >= len(found) else None


class Entry(NamedTuple):
    """A line of YAML that is a key or an item; an item stands half a step right of a key in its column.

    `holds` is true of what has a text of several lines for its value.
    """

    line: int
    indent: float
    name: str
    holds: bool = False


def keys(own: Sequence[str]) -> list[Definition] | None:
    """The outermost keys of a YAML file and what has others below it; None where in doubt."""
    entries = _entries(own)
    named = sum(1 for entry in entries if entry.name)
    if named < FEWEST_KEYS or 2 * named < len(entries):
        return None
    found: list[Definition] = []
    holders = 0
    for entry, following in zip_longest(entries, entries[1:]):
        holds = entry.holds or (following is not None and following.indent > entry.indent)
        holders += holds
        if holds or entry.indent == 0:
            found.append(Definition(entry.line, entry.indent, entry.name, "key" if entry.name else ""))
    return found if holders >= FEWEST_HOLDERS else None


def _entries(own: Sequence[str]) -> list[Entry]:
    """The keys and items of a YAML file; none at all where a line is neither, nor of a value, nor a comment."""
    found: list[Entry] = []
    scalar, others = -1, 0
    for number, body in enumerate(own):
        line = body.lstrip(" ")
        indent = len(body) - len(line)
        if not line.strip() or line[0] == "#" or (0 <= scalar < indent):
            continue
        scalar = -1
        if key := KEY.match(line):
            dashes = len(key[1])
            holds = bool(SCALAR.match(key[3]))
            found.append(Entry(number, indent + 0.5 * bool(dashes), key[2].strip("\"'"), holds))
            scalar = indent + dashes if holds else -1
        elif ITEM.match(line):
            found.append(Entry(number, indent + 0.5, ""))
            scalar = indent if SCALAR.match(line) else -1
        elif not indent or line[0] in "\t}]":
            return []
        else:
            others += 1
    return found if 4 * others <= len(found) else []
