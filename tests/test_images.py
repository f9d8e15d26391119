from __future__ import annotations

import base64
import struct

import pytest
from hypothesis import given, strategies as st

from trimtab.images import AUDIO, OTHER, PAGE, Size, image_size, image_tokens

PROVIDERS = ["anthropic", "bedrock", "openai_chat", "openai_responses", "gemini", "langchain"]


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def png(width: int, height: int, body: int = 0) -> str:
    return encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\2" + b"x" * body)


def jpeg(width: int, height: int, before: int = 0) -> str:
    exif = b"".join(b"\xff\xe1" + struct.pack(">H", 60_002) + b"e" * 60_000 for _ in range(before))
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\0" * 9
    return encode(
        b"\xff\xd8\xff\xe0\0\x10JFIF\0" + b"\0" * 9 + exif + b"\xff\xc4\0\x0babcdefghi" + frame + b"\xff\xda"
    )


def gif(width: int, height: int) -> str:
    return encode(b"GIF89a" + struct.pack("<HH", width, height) + b"\0" * 20)


def webp(kind: bytes, body: bytes) -> str:
    return encode(b"RIFF\0\0\0\0WEBP" + kind + b"\0\0\0\0" + body + b"\0" * 20)


@pytest.mark.parametrize(
    "image",
    [
        png(1_000, 600),
        png(1_000, 600).rstrip("="),
        "\n".join(png(1_000, 600)[at : at + 20] for at in range(0, 40, 20)),
        jpeg(1_000, 600),
        jpeg(1_000, 600, before=4),
        jpeg(1_000, 600).replace("+", "-").replace("/", "_"),
        gif(1_000, 600),
        webp(b"VP8X", b"\0\0\0\0" + (999).to_bytes(3, "little") + (599).to_bytes(3, "little")),
        webp(b"VP8L", b"\x2f" + (999 | 599 << 14).to_bytes(4, "little")),
        webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 1_000, 600)),
    ],
    ids=["png", "unpadded", "wrapped", "jpeg", "jpeg-exif", "urlsafe", "gif", "webp-x", "webp-l", "webp"],
)
def test_size_is_read_from_the_header(image: str) -> None:
    assert image_size(image) == Size(1_000, 600)
    assert image_tokens("anthropic", "image/png", image) == 800


@pytest.mark.parametrize(
    ("width", "height", "anthropic", "openai", "gemini"),
    [
        (200, 200, 54, 255, 258),
        (1_000, 1_000, 1_334, 765, 1_032),
        (1_092, 1_092, 1_590, 765, 1_032),
        (2_048, 4_096, 1_600, 1_105, 258 * 2 * 4),
        (384, 384, 197, 255, 258),
        (1, 1, 1, 255, 258),
        (1, 8_000, 1, 85 + 170 * 4, 258 * 4),
        (4_000_000_000, 4_000_000_000, 1_600, 765, 258 * 16),
    ],
)
def test_tokens_by_the_published_rules(width: int, height: int, anthropic: int, openai: int, gemini: int) -> None:
    image = png(width, height)
    assert image_tokens("anthropic", "image/png", image) == anthropic
    assert image_tokens("bedrock", "image/png", image) == anthropic
    assert image_tokens("openai_chat", "image/png", image) == openai
    assert image_tokens("openai_responses", "image/png", image) == openai
    assert image_tokens("gemini", "image/png", image) == gemini
    assert image_tokens("langchain", "image/png", image) == max(anthropic, openai, gemini)


def test_low_detail_has_a_price_of_its_own_at_openai_only() -> None:
    assert image_tokens("openai_chat", "image/png", png(2_000, 2_000), detail="low") == 85
    assert image_tokens("anthropic", "image/png", png(500, 600), detail="low") == 400


@pytest.mark.parametrize("provider", PROVIDERS)
def test_TOK_01_tokens_do_not_depend_on_the_encoded_length(provider: str) -> None:
    small, large = png(1_200, 800), png(1_200, 800, body=3_000_000)
    assert len(large) > 4_000_000
    assert image_tokens(provider, "image/png", small) == image_tokens(provider, "image/png", large) < 2_000


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "unreadable", ["", "!!!", "A", "é", encode(b"BM" + b"\0" * 99), png(0, 7), jpeg(5, 5)[:40]]
)
def test_TOK_03_an_image_of_unknown_size_has_a_flat_price(provider: str, unreadable: str) -> None:
    assert image_size(unreadable) is None
    assert 1_000 < image_tokens(provider, "image/png", unreadable) <= 1_600


@pytest.mark.parametrize("provider", PROVIDERS)
def test_MM_11_sounds_and_unknown_media_have_documented_constants(provider: str) -> None:
    assert image_tokens(provider, "audio/wav", "UklGRg") == AUDIO
    assert image_tokens(provider, "video/mp4", "") == OTHER
    assert image_tokens(provider, "foo", "") == image_tokens(provider, "", "x" * 9_999) == OTHER


def test_pages_of_a_document() -> None:
    pages = b"%PDF-1.4 /Type /Pages /Count 3 /Type /Page /Type/Page\n/Type /Page/Parent"
    assert image_tokens("anthropic", "application/pdf", encode(pages)) == 3 * PAGE
    assert image_tokens("gemini", "application/pdf", encode(pages)) == 3 * 258
    assert image_tokens("anthropic", "application/pdf", encode(b"%PDF" + b"\0" * 499_996)) == 10 * PAGE
    assert image_tokens("anthropic", "application/pdf", "") == PAGE
    assert image_tokens("anthropic", "application/pdf", encode(b"/Type /Page " * 100_000)) == 1_000 * PAGE


@given(st.sampled_from(PROVIDERS), st.binary(max_size=300), st.sampled_from(["image/x", "application/pdf", "a"]))
def test_any_bytes_have_a_price(provider: str, data: bytes, media_type: str) -> None:
    for magic in (b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8X", b"GIF8"):
        assert image_tokens(provider, media_type, encode(magic + data)) >= 1


@given(st.text(max_size=60))
def test_any_text_has_a_price(text: str) -> None:
    assert image_tokens("openai_chat", "image/png", text) >= 1
