"""Files that trimtab knows but does not read, each named as what it is; and what any other file looks like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.lines import head, mapping
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, kind

MOST_KEYS = 8


def _intercode(file: dict[str, Any]) -> bool:
    return "turn_history" in mapping(next(iter(file.values()), None))


def _inspect(file: dict[str, Any]) -> bool:
    return {"eval", "status"} <= file.keys() and "task" in mapping(file["eval"])


def _moatless(file: dict[str, Any]) -> bool:
    nodes = items(file.get("nodes")) or [file.get("root")]
    return {"node_id", "completions"} <= mapping(nodes[0]).keys() or "max_expansions" in file


KNOWN: tuple[tuple[str, Callable[[dict[str, Any]], bool]], ...] = (
    ("InterCode turns, which hold no messages", _intercode),
    ("an inspect log", _inspect),
    ("a moatless search tree, whose nodes are no single conversation", _moatless),
)
"""JSON documents that are recognised by their keys."""

PACKED: tuple[tuple[bytes, str], ...] = (
    (b"SQLite format 3\0", "an SQLite database"),
    (b"PK\x03\x04", "a ZIP archive (an inspect log of type .eval is one)"),
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it first"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
)
"""Files that are recognised by their first bytes."""


def looks_like(data: bytes) -> str:
    """What a file of no reader's format is, or seems to be, in a few words."""
    if not data.strip():
        return "it is empty"
    for start, what in PACKED:
        if data.startswith(start):
            return f"it is {what}"
    try:
        return _document(decode(data))
    except WireError as error:
        first = next(head(data), None)
        if first is not None:
            return f"it looks like JSON Lines of objects with {_keys(first)}"
        if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
            return f"it looks like damaged JSON ({error})"
        return "it looks like text" if b"\0" not in data[:4096] else "it looks like binary data"


def _document(value: JSON) -> str:
    for what, fits in KNOWN:
        if fits(mapping(value)):
            return f"it is {what}; such files are recognised, but not read"
    if isinstance(value, dict):
        return f"it looks like a JSON object with {_keys(value)}"
    inside = f" of {len(value)}, the first {_one(value[0])}" if isinstance(value, list) and value else ""
    return f"it looks like JSON, {kind(value)}{inside}"


def _one(value: JSON) -> str:
    return f"an object with {_keys(value)}" if isinstance(value, dict) else f"of type {kind(value)}"


def _keys(value: dict[str, Any]) -> str:
    names = [repr(key[:40]) for key in list(value)[:MOST_KEYS]]
    return ", ".join(names + ["…"] * (len(value) > MOST_KEYS)) or "no keys"
