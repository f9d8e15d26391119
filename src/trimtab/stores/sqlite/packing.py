"""Originals as the store holds them: named by what they contain, packed where that saves space."""

from __future__ import annotations

import zlib
from hashlib import blake2b
from typing import NamedTuple

from trimtab.errors import StoreError

LEVEL = 1
"""zlib's fastest: on tool output 33 % of the size is left, against 30 % at level 6 in twice the time."""


class Blob(NamedTuple):
    """A row of `blobs`; `packing` says how `data` is to be read ("zlib" or "none")."""

    digest: bytes
    packing: str
    data: bytes


def pack(content: bytes) -> Blob:
    """Content as it is stored."""
    packed = zlib.compress(content, LEVEL)
    if len(packed) < len(content):
        return Blob(_digest(content), "zlib", packed)
    return Blob(_digest(content), "none", content)


def unpack(blob: Blob) -> bytes:
    """Stored content; StoreError when it is not what its name says."""
    try:
        content = zlib.decompress(blob.data) if blob.packing == "zlib" else blob.data
    except zlib.error:
        content = b""
    if _digest(content) != blob.digest:
        raise StoreError(f"the stored original {blob.digest.hex()} is damaged")
    return content


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=20).digest()
