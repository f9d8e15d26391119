"""Names of messages: each identity chains the content of a message over all messages before it.

Two requests that share a beginning share its identities, whatever the process, the store or the form
(bytes or dicts) they came in. Cache marks and the system prompt name nothing, so a moved mark or a
new date renames nothing.
"""

from __future__ import annotations

import json
from hashlib import blake2b

import msgspec

from trimtab.edits import At, Span
from trimtab.transcript import JSON

IDENTITY_BYTES = 16
HANDLE_HEX = 16
"""A handle has 64 bits: chance collisions stay below one in a billion up to 190,000 handles a namespace."""


def digest(*data: bytes | memoryview) -> bytes:
    """A 128-bit blake2b over the concatenated data."""
    state = blake2b(digest_size=IDENTITY_BYTES)
    for piece in data:
        state.update(piece)
    return state.digest()


def content(canonical: JSON) -> bytes:
    """The digest of a message's canonical content; the order of keys does not matter."""
    try:
        return digest(msgspec.json.encode(canonical, order="sorted"))
    except UnicodeEncodeError:
        return digest(json.dumps(canonical, sort_keys=True).encode())


def start(wire: str) -> bytes:
    """The identity before the first message of a conversation in this wire."""
    return digest(b"trimtab conversation ", wire.encode())


def chain(previous: bytes, own: bytes) -> bytes:
    """The identity of a message with content digest `own` after the message `previous`."""
    return digest(previous, own)


def handle(at: At) -> str:
    """The handle of a part's original: `t:` and 16 hex digits, derived from its address alone."""
    return "t:" + digest(b"part ", at.message, at.part.to_bytes(4, "big")).hex()[:HANDLE_HEX]


def frame_handle(root: bytes, key: str, sent: bytes) -> str:
    """The handle of a field of the frame as it was given, by the conversation and what is sent instead."""
    return "t:" + digest(b"frame ", root, key.encode("utf-8", "surrogatepass"), b" ", sent).hex()[:HANDLE_HEX]


def span_handle(span: Span, note: str = "") -> str:
    """The handle of messages that gave way to a note, the first of them a `note` of that handle.

    Whether the client sent that note or what it stands for, the handle is the same.
    """
    return "t:" + digest(b"span ", note.encode() or span.first, span.last).hex()[:HANDLE_HEX]


def noted_handle(at: At) -> str:
    """The handle of a part that a handoff note tells of: the request itself is not cut there."""
    return "t:" + digest(b"noted ", at.message, at.part.to_bytes(4, "big")).hex()[:HANDLE_HEX]
