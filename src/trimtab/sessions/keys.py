"""The top-level keys of a JSON document, found without decoding it."""

from __future__ import annotations

from trimtab.errors import WireError
from trimtab.jsonbytes import members


def top_level(data: bytes) -> frozenset[str]:
    """The keys of the object that is all of `data`; none when it is anything else."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
        return frozenset()
    try:
        return frozenset(one.key or "" for one in members(data))
    except WireError:
        return frozenset()
