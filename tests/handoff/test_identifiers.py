"""What is an identifier, and which one a wrong one was meant for."""

from __future__ import annotations

import pytest

from trimtab.handoff.identifiers import Known, identifiers, shape


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("src/a.py, line 12.", ["src/a.py", "12"]),
        ("lines 12-20", ["12", "20"]),
        ("10.0.0.5:8080", ["10.0.0.5", "8080"]),
        ("costs 1,249.50 EUR ($1,249.50)", ["1,249.50", "1,249.50"]),
        ("see https://x.example.com/p?a=1&b=2.", ["https://x.example.com/p?a=1&b=2"]),
        ("call make_note() or MakeNote", ["make_note", "MakeNote"]),
        ("use --dry-run and $HOME, #77", ["--dry-run", "#77"]),
        ("端口8080，文件src/a.py已改", ["8080", "src/a.py"]),
        ("v1.2.3 of 2024-03-17", ["v1.2.3", "2024-03-17"]),
        ("The quick brown fox, e.g. this and/or that", []),
        ("C:\\Users\\ana\\notes.txt and ~/notes.txt", ["C:\\Users\\ana\\notes.txt", "~/notes.txt"]),
        ("ana@example.com", ["ana@example.com"]),
    ],
)
def test_identifiers_of_a_text(text: str, found: list[str]) -> None:
    assert [one.text for one in identifiers(text)] == found
    assert all(text.startswith(one.text, one.start) for one in identifiers(text))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("OPS-4417", "OPS-4471"),
        ("ops_4471", "OPS-4471"),
        ("OPS-471", "OPS-4471"),
        ("OPS-44710", "OPS-4471"),
        ("PS-4471", "OPS-4471"),
        ("OPS-4599", ""),
        ("12,49", "1249"),
        ("1248", ""),
        ("build-773", ""),
        ("src/Invoice.py", "src/invoice.py"),
    ],
)
def test_what_was_meant(wrong: str, right: str) -> None:
    known = Known(["OPS-4471", "1249", "build-771", "build-772", "src/invoice.py"])
    assert known.meant(wrong) == right


def test_what_looks_alike() -> None:
    pairs = [
        ("12", "1,249.50"),
        ("a1b2c3d", "99cc00d"),
        ("OPS-4471", "DEV-1"),
        ("src/a.py", "https://b.example.com/x"),
    ]
    assert all(shape(one) == shape(other) for one, other in pairs)
    assert len({shape(one) for one, _ in pairs}) == len(pairs)


def test_a_long_run_is_read_once() -> None:
    """A blob is no identifier, and neither is it tried at each of its signs."""
    assert identifiers("a/" * 200_000) == []
    assert len(identifiers("x1 " * 100_000)) == 100_000
