"""JSON as bytes: where each value stands, and how to replace some of them leaving every other byte alone.

msgspec finds the values, at the speed of C. It refuses some JSON that clients do send (lone surrogate
escapes, a byte-order mark, numbers out of range); for those there is a slower way here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from trimtab.errors import WireError
from trimtab.transcript import JSON, Path


class Slice(NamedTuple):
    """A value of an object or array: its key (None in an array) and its byte range in the buffer."""

    key: str | None
    start: int
    stop: int


class Set(NamedTuple):
    """Put `value` (plain JSON, or `msgspec.Raw`) at `path`; a key that is absent is added last."""

    path: Path
    value: JSON


class Delete(NamedTuple):
    """Take the object member or array item at `path` out, with one comma."""

    path: Path


Op: TypeAlias = Set | Delete


class _Key:
    """A key equal to nothing but itself, so that a dict keeps duplicate members apart."""


_Plan: TypeAlias = "Op | _Branch"
_Branch: TypeAlias = dict[str | int, _Plan]
_Splice: TypeAlias = tuple[int, int, bytes]
_Children: TypeAlias = Sequence[tuple[str | int, Slice]]

_VALUE = msgspec.json.Decoder(msgspec.Raw)
_MEMBERS = msgspec.json.Decoder(dict[_Key, msgspec.Raw], dec_hook=lambda kind, key: _Key())
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])
_BOM = b"\xef\xbb\xbf"
_BLANKS = b" \t\n\r"
_GAP = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\n\r]*,?[ \t\n\r]*")
_NAME = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")[ \t\n\r]*:[ \t\n\r]*', re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_TOO_DEEP = "JSON is nested too deeply to be read"


def outline(data: bytes) -> bytes:
    """`data`, or a stand-in of the same length and structure that msgspec can skip; for offsets only.

    In the stand-in a byte-order mark and all surrogate escapes are blanks, so keys and values are read
    from `data`. Strings are not checked to be UTF-8 (`decode` does that). Raises WireError, naming the
    byte, unless `data` is one JSON value.
    """
    try:
        _VALUE.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return _stand_in(data, 0)
    return data


def members(data: bytes, start: int = 0, stop: int | None = None) -> list[Slice]:
    """Each member, duplicates too, of the object that is all of `data[start:stop]`; WireError unless it is one."""
    return _slices(data, start, stop, b"{")


def items(data: bytes, start: int = 0, stop: int | None = None) -> list[Slice]:
    """Each item of the array that is all of `data[start:stop]`; WireError unless it is one."""
    return _slices(data, start, stop, b"[")


def at(data: bytes, path: Path) -> Slice | None:
    """The value at `path`, or None when there is none; of duplicate keys the last counts, as in decoders.

    Raises WireError when a container on the way is damaged.
    """
    place = _whole(data)
    for step in path:
        inner = dict(_children(data, place)).get(step)
        if inner is None:
            return None
        place = inner
    return place


def rewrite(data: bytes, ops: Sequence[Op]) -> bytes:
    """`data` after `ops`; every byte that no op speaks of stays, and so does `data` itself without any.

    All paths mean places in `data` as given. Set replaces the last of duplicate keys, Delete takes all
    of them and does nothing when there is none; of two ops with one path the later counts. Raises
    ValueError for a path that leads nowhere or into the path of another op, WireError for damaged JSON.
    """
    if not ops:
        return data
    whole, top = _whole(data), _plan(ops)
    if isinstance(top, Delete):
        raise ValueError("the whole value cannot be deleted")
    if not isinstance(top, dict) or data[whole.start : whole.start + 1] not in (b"{", b"["):
        outline(data)
    splices: list[_Splice] = []
    todo: list[tuple[Path, Slice, _Plan]] = [((), whole, top)]
    while todo:
        path, place, plan = todo.pop()
        if isinstance(plan, Set):
            splices.append((place.start, place.stop, encode(plan.value)))
        elif isinstance(plan, dict):
            children = _children(data, place)
            splices += _removed(data, place, children, plan)
            splices += _added(data, path, place, children, plan)
            last = dict(children)
            todo += (((*path, step), last[step], inner) for step, inner in plan.items() if step in last)
    view, pos = memoryview(data), 0
    pieces: list[bytes | memoryview] = []
    for start, stop, new in sorted(splices):
        pieces += view[pos:start], new
        pos = stop
    return b"".join((*pieces, view[pos:]))


def encode(value: JSON) -> bytes:
    """`value` as compact JSON; `msgspec.Raw` stands as it is, strings with lone surrogates are escaped.

    Raises WireError for what JSON cannot express, and for too deep nesting.
    """
    try:
        try:
            return msgspec.json.encode(value)
        except UnicodeEncodeError:
            return _encode_surrogates(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError(f"a value cannot be written as JSON: {error}") from error


def decode(data: bytes) -> JSON:
    """The value of a JSON text. A number that Python cannot hold (1e999) becomes a string of its digits.

    Raises WireError, naming the byte, for what is not JSON or not UTF-8, and for too deep nesting.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        _stand_in(data, 0)
    try:
        return json.loads(data.decode("utf-8-sig"), parse_int=_number, parse_float=_number)
    except RecursionError as error:
        raise WireError(_TOO_DEEP) from error


def _stand_in(data: bytes, base: int) -> bytes:
    """The long way of `outline`, for data that stands at `base` of a larger buffer."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise WireError(f"not UTF-8 at byte {base + error.start}: {error.reason}") from error
    if data.startswith(_BOM):
        data = b"   " + data[3:]
    # Also right behind an escaped backslash, where this is no escape: the structure stays the same.
    data = _SURROGATE.sub(rb"\\u0020", data)
    try:
        _VALUE.decode(data)
    except msgspec.DecodeError as error:
        what, _, byte = str(error).removeprefix("JSON is malformed: ").removesuffix(")").partition(" (byte ")
        raise WireError(f"not valid JSON near byte {base + int(byte or len(data))}: {what}") from error
    except RecursionError as error:
        raise WireError(_TOO_DEEP) from error
    return data


def _slices(data: bytes, start: int, stop: int | None, bracket: bytes) -> list[Slice]:
    """The values of a container, found by the lengths that msgspec gives and the text between them."""
    begin = _gap(data, start)
    if not data.startswith(bracket, begin):
        raise WireError(f"expected {bracket.decode()!r} at byte {begin}")
    found, pos = [], begin + 1
    for raw in _raws(memoryview(data)[begin:stop], begin, _MEMBERS if bracket == b"{" else _ITEMS):
        tight = data[pos] == ord(",") and data[pos + 1] not in _BLANKS  # as most clients write
        begin = pos + 1 if tight else _gap(data, pos)
        name = _NAME.match(data, begin) if bracket == b"{" else None
        begin = name.end() if name else begin
        pos = begin + len(raw)
        found.append(Slice(decode(name[1]) if name else None, begin, pos))
    return found


def _raws(view: memoryview, base: int, decoder: msgspec.json.Decoder[JSON]) -> Iterable[msgspec.Raw]:
    try:
        try:
            raws = decoder.decode(view)
        except msgspec.DecodeError:
            raws = decoder.decode(_stand_in(bytes(view), base))
    except RecursionError as error:
        raise WireError(_TOO_DEEP) from error
    return raws.values() if isinstance(raws, dict) else raws


def _gap(data: bytes, pos: int) -> int:
    """Where the blanks at `pos`, with a comma in them or not, end."""
    found = _GAP.match(data, pos)
    return pos if found is None else found.end()


def _whole(data: bytes) -> Slice:
    return Slice(None, _gap(data, 0), len(data.rstrip(_BLANKS)))


def _children(data: bytes, place: Slice) -> _Children:
    """The steps that lead on from `place`, each with its value; none from what is no container."""
    if data.startswith(b"{", place.start):
        return [(child.key or "", child) for child in members(data, place.start, place.stop)]
    if data.startswith(b"[", place.start):
        return list(enumerate(items(data, place.start, place.stop)))
    return []


def _plan(ops: Sequence[Op]) -> _Plan:
    """The ops as a tree of path steps with an op at each leaf, so that each container is walked once."""
    box: _Branch = {}
    for op in ops:
        node = box
        *way, end = ("", *op.path)
        for step in way:
            inner = node.setdefault(step, {})
            if not isinstance(inner, dict):
                raise ValueError(f"{op.path!r} leads into {inner.path!r}, which is replaced or deleted")
            node = inner
        if isinstance(node.get(end), dict):
            raise ValueError(f"another path leads into {op.path!r}, which is replaced or deleted")
        node[end] = op
    return box[""]


def _removed(data: bytes, place: Slice, children: _Children, plan: _Branch) -> Iterator[_Splice]:
    """Cuts of the children to delete: with the comma before, or after when nothing before is kept."""
    edge, kept = place.start + 1, False
    for step, child in children:
        if not isinstance(plan.get(step), Delete):
            kept = True
        elif kept:
            yield edge, child.stop, b""
        else:
            yield _gap(data, edge), _gap(data, child.stop), b""
        edge = child.stop


def _added(data: bytes, path: Path, place: Slice, children: _Children, plan: _Branch) -> Iterator[_Splice]:
    """What goes in behind the last member, with a blank after comma and colon if that member has one."""
    present = {step for step, _ in children}
    fields = []
    end = children[-1][1] if children else place
    blank = b" " if children and data[end.start - 1] in _BLANKS else b""
    for step, inner in plan.items():
        if step in present:
            continue
        if isinstance(step, int) or isinstance(inner, dict) or not data.startswith(b"{", place.start):
            raise ValueError(f"there is nothing at {(*path, step)!r}")
        if isinstance(inner, Set):
            fields.append(encode(step) + b":" + blank + encode(inner.value))
    if fields:
        kept = any(not isinstance(plan.get(step), Delete) for step in present)
        pos, comma = end.stop if kept else place.stop - 1, b"," + blank
        yield pos, pos, (comma if kept else b"") + comma.join(fields)


def _encode_surrogates(value: JSON) -> bytes:
    """As `encode`, in Python: strings that msgspec refuses are written in ASCII."""
    match value:
        case dict():
            fields = (_encode_surrogates(str(key)) + b":" + _encode_surrogates(value[key]) for key in value)
            return b"{" + b",".join(fields) + b"}"
        case list() | tuple():
            return b"[" + b",".join(map(_encode_surrogates, value)) + b"]"
        case str() if any("\ud800" <= char <= "\udfff" for char in value):
            return json.dumps(value).encode()
        case _:
            return msgspec.json.encode(value)


def _number(digits: str) -> int | float | str:
    try:
        return int(digits)
    except ValueError:  # not an integer, or one of more digits than Python reads
        number = float(digits)
        return number if math.isfinite(number) else digits
