"""Base64 payloads inside text, recognised by decoding them.

Much looks like base64 and must stay: hashes, ids, keys, tokens, base64 of ordinary text. So a bare
run counts only when the bytes behind it are known to be a file, or are long and plainly binary.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from typing import NamedTuple

SHORTEST = 240
"""Characters of payload below which a stub would hardly be shorter."""
_SHORTEST_UNNAMED = 4_096
"""Characters from which binary data of no known kind is taken; keys and tokens are shorter than this."""

_LINE = re.compile(r"(?:[A-Za-z0-9+/_-]{0,59}+[^A-Za-z0-9+/_-]++)*+([A-Za-z0-9+/_-]{60,}+)")
"""Passes over everything up to the next line of base64; possessive, so that nothing is read twice."""
_MORE = re.compile(r"(?:\r?\n[ \t]{0,16}|(?:\\r)?\\n)([A-Za-z0-9+/_-]+)")
_DATA_URI = re.compile(r"data:([^,;\s\"'<>()]{0,80})(?:;[^,;\s\"'<>()]{1,60}){0,4};base64,\Z", re.IGNORECASE)
_LOOK_BACK = 400
_BREAKS = re.compile(r"\\[rn]|\s+")
_CONTROL = bytes({*range(32)} - {*b"\t\n\r\f\x1b"})

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"II*\0", "image/tiff"),
    (0, b"MM\0*", "image/tiff"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\x1f\x8b\x08", "application/gzip"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"\xfd7zXZ\0", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"ID3\x02", "audio/mpeg"),
    (0, b"ID3\x03", "audio/mpeg"),
    (0, b"ID3\x04", "audio/mpeg"),
    (8, b"WAVE", "audio/wav"),
    (0, b"OggS\0", "audio/ogg"),
    (0, b"fLaC\0", "audio/flac"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1a\x45\xdf\xa3", "video/webm"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
    (0, b"\x7fELF", "application/x-elf"),
    (0, b"\0asm", "application/wasm"),
    (0, b"SQLite format 3\0", "application/vnd.sqlite3"),
)


class Blob(NamedTuple):
    """A payload at `text[start:stop]` (with its `data:` prefix); `data` is what it decodes to."""

    start: int
    stop: int
    media_type: str
    data: bytes


def find_blobs(text: str) -> list[Blob]:
    """The base64 payloads of a text, in order, without overlap; linear time.

    Found: data URIs with a payload of 240 characters or more, and bare runs of that length, in one
    line or in lines of equal width, that decode to a known kind of file; without a known kind, from
    4,096 characters on, when the bytes are plainly not text. Not found: everything inside PEM.
    """
    if len(text) < SHORTEST:
        return []
    blobs = (_blob(text, start, stop) for start, stop in _runs(text))
    return [blob for blob in blobs if blob is not None]


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Maximal runs of base64 of at least `SHORTEST` characters, wrapped lines joined."""
    at = 0
    while line := _LINE.match(text, at):
        start, stop = line.span(1)
        if start == 0 or text[start - 1] != ",":
            stop = _wrapped(text, stop, stop - start)
        at = stop
        stop += len(text[stop : stop + 2]) - len(text[stop : stop + 2].lstrip("="))
        if stop - start >= SHORTEST:
            yield start, stop


def _wrapped(text: str, stop: int, width: int) -> int:
    """Where the lines of `width` that begin before `stop` end; the last one may be shorter."""
    while more := _MORE.match(text, stop):
        length = more.end() - more.start(1)
        if length > width:
            break
        stop = more.end()
        if length < width:
            break
    return stop


def _blob(text: str, start: int, stop: int) -> Blob | None:
    before = text[max(0, start - _LOOK_BACK) : start]
    if declared := _DATA_URI.search(before):
        data = _decode(text[start:stop])
        return Blob(start - len(declared[0]), stop, declared[1] or "text/plain", data)
    if "-----BEGIN " in before and "-----END" not in before[before.rindex("-----BEGIN ") :]:
        return None
    kind = _kind(_decode(text[start : start + 48]))
    if kind is None and (stop - start < _SHORTEST_UNNAMED or len(set(text[start:stop])) < 60):
        return None
    data = _decode(text[start:stop])
    if kind is None and (before.endswith(".") or not _plainly_binary(data)):
        return None
    return Blob(start, stop, kind or "application/octet-stream", data)


def _kind(head: bytes) -> str | None:
    return next((kind for at, magic, kind in _MAGIC if head[at:].startswith(magic)), None)


def _plainly_binary(data: bytes) -> bool:
    """One byte in twenty or more is a control code, and it is neither UTF-8 nor, by its zeros, UTF-16."""
    control = len(data) - len(data.translate(None, _CONTROL))
    if control < len(data) / 20 or data.count(0) > len(data) / 4:
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def _decode(payload: str) -> bytes:
    """The bytes of a run; a last character or two that a cut has left alone are passed over."""
    text = _BREAKS.sub("", payload).rstrip("=").translate(_STANDARD)
    text = text[:-1] if len(text) % 4 == 1 else text
    return binascii.a2b_base64(text + "=" * (-len(text) % 4))


_STANDARD = str.maketrans("-_", "+/")
