"""What was cut comes back: by handle, whole, by lines or by pattern.

Imports little on purpose: agents run `trimtab recall` in a shell.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from trimtab.errors import HandleError
from trimtab.journal import Artifact, Kind
from trimtab.stores.base import Store

LINES = re.compile(r"(\d+)(?:-(\d*))?")


class Recalled(Struct, frozen=True):
    """An original, or the part of it that was asked for. `data` is a medium decoded, else the text as UTF-8."""

    handle: str
    label: str
    media_type: str
    text: str
    data: bytes


def recall(
    store: Store, namespace: str, handle: str, lines: str | None = None, grep: str | None = None
) -> Recalled:
    """The original behind a handle.

    `lines` is "A-B", "A-" or "A", counted from 1; `grep` a regular expression: matching lines come back
    with their numbers. Raises HandleError naming what is wrong and StoreError.
    """
    artifact = store.artifact(namespace, handle)
    if artifact is None:
        raise HandleError(
            f"{handle[:40]!r}: nothing is stored under this handle in namespace {namespace!r};"
            " a handle looks like t:0123456789abcdef, and comes back only where it was issued"
        )
    if artifact.kind is Kind.MEDIA:
        return Recalled(handle, artifact.label, artifact.media_type, "", payload(artifact))
    text = artifact.data.decode("utf-8", "surrogatepass")
    if lines is not None or grep is not None:
        text = "".join(_chosen(text.splitlines(keepends=True), lines, grep))
    data = text.encode("utf-8", "surrogatepass")
    return Recalled(handle, artifact.label, artifact.media_type, text, data)


def _chosen(rows: list[str], lines: str | None, grep: str | None) -> Iterator[str]:
    """The lines in the range that match the pattern; with a pattern, each with its number."""
    first, last = _range(lines, len(rows))
    try:
        pattern = re.compile(grep) if grep is not None else None
    except re.error as error:
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
    if not match or first < 1 or last < first:
        raise HandleError(f"lines {lines!r}: expected A-B, A- or A, counted from 1; the original has {count}")
    if first > count:
        raise HandleError(f"lines {lines!r}: the original has only {count}")
    return first, last


def payload(artifact: Artifact) -> bytes:
    """The bytes of a stored medium: the longest base64 text in its JSON, decoded; the JSON where there is none."""
    texts = sorted(_texts(msgspec.json.decode(artifact.data)), key=len)
    try:
        return b64decode(texts[-1].rpartition(",")[2], validate=True) if texts else artifact.data
    except (Base64Error, ValueError):
        return artifact.data


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
