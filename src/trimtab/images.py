"""What a provider charges for an image, document or sound, by its published rule.

Never the length of the base64, never nothing. Of an image only the header is decoded; the providers
round and scale in ways they do not publish, so these are estimates within some ten per cent.
"""

from __future__ import annotations

import binascii
import re
import struct
from collections.abc import Callable
from math import ceil
from typing import NamedTuple

PAGE = 3_000
"""Tokens of a page of a document: text (1,500 to 3,000 by Anthropic's PDF page) seen as an image too."""
AUDIO = 1_920
"""Tokens of a sound of unknown length: a minute at 32 a second (Gemini; OpenAI charges 10 a second)."""
OTHER = 3_000
"""Tokens of anything else (video, unknown types): on the high side, as a page."""
MAX_PAGES = 1_000
"""Gemini's limit for a document; the others allow fewer."""

_HEADER = 4_096
"""Base64 characters of a header; every format but JPEG has its size within the first 40 bytes."""
_JPEG_HEADER = 1 << 19
"""Base64 characters of a JPEG that are searched: EXIF and colour profiles stand before its size."""
_BYTES_PER_PAGE = 50_000


class Size(NamedTuple):
    """Pixels of an image."""

    width: int
    height: int


def image_tokens(provider: str, media_type: str, base64: str, detail: str = "auto") -> int:
    """Tokens charged for a medium, at least 1. `base64` may be "" when only a reference is known.

    `provider` is a wire's name (`anthropic`, `openai_chat`, `gemini`, `bedrock`, ...); an unknown
    one is charged as the dearest. `detail` is OpenAI's: "low" costs the base price alone.
    """
    media_type = media_type.lower()
    if media_type.startswith("image"):
        return _image(provider.lower(), base64, detail)
    if media_type.startswith("application/pdf"):
        return _pages(base64) * (258 if _is_google(provider.lower()) else PAGE)
    return AUDIO if media_type.startswith("audio") else OTHER


def _image(provider: str, base64: str, detail: str) -> int:
    if provider.startswith(("openai", "azure")):
        return 85 if detail == "low" else _openai(image_size(base64))
    size = image_size(base64)
    if _is_google(provider):
        return _gemini(size)
    if provider.startswith(("anthropic", "bedrock")):
        return _anthropic(size)
    return max(_anthropic(size), _openai(size), _gemini(size))


def _is_google(provider: str) -> bool:
    return provider.startswith(("gemini", "google", "vertex"))


def _anthropic(size: Size | None) -> int:
    """Width x height / 750 after scaling to a long edge of 1,568 px, at most 1,600; unknown: 1,600.

    Anthropic's vision page. From 4.7 on some models take 2,576 px, up to three times as many tokens,
    which the calibration by reported usage has to make up for.
    """
    if size is None:
        return 1_600
    scale = min(1.0, 1_568 / max(size))
    return min(ceil(size.width * scale * size.height * scale / 750), 1_600)


def _openai(size: Size | None) -> int:
    """85 + 170 for each tile of 512 px after fitting in 2,048 px, then the short side in 768 px.

    The rule of GPT-4o in OpenAI's images guide; unknown: 1,105, a screenshot of 3 x 2 tiles.
    """
    if size is None:
        return 1_105
    scale = min(1.0, 2_048 / max(size))
    scale = min(scale, 768 / min(size))
    return 85 + 170 * _tiles(size, scale, 512)


def _gemini(size: Size | None) -> int:
    """258 for each tile of 768 px after fitting in 3,072 px; unknown: 2 x 2 tiles.

    Gemini's token and image pages (2.0 and later).
    """
    return 258 * (4 if size is None else _tiles(size, min(1.0, 3_072 / max(size)), 768))


def _tiles(size: Size, scale: float, edge: int) -> int:
    width, height = (max(ceil(round(side * scale, 3) / edge), 1) for side in size)
    return width * height


def _pages(base64: str) -> int:
    """Pages of a PDF: its page objects where they are in plain sight, else one for each 50 kB."""
    data = _decode(base64)
    pages = len(re.findall(rb"/Type\s{0,8}/Page(?![A-Za-z])", data)) or ceil(len(data) / _BYTES_PER_PAGE)
    return min(max(pages, 1), MAX_PAGES)


def image_size(base64: str) -> Size | None:
    """Size from the header of a PNG, JPEG, GIF or WebP in base64; None when it cannot be read."""
    head = _decode(base64[:_HEADER])
    for magic, read in _READERS:
        if head.startswith(magic):
            if magic == b"\xff\xd8":
                head = _decode(base64[:_JPEG_HEADER])
            try:
                size = read(head)
            except (struct.error, IndexError):
                return None
            return size if size and min(size) > 0 else None
    return None


def _decode(base64: str) -> bytes:
    """The bytes of a base64 text, also of a damaged or cut one: as far as it goes, or b""."""
    text = "".join(base64.split()).translate(_STANDARD)
    try:
        return binascii.a2b_base64(text[: len(text) // 4 * 4])
    except ValueError:
        return b""


_STANDARD = str.maketrans("-_", "+/")


def _png(head: bytes) -> Size:
    return Size(*struct.unpack_from(">II", head, 16))


def _gif(head: bytes) -> Size:
    return Size(*struct.unpack_from("<HH", head, 6))


def _webp(head: bytes) -> Size | None:
    match head[12:16] if len(head) >= 30 else b"":
        case b"VP8X":
            width, height = (int.from_bytes(head[at : at + 3], "little") for at in (24, 27))
            return Size(width + 1, height + 1)
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", head, 21)
            return Size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", head, 26)
            return Size(width & 0x3FFF, height & 0x3FFF)
    return None


def _jpeg(head: bytes) -> Size | None:
    """The first frame header (markers C0 to CF but C4, C8, CC), found by skipping segment by segment."""
    at = 2
    while head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", head, at + 5)
            return Size(width, height)
        else:
            at += 2 + max(struct.unpack_from(">H", head, at + 2)[0], 2)
    return None


_READERS: tuple[tuple[bytes, Callable[[bytes], Size | None]], ...] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8", _jpeg),
    (b"GIF8", _gif),
    (b"RIFF", _webp),
)
