"""What of an original is wanted: lines, a pattern, or the bytes of a medium. Imports little on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO

from trimtab.errors import HandleError

LINES = re.compile(r"(\d{1,12})(?:-(\d{0,12}))?")


def select(text: str, lines: str | None = None, grep: str | None = None) -> str:
    """The lines in a range that match a pattern.

    `lines` is "A-B", "A-" or "A", counted from 1; `grep` a regular expression: matching lines come back
    with their numbers. HandleError for a range or a pattern that means nothing here.
    """
    if lines is None and grep is None:
        return text
    return "".join(_chosen(rows(text), lines, grep))


def rows(text: str) -> list[str]:
    """The lines of a text with their ends, as editors and `sed` count them: only a line feed ends one."""
    return StringIO(text, newline="\n").readlines()


def _chosen(rows: list[str], lines: str | None, grep: str | None) -> Iterator[str]:
    first, last = _range(lines, len(rows))
    try:
        pattern = re.compile(grep) if grep is not None else None
    except (re.error, RecursionError, OverflowError) as error:
        raise HandleError(f"pattern {grep!r}: {error}") from error
    for number, row in enumerate(rows[first - 1 : last], first):
        if pattern is None:
            yield row
        elif pattern.search(row):
            yield f"{number}:{row}" if row.endswith("\n") else f"{number}:{row}\n"


def _range(lines: str | None, count: int) -> tuple[int, int]:
    if lines is None:
        return 1, count
    match = LINES.fullmatch(lines.strip())
    first = int(match[1]) if match else 0
    last = first if match and match[2] is None else int(match[2] or count) if match else 0
    if first > count and match:
        raise HandleError(f"lines {lines!r}: the original has only {count}")
    if not match or first < 1 or last < first:
        raise HandleError(f"lines {lines!r}: expected A-B, A- or A, counted from 1; the original has {count}")
    return first, last


def medium(data: bytes) -> bytes:
    """The bytes of a stored medium: the longest base64 text in its JSON, decoded; the JSON where there is none."""
    import json
    from base64 import b64decode

    longest = max(_texts(json.loads(data)), key=len, default="")
    try:
        return b64decode(longest.rpartition(",")[2], validate=True) or data
    except ValueError:
        return data


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
