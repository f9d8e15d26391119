"""One pass over the tokens of JSON: where units begin, what stands in every row, which keys tell an outcome."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from trimtab.excerpts.base import ODD, VERDICT
from trimtab.excerpts.text import LONGEST
from trimtab.selection import rows as lines

WHOLE = 240
"""Characters up to which a value inside an overlong line is one unit."""

GROUP = 120
"""Characters of numbers or short texts in a row that make one unit."""

DEEPEST = 200
"""Containers inside each other beyond which a text is not read as JSON."""

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(
    rf'[\s,\ufeff]*+(?:({_STRING})[ \t\r\n]*+:[ \t\r\n]*+)?+([\[{{\]}}]|{_STRING}|[^\s,\[\]{{}}":]++)', re.DOTALL
)

_EMPTY = re.compile(rf"{_STRING}\s*+:\s*+[\[{{]\s*+[\]}}]")
"""A field with an empty array or object."""


def _quoted(words: str) -> frozenset[str]:
    return frozenset(f'"{word}"' for word in words.split())


ALARMS = _quoted("error errors Error exception traceback stderr failure failures fault errorMessage error_message")
"""Keys whose value, unless it is one of `QUIET`, tells of something gone wrong."""

OUTCOMES = _quoted("exit_code exitCode exit_status returncode return_code success isError is_error passed failed")
"""Keys that say how all came out, outside of rows."""

STATES = _quoted("status state code statusCode status_code conclusion outcome level severity ok healthy")
"""Keys whose value stands out, outside of rows, unless it is one of `FINE`."""

FINE = _quoted(
    "ok OK success succeeded successful SUCCESS passed PASSED pass done completed complete finished active open "
    "closed merged available confirmed processed delivered healthy up running ready Running Ready "
    "info INFO debug DEBUG 200"
) | frozenset(("0", "200", "201", "204", "true", "null", "[", "{"))
QUIET = frozenset(("null", "false", '""', "0"))
_TOLD = ALARMS | OUTCOMES | STATES


class Shape:
    """What stands at one place of every row: each value and its offset, an object's fields, an array's items."""

    __slots__ = ("at", "fields", "items", "span", "values")

    def __init__(self) -> None:
        self.at, self.values, self.span = list[int](), list[str](), 0
        self.fields: dict[str, Shape] = {}
        self.items: Shape | None = None


class Container:
    """An object or array that the scan is in.

    `cut` is the number of the unit it begins in, `anchor` that of the unit which says whose its items
    are, -1 for none: where its key stands, or the first field of the row that it is.
    """

    __slots__ = ("anchor", "array", "at", "count", "cut", "label", "named", "parent", "path", "row", "shape")

    def __init__(self, parent: Container | None, at: int, cut: int, label: str | int, *, array: bool) -> None:
        self.parent, self.at, self.cut, self.label, self.array = parent, at, cut, label, array
        self.named = isinstance(label, str) and label != ""
        self.row = not array and isinstance(label, int)
        self.anchor: int = cut if self.named else -1 if parent is None else parent.anchor
        self.count = 0
        self.path: str | None = None
        self.shape: Shape | None = None


Cut: TypeAlias = tuple[int, int, Container, "str | int | None"]
"""Where a unit begins, the number of the unit it needs (-1 for none), what it stands in, its key or index there.

The last is None where the unit is a line, which its number tells.
"""


class Told(NamedTuple):
    """A key that tells an outcome, and where it stands."""

    at: int
    key: str
    weight: float
    why: str


class Scan:
    """The scan of a text that is known to be JSON; with `rows`, of one value a line.

    `tops` are the outermost arrays with what their elements share, `heads` the named containers outside
    of them as depth and offset, `keys` those of the outermost object. `deep` is set, and the scan is to be
    thrown away, at too deep nesting.
    """

    def __init__(self, text: str, *, rows: bool) -> None:
        self.text, self.deep, self.depth = text, False, 0
        self.keys = list[str]()
        self.cuts, self.told = list[Cut](), list[Told]()
        self.tops, self.heads = list[tuple[Container, Shape]](), list[tuple[int, int]]()
        self.inside = Container(None, 0, -1, "", array=rows)
        self.inside.path = "$"
        if rows:
            self.inside.shape = Shape()
            self.tops.append((self.inside, self.inside.shape))
        self._line_start, self._line_cut = 0, 0
        self._fresh = self._short = False
        self._run()

    def _run(self) -> None:
        ends = accumulate(map(len, lines(self.text)))
        start = end = 0
        for match in _TOKEN.finditer(self.text):
            key, value = match.groups()
            at = match.start(2 if key is None else 1)
            if at >= end:
                while at >= end:
                    start, end = end, next(ends)
                self._line_start, self._line_cut = start, len(self.cuts)
                self._fresh, self._short = True, end - start <= LONGEST
            if value == "{" or value == "[":
                self._open(key, value, at)
                if self.deep:
                    return
            elif value == "}" or value == "]":
                self._close(match.end())
            else:
                self._value(key, value, at, match.end())

    def _value(self, key: str | None, value: str, at: int, stop: int) -> Shape | None:
        """Notes a value for its column, which is None outside of rows, and begins a unit where one is due."""
        inside = self.inside
        number = inside.count
        inside.count = number + 1
        shape = inside.shape
        if shape is not None:
            if key is not None:
                shape = shape.fields.get(key) or shape.fields.setdefault(key, Shape())
            shape.at.append(at)
            shape.values.append(value)
        if self.depth == 1 and key is not None:
            self.keys.append(key)
        if key in _TOLD:
            self._tell(key, value, at, rows=shape is not None)
        if self._fresh:
            self._fresh = False
            label = None if self._short else number if key is None else key
            self.cuts.append((self._line_start, inside.anchor, inside, label))
        elif not self._short and not (inside.array and self._joins(inside, stop)) and (inside.named or number):
            self.cuts.append((at, inside.anchor, inside, number if key is None else key))
        if not number and inside.row:
            inside.anchor = len(self.cuts) - 1
        return shape

    def _open(self, key: str | None, value: str, at: int) -> None:
        shape = self._value(key, value, at, at + LONGEST)
        outer = self.inside
        label = key if key is not None else outer.count - 1 if outer.array else ""
        inner = Container(outer, at, len(self.cuts) - 1, label, array=value == "[")
        self.inside = inner
        self.depth += 1
        self.deep = self.depth > DEEPEST
        if shape is None and inner.named:
            self.heads.append((self.depth, at))
        if not inner.array:
            inner.shape = shape
        elif shape is not None:
            inner.shape = shape.items = shape.items or Shape()
        else:
            inner.shape = Shape()
            self.tops.append((inner, inner.shape))

    def _close(self, stop: int) -> None:
        inner, outer = self.inside, self.inside.parent
        if outer is None:
            return
        if self._fresh:
            self._fresh = False
            self.cuts.append((self._line_start, inner.anchor, inner, None))
        elif not self._short and inner.at >= self._line_start and stop - inner.at <= WHOLE:
            self._gather(inner, outer, stop)
        if inner.array and inner.shape is not None:
            inner.shape.span += stop - inner.at
        self.inside = outer
        self.depth -= 1

    def _gather(self, inner: Container, outer: Container, stop: int) -> None:
        """Makes one unit of what is short; short arrays in a row go together like numbers."""
        del self.cuts[inner.cut + 1 :]
        own = self.cuts[-1]
        if inner.array and outer.array and own[0] == inner.at and inner.cut > self._line_cut:
            self.cuts.pop()
            if not self._joins(outer, stop):
                self.cuts.append(own)

    def _joins(self, inside: Container, stop: int) -> bool:
        """Whether a short item of an array goes into the unit of the items before it."""
        last = self.cuts[-1]
        return stop - last[0] <= GROUP and (last[2] is inside or len(self.cuts) - 1 == inside.cut)

    def _tell(self, key: str, value: str, at: int, *, rows: bool) -> None:
        """Notes a key that says how something came out; in rows only errors, the rest is told by rarity."""
        if key in ALARMS:
            if value not in QUIET and not _EMPTY.match(self.text, at):
                self.told.append(Told(at, key, ODD, "error"))
        elif not rows and key in OUTCOMES:
            self.told.append(Told(at, key, VERDICT, "outcome"))
        elif not rows and value not in FINE:
            self.told.append(Told(at, key, ODD, key[1:-1]))
