"""JSON results without white space, and arrays of like objects as tables: the keys once, then a row each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.errors import WireError
from trimtab.files import touches_files
from trimtab.jsonbytes import Slice, items, members
from trimtab.passes.base import Stage, View
from trimtab.transcript import ToolResult

START = re.compile(r"^[ \t]*+(?=[{\[]\s*(?:[\"\[\]{}0-9-]|true|false|null))", re.MULTILINE)
"""Where JSON may begin: with a line."""

STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
STRINGS_AND_BLANKS = re.compile(rf"({STRING})|[ \t\r\n]++")
STRINGS_AND_TABLES = re.compile(
    rf"({STRING})|\[trimtab: [0-9]+ rows below their keys\n([^\n]++)\n((?:\[[^\n]++\n)++)\]"
)
"""In JSON no bracket is followed by `t` and a letter other than that of `true`; in a string one may be."""

DEPTH = 6
"""Levels down to which arrays are looked for; each level reads the text once."""


class TightenJson(Struct, frozen=True):
    """A JSON result, or the JSON that follows a few other lines, is written as tightly as can be.

    Removes: white space; in tables the keys of all rows but the first. Keeps: the values as they were
    written, their order, the lines before. Recovers: `untable` writes the objects out. Skips when: the call
    read or wrote files, a key stands twice in an object, or the objects would not come back.
    """

    name: ClassVar[str] = "tighten_json"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.NONE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result that is JSON and of no file."""
        for at in view.open:
            part = view.part(at)
            if not isinstance(part, ToolResult) or (start := START.search(part.text)) is None:
                continue
            if not touches_files(view.call(at)) and (tight := tightened(part.text[start.end() :])) is not None:
                text = part.text[: start.start()] + tight
                if len(text) < len(part.text):
                    yield Replace(at, msgspec.structs.replace(part, text=text), "JSON", Loss.NONE)


def tightened(text: str) -> str | None:
    """A JSON text in the shortest form that leads back to it; None when it is no JSON or keys repeat."""
    if not _is_plain(text):
        return None
    plain = minified(text)
    try:
        tables = tabled(plain)
        return tables if len(tables) < len(plain) and untable(tables) == plain else plain
    except (WireError, ValueError):
        return plain


def minified(text: str) -> str:
    """A JSON text without the white space between its tokens."""
    return STRINGS_AND_BLANKS.sub(lambda match: match[1] or "", text)


def tabled(text: str) -> str:
    """A minified JSON text with its arrays of like objects as tables."""
    data = text.encode()
    pieces, done = list[bytes](), 0
    for place, table in _tables(data, Slice(None, 0, len(data)), DEPTH):
        pieces += [data[done : place.start], table]
        done = place.stop
    return b"".join([*pieces, data[done:]]).decode()


def untable(text: str) -> str:
    """The minified JSON text of which this one is the tables. Raises ValueError when it is none."""
    return STRINGS_AND_TABLES.sub(
        lambda match: match[1] or _objects(match[2], match[3].removesuffix("\n").split("\n")), text
    )


def _objects(header: str, rows: Sequence[str]) -> str:
    """The array of objects with these keys and rows of values."""
    try:
        names = _values(header.encode())
        made = (zip(names, _values(row.encode()), strict=True) for row in rows)
        objects = (b"{" + b",".join(b":".join(pair) for pair in row) + b"}" for row in made)
        return (b"[" + b",".join(objects) + b"]").decode()
    except WireError as error:
        raise ValueError(f"no table: {error}") from error


def _tables(data: bytes, place: Slice, depth: int) -> Iterator[tuple[Slice, bytes]]:
    """The outermost arrays that are shorter as tables, in order."""
    is_array = data.startswith(b"[", place.start)
    if depth == 0 or not (is_array or data.startswith(b"{", place.start)):
        return
    inner = (items if is_array else members)(data, place.start, place.stop)
    table = _table(data, inner) if is_array else b""
    if table and len(table) < place.stop - place.start:
        yield place, table
    else:
        for one in inner:
            yield from _tables(data, one, depth - 1)


def _table(data: bytes, rows: Sequence[Slice]) -> bytes:
    """Objects of the same keys, in the same order, as a table; b"" when they are something else."""
    lines, keys = list[bytes](), b""
    for row in rows:
        if not data.startswith(b"{", row.start):
            return b""
        names, values, done = list[bytes](), list[bytes](), row.start
        for one in members(data, row.start, row.stop):
            names.append(data[done + 1 : one.start - 1])
            values.append(data[one.start : one.stop])
            done = one.stop
        header = b"[" + b",".join(names) + b"]\n"
        if lines and header != keys:
            return b""
        keys = header
        lines.append(b"[" + b",".join(values) + b"]\n")
    return b"[trimtab: %d rows below their keys\n" % len(rows) + keys + b"".join(lines) + b"]"


def _values(data: bytes) -> list[bytes]:
    return [data[one.start : one.stop] for one in items(data)]


def _is_plain(text: str) -> bool:
    """Whether a text is strict JSON in which no object has a key twice."""
    try:
        text.encode()
        json.loads(text, object_pairs_hook=_unique, parse_int=str, parse_float=str, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _unique(pairs: list[tuple[str, object]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
