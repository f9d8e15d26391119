from __future__ import annotations

import base64
import gzip
import itertools
import json
import random
import string
import textwrap

import pytest
from hypothesis import given, strategies as st

from trimtab.blobs import Blob, find_blobs

RANDOM = random.Random(7)
PNG = b"\x89PNG\r\n\x1a\n" + RANDOM.randbytes(900)
NOISE = RANDOM.randbytes(6_000)


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def only(text: str) -> Blob:
    (blob,) = find_blobs(text)
    return blob


@pytest.mark.parametrize(
    ("head", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"\x1f\x8b\x08\0", "application/gzip"),
        (b"ID3\x04\0", "audio/mpeg"),
        (b"RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
        (b"OggS\0", "audio/ogg"),
        (b"\0\0\0\x18ftypmp42", "video/mp4"),
        (b"wOF2", "font/woff2"),
        (b"\x7fELF", "application/x-elf"),
    ],
)
def test_known_files_are_found_with_their_kind(head: bytes, media_type: str) -> None:
    data = head + RANDOM.randbytes(300)
    text = f'{{"name": "x", "content": "{encode(data)}", "total": 1}}'
    blob = only(text)
    assert (blob.media_type, blob.data) == (media_type, data)
    assert text[blob.start : blob.stop] == encode(data)


def test_urlsafe_and_unpadded_payloads_are_found() -> None:
    payload = base64.urlsafe_b64encode(PNG).decode().rstrip("=")
    assert "-" in payload
    assert only(f"<{payload}>").data == PNG


@pytest.mark.parametrize("width", [60, 64, 76])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n", "\n    "])
def test_wrapped_payloads_are_one_blob(width: int, newline: str) -> None:
    wrapped = newline.join(textwrap.wrap(encode(PNG), width))
    text = f"$ base64 shot.png{newline[:-1] if newline.isspace() else ' '}\n{wrapped}\n$ echo done and more\n"
    blob = only(text)
    assert blob.data == PNG
    assert text[blob.start : blob.stop] == wrapped


def test_a_payload_cut_by_a_tool_is_found_up_to_the_cut() -> None:
    for length in range(400, 404):
        text = encode(PNG)[:length] + "... [truncated]"
        blob = only(text)
        assert (blob.stop, blob.data) == (length, PNG[: len(blob.data)])
        assert len(blob.data) >= 300


def test_MM_09_data_uris_are_found_at_any_depth() -> None:
    thumb = "data:image/png;base64," + "AAAA" * 60
    text = json.dumps({"files": [{"meta": {"thumb": thumb}}], "total": 1})
    blob = only(text)
    assert text[blob.start : blob.stop] == thumb
    assert blob.media_type == "image/png"
    assert json.loads(text[: blob.start] + "stub" + text[blob.stop :])["files"][0]["meta"]["thumb"] == "stub"


def test_data_uris_may_have_parameters_or_no_type() -> None:
    payload = encode(b"body { color: red }" * 20)
    assert only(f"url(data:text/css;charset=utf-8;base64,{payload})").media_type == "text/css"
    assert only(f"url(data:;base64,{payload})").media_type == "text/plain"
    assert find_blobs("data:image/png;base64," + "AAAA" * 59) == []


def test_many_blobs_come_in_order_without_overlap() -> None:
    text = " and ".join([encode(PNG), "data:image/gif;base64," + encode(PNG), "x" * 300, encode(PNG)])
    blobs = find_blobs(text)
    assert [blob.media_type for blob in blobs] == ["image/png", "image/gif", "image/png"]
    assert all(a.stop <= b.start for a, b in itertools.pairwise(blobs))


def test_long_binary_of_no_known_kind_is_found() -> None:
    assert only("out: " + encode(NOISE)).media_type == "application/octet-stream"
    assert find_blobs("out: " + encode(NOISE[:2_000])) == []


def jwt(size: int) -> str:
    claims = json.dumps({"sub": "1", "roles": ["r" + str(n) for n in range(size)]}).encode()
    parts = (b'{"alg":"RS256","typ":"JWT"}', claims, RANDOM.randbytes(256))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def pem(kind: str, data: bytes, newline: str = "\n") -> str:
    body = newline.join(textwrap.wrap(encode(data), 64))
    return f"-----BEGIN {kind}-----{newline}{body}{newline}-----END {kind}-----{newline}"


JS = "function a(b){return b.map(c=>c.d+1)};" * 200
KEPT = {
    "jwt": jwt(5),
    "long jwt": jwt(900),
    "encrypted jwt": "eyJhbGciOiJkaXIifQ.." + encode(NOISE).rstrip("=") + "." + encode(NOISE[:16]),
    "ssh key": "ssh-rsa " + encode(b"\0\0\0\x07ssh-rsa\0\0\0\x03\1\0\1" + NOISE[:517]) + " me@host",
    "pem key": pem("PRIVATE KEY", b"\x30\x82" + NOISE[:1_200]),
    "pem bundle": pem("PKCS7", b"\x30\x82" + NOISE),
    "pem in json": json.dumps({"private_key": pem("PRIVATE KEY", b"\x30\x82" + NOISE[:1_200])}),
    "pgp": pem("PGP MESSAGE", NOISE).replace("MESSAGE-----\n", "MESSAGE-----\nVersion: GnuPG v2\n\n", 1),
    "sha sums": "\n".join(RANDOM.randbytes(32).hex() + "  file" + str(n) for n in range(200)),
    "bare sums": "\n".join(RANDOM.randbytes(64).hex() for n in range(200)),
    "hex": NOISE.hex(),
    "upper hex": NOISE.hex().upper(),
    "session token": "AWS_SESSION_TOKEN=IQoJb3JpZ2luX2Vj" + encode(NOISE[:700]),
    "api token": "".join(RANDOM.choices(string.ascii_letters + string.digits, k=600)),
    "kubernetes secret": "tls.crt: " + encode(pem("CERTIFICATE", b"\x30\x82" + NOISE).encode()),
    "base64 text": encode(("user: admin\npassword: hunter2\n" * 400).encode()),
    "base64 of base64": encode(encode(gzip.compress(b"release" * 99)).encode()),
    "utf-16 text": encode((string.printable * 30 + "Grüße").encode("utf-16-le")),
    "latin-1 text": encode(bytes(RANDOM.choices([*range(32, 127), *range(160, 256)], k=6_000))),
    "nul-separated text": encode(
        "\0".join(
            textwrap.wrap("".join(RANDOM.choices(string.ascii_letters + string.digits + "~/._-", k=6_000)), 6)
        ).encode()
    ),
    "minified js": JS,
    "camel case": "veryLongGeneratedName" * 300,
    "path": "/usr/lib/python3/site-packages/trimtab" * 200,
    "ruler": "-" * 5_000 + "\n" + "_" * 5_000 + "\n" + "/" * 5_000 + "\n" + "A" * 5_000,
    "dna": "".join(RANDOM.choices("ACGT", k=9_000)),
    "digits": "31415926535" * 900,
    "base32": base64.b32encode(NOISE).decode(),
    "prose": "The quick brown fox jumps over the lazy dog. " * 500,
}


@pytest.mark.parametrize("name", KEPT)
def test_what_only_looks_like_base64_stays(name: str) -> None:
    assert find_blobs(KEPT[name]) == []


def test_lines_after_a_wrapped_payload_stay() -> None:
    for size, after in ((57 * 15, "NextLineOfOutput" * 10), (57 * 15 - 6, "Done\n" + "Z" * 76)):
        text = "\n".join(textwrap.wrap(encode(PNG[:size]), 76)) + "\n" + after + "\n"
        blob = only(text)
        assert blob.data == PNG[:size]
        assert text[blob.stop :].strip() == after


@pytest.mark.parametrize(
    "text",
    [
        "A" * 1_000_000,
        encode(NOISE) * 125,
        "abc+/ " * 170_000,
        "a" * 59 + " " + "b" * 59 + "\n",
        "\n".join("A" * (60 + n % 3) for n in range(16_000)),
        "\n".join("A" * 60 for n in range(16_000)),
        "data:;base64," * 80_000,
        ("data:" + "a" * 90 + ";base64," + "A" * 240 + " ") * 3_000,
        "-----BEGIN " * 90_000,
        "\\n" * 500_000,
        "\ud800" * 300 + "é" * 300,
    ],
    ids=range(11),
)
def test_hostile_text_is_read(text: str) -> None:
    for blob in find_blobs(text):
        assert 0 <= blob.start < blob.stop <= len(text)


@given(st.binary(min_size=260, max_size=400), st.text(max_size=40), st.booleans())
def test_a_picture_is_found_in_any_surroundings(tail: bytes, around: str, wrap: bool) -> None:
    payload = encode(b"GIF89a" + tail)
    shown = "\n".join(textwrap.wrap(payload, 76)) if wrap else payload
    blob = only(f"{around}\n<{shown}>\n{around}")
    assert blob.data == b"GIF89a" + tail


@given(st.text(st.sampled_from("Aa0+/-_= \n\\rn.,:;é"), max_size=900))
def test_any_text_is_read(text: str) -> None:
    assert all(text[blob.start : blob.stop].strip() for blob in find_blobs(text))
