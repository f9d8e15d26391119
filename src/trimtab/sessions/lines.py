"""What the readers share: JSON Lines as agents leave them on disk, and values taken without trust."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.base import Damage
from trimtab.transcript import JSON

HEAD = 32
"""Lines that `head` looks at: enough to pass titles, snapshots and hooks that come before the first message."""

_LINE = re.compile(rb"[^\n]+")


class Line(NamedTuple):
    """An object of a file of JSON Lines, and the number of its line (from 1, blank lines counted)."""

    number: int
    value: dict[str, Any]


def lines(data: bytes, damage: list[Damage]) -> Iterator[Line]:
    """The objects of a file of JSON Lines; what is none goes into `damage`.

    A last line that has no end and cannot be read was being written when the file was copied: it is
    passed over in silence.
    """
    for number, text, whole in _texts(data):
        try:
            value = decode(text)
        except WireError as error:
            if whole:
                damage.append(Damage(number, str(error)))
            continue
        if isinstance(value, dict):
            yield Line(number, value)
        else:
            damage.append(Damage(number, "not a JSON object"))


def head(data: bytes) -> Iterator[dict[str, Any]]:
    """The objects among the first lines, read one by one as they are asked for."""
    for number, text, _ in _texts(data):
        if number > HEAD:
            return
        try:
            value = decode(text)
        except WireError:
            continue
        if isinstance(value, dict):
            yield value


def _texts(data: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Each line that is not blank: its number, its text, and whether it has an end."""
    number, counted = 1, 0
    for found in _LINE.finditer(data):
        number += data.count(b"\n", counted, found.start())
        counted = found.start()
        text = found[0].strip()
        if text:
            yield number, text, found.end() < len(data)


def mapping(value: JSON) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def total(fields: Mapping[str, JSON], *names: str) -> int:
    """The sum of the counts of those names; what is no whole number above 0 counts as 0."""
    counts = (fields.get(name) for name in names)
    return sum(value for value in counts if isinstance(value, int) and not isinstance(value, bool) and value > 0)
