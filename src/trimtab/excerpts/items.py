"""JSON as units: short lines, else items and fields; what stands out, what the rows have in common."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator

from trimtab.excerpts.base import ODD, STRUCTURE, Outline, Unit
from trimtab.excerpts.columns import FEWEST_ROWS, LONGEST_SUM, Column, Odd, few, odd, plain, summary
from trimtab.excerpts.items_scan import Container, Cut, Scan, Shape
from trimtab.excerpts.parts import in_parts
from trimtab.excerpts.text import LONGEST, pieces

LONGEST_PATH = 200
MOST_FIELDS = 100
"""Fields of a row above which they are keys of a map rather than names of columns."""

_IDENTIFIER = re.compile(r'"([^\W\d]\w*)"')
_ESCAPED_LINE = re.compile(r"[^\\]*+(?:\\[^n][^\\]*+)*+(?:(?:\\n)++|\Z)", re.DOTALL)


def outline(kind: str, text: str, behind: str, *, rows: bool) -> Outline | None:
    """The outline of `text`, known to be JSON but for line numbers, which `behind` has as blanks.

    `rows`: one value a line. None when it is nested too deeply.
    """
    scan = Scan(behind, rows=rows)
    if scan.deep:
        return None
    weights = _weights(scan)
    return Outline(kind, list(in_parts(text, _units(text, scan.cuts, weights), _written)), _sums(scan))


def _units(text: str, cuts: list[Cut], weights: dict[int, tuple[float, str]]) -> Iterator[Unit]:
    stops = [*(cut[0] for cut in cuts[1:]), len(text)]
    for number, ((start, needs, within, label), stop) in enumerate(zip(cuts, stops, strict=True)):
        weight, why = weights.get(number, (0.0, ""))
        first = start if number else 0  # blank lines before the first value stand with it
        yield Unit(first, stop, weight, why, needs, "" if label is None else _path(within, label))


def _written(text: str, start: int, stop: int) -> Iterator[Unit]:
    """An overlong value in parts: the lines of what is written in it, those too in parts when overlong."""
    while stop - start > LONGEST:
        match = _ESCAPED_LINE.match(text, start, stop)
        end = match.end() if match else stop
        yield from (Unit(start, end),) if end - start <= LONGEST else pieces(text, start, end)
        start = end
    if start < stop:
        yield Unit(start, stop)


def _path(within: Container, label: str | int) -> str:
    """The JSON path of an item, "" when it is too long to be of use."""
    chain = list[Container]()
    above: Container | None = within
    while above is not None and above.path is None:
        chain.append(above)
        above = above.parent
    for container in reversed(chain):
        parent = container.parent
        container.path = _step(parent.path or "", container.label) if parent is not None else "$"
    return _step(within.path or "", label if within.array or isinstance(label, str) else "")


def _step(path: str, label: str | int) -> str:
    if not path or label == "":
        return path
    if isinstance(label, int):
        step = f"[{label}]"
    else:
        name = _IDENTIFIER.fullmatch(label)
        step = f".{name[1]}" if name else f"[{label}]"
    return path + step if len(path) + len(step) <= LONGEST_PATH else ""


def _weights(scan: Scan) -> dict[int, tuple[float, str]]:
    """What stands out, by the number of its cut: at most a tenth of all of each sort."""
    starts = [cut[0] for cut in scan.cuts]
    room = max(3, len(starts) // 10)
    found: dict[int, tuple[float, str]] = {}

    def mark(at: int, weight: float, why: str) -> None:
        number = bisect_right(starts, at) - 1
        found[number] = max(found.get(number, (0.0, "")), (weight, why))

    for _, at in sorted(scan.heads)[:room]:
        mark(at, STRUCTURE, "key")
    for at in _first_rows(scan, starts)[:room]:
        mark(at, STRUCTURE, "first row")
    for one in sorted(_odd(scan))[:room]:
        mark(one.at, ODD, one.why)
    often = Counter(told.key for told in scan.told)
    for told in scan.told:
        if often[told.key] <= room:
            mark(told.at, told.weight, told.why)
    return found


def _first_rows(scan: Scan, starts: list[int]) -> list[int]:
    """The units of the first row of each long array of objects, unless that row is long itself."""
    found = list[int]()
    for _, shape in scan.tops:
        if len(shape.at) > FEWEST_ROWS and shape.fields and shape.at[1] - shape.at[0] <= 2 * LONGEST:
            first, last = (bisect_right(starts, at) - 1 for at in shape.at[:2])
            found += starts[first : max(last, first + 1)]
    return found


def _odd(scan: Scan) -> Iterator[Odd]:
    """Values and keys that few rows have, at any depth."""
    shapes = [("", shape) for _, shape in scan.tops]
    while shapes:
        name, shape = shapes.pop()
        yield from odd(Column(name or "item", shape.at, shape.values))
        if len(shape.fields) <= MOST_FIELDS:
            rare = few({key: len(field.at) for key, field in shape.fields.items()}, len(shape.at))
            for key in rare:
                yield from (
                    Odd(len(shape.fields[key].at), at, f"rare key {plain(key)[:24]}")
                    for at in shape.fields[key].at
                )
            shapes += ((plain(key), field) for key, field in shape.fields.items())
        if shape.items is not None:
            shapes.append((name, shape.items))


def _sums(scan: Scan) -> str:
    """The largest array: how many items, what their fields range over; else the keys."""
    if not scan.tops:
        keys = scan.keys
        return _keys(f"{len(keys):,} keys", map(plain, keys)) if len(keys) > 1 else ""
    container, shape = max(scan.tops, key=lambda top: top[1].span)
    path = _path(container, "")
    place = path if len(path) <= LONGEST_SUM // 2 else "$…"
    if len(shape.at) < 2:
        return ""
    if not shape.fields:
        return summary(f"{place} {len(shape.at):,} items", [Column("values", shape.at, shape.values)])
    head = f"{place} {len(shape.at):,} rows"
    line = summary(head, _columns(shape))
    return _keys(line, map(plain, shape.fields)) if line == head else line


def _columns(shape: Shape) -> Iterator[Column]:
    """The fields of rows, those of objects in them included."""
    for key, field in [*shape.fields.items()][:MOST_FIELDS]:
        yield Column(plain(key), field.at, field.values)
        for inner, deeper in [*field.fields.items()][:MOST_FIELDS]:
            yield Column(f"{plain(key)}.{plain(inner)}", deeper.at, deeper.values)


def _keys(head: str, names: Iterable[str]) -> str:
    """`head` and as many of the names as fit."""
    line = head
    for name in names:
        longer = f"{line}{':' if line is head else ','} {name}"
        if len(longer) > LONGEST_SUM - 3:
            return f"{line}, …" if line is not head else line
        line = longer
    return line
