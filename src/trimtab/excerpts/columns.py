"""What the values of one column have in common, and which of them hardly any other row has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

FEWEST_ROWS = 8
"""Rows below which no value is called rare."""

MOST_DISTINCT = 24
"""Distinct values up to which a column tells states apart rather than things."""

SHORT = 24
"""Characters up to which a value is quoted in a summary."""

LONGEST_SUM = 160

NUMBER = re.compile(r"-?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,]{2,15})?(?:Z|[+-][0-9:]{4,5})?")


class Column(NamedTuple):
    """The values of a column as written (JSON strings in their quotes) and the offset at which each stands."""

    name: str
    at: Sequence[int]
    values: Sequence[str]


class Odd(NamedTuple):
    """A value that only so many `rows` have: where it stands and what it is rare as."""

    rows: int
    at: int
    why: str


def odd(column: Column) -> Iterator[Odd]:
    """The values of a column that few rows have, among few distinct ones; failing that, those of a rare type."""
    seen: Sequence[str] = column.values
    counts = Counter(seen)
    if len(counts) > min(MOST_DISTINCT, len(seen) // 4):
        seen = [_type(value) for value in seen]
        counts = Counter(seen)
    rare = few(counts, len(seen))
    if rare:
        found = zip(seen, column.at, strict=True)
        yield from (Odd(counts[value], at, f"rare {column.name[:SHORT]}") for value, at in found if value in rare)


def few(counts: Mapping[str, int], rows: int) -> frozenset[str]:
    """What at most one row in fifty has, or a single one, as long as all of it is one row in twenty at most."""
    if rows < FEWEST_ROWS or len(counts) < 2:
        return frozenset()
    most, room = max(1, rows // 50), max(1, rows // 20)
    rare = [name for name, count in counts.items() if count <= most]
    for level in sorted({counts[name] for name in rare}, reverse=True):
        if sum(counts[name] for name in rare) <= room:
            break
        rare = [name for name in rare if counts[name] < level]
    return frozenset(rare)


def _type(value: str) -> str:
    """What a value is, roughly: missing, a number, a container, a text."""
    if value in ("", "null", "NULL", "None", "NaN", "nan", "-", "<none>", "N/A"):
        return "nothing"
    return value[0] if value[0] in "[{" else "number" if NUMBER.fullmatch(value) else "text"


def summary(head: str, columns: Iterable[Column]) -> str:
    """`head` with ranges and counts by value of the columns: those with rare values first, as many as fit."""
    told, rest = list[str](), list[str]()
    for column in columns:
        counts = Counter(column.values)
        said = _told(column, counts)
        if said:
            states = 1 < len(counts) <= min(MOST_DISTINCT, len(column.values) // 4)
            (told if states and few(counts, len(column.values)) else rest).append(said)
    line = head
    for said in told + rest:
        longer = f"{line}{':' if line is head else ','} {said}"
        if len(longer) <= LONGEST_SUM:
            line = longer
    return line


def _told(column: Column, counts: Counter[str]) -> str:
    """A column in a few words: its one value, its range or how often each value occurs."""
    name, number = column.name[:SHORT], len(column.values)
    if len(counts) == 1 and number > 1:
        value = plain(column.values[0])
        return f"{name} always {value}" if 0 < len(value) <= SHORT and value[0] not in "[{" else ""
    if len(counts) <= min(MOST_DISTINCT, number // 2) and all(len(value) <= SHORT for value in counts):
        top = [f"{plain(value) or '(none)'} ×{count:,}" for value, count in counts.most_common(4)]
        return f"{name} {' · '.join(top)}" + (f" · {len(counts) - 4} others" if len(counts) > 4 else "")
    ordered = len(counts) > 1 and "version" not in name.lower()  # 1.10 comes after 1.9
    ends = _ends([plain(value) for value in counts]) if ordered else None
    return f"{name} {ends[0]} to {ends[1]}" if ends else ""


def _ends(values: Sequence[str]) -> tuple[str, str] | None:
    """The least and the greatest of numbers or dates as they are written."""
    if all(map(NUMBER.fullmatch, values)):
        exact = int if not any("." in value or "e" in value.lower() for value in values) else Decimal
        return min(values, key=exact), max(values, key=exact)
    if all(map(DATE.fullmatch, values)):
        return min(values), max(values)
    return None


def plain(value: str) -> str:
    """A value without the quotes of a JSON string."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
