"""Words, stems and names of texts."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from trimtab.words import LONGEST, chunks, identifiers, named, pieces, stems


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rounding", "round"),
        ("rounded", "rounds"),
        ("replies", "reply"),
        ("running", "run"),
        ("roundStage", "round_stage"),
    ],
)
def test_forms_of_a_word_have_the_same_stems(one: str, other: str) -> None:
    assert stems(one) == stems(other)


@pytest.mark.parametrize("word", ["the", "Which", "and", "only", "x"])
def test_words_that_say_nothing_have_no_stem(word: str) -> None:
    assert stems(word) == []


def test_each_cjk_character_is_a_word() -> None:
    assert stems("請求書") == ["請", "求", "書"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see src/billing/tax.py, line 9", "src/billing/tax.py"),
        ("invoice 20413.", "20413"),
        ("(round_stage)", "round_stage"),
        ("at ledger.billing.internal now", "ledger.billing.internal"),
        ("PAY-3F9A:", "PAY-3F9A"),
    ],
)
def test_identifiers_are_found_without_the_marks_around_them(text: str, found: str) -> None:
    assert found in identifiers(text)


def test_plain_words_are_no_identifiers() -> None:
    assert identifiers("Totals are put together in the invoice module, so that comes first.") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("src/tariff/DriverSetting89.py:117:", {"DriverSetting89", "src/tariff/DriverSetting89.py"}),
        ("volume_voucher_831,2026-05-13,on", {"volume_voucher_831", "2026-05-13"}),
        ("total = settle(amount)", {"settle"}),
        ("meter_policy_789.tar", {"meter_policy_789"}),
    ],
)
def test_names_within_a_chunk_are_found(text: str, names: set[str]) -> None:
    assert names <= named(text)


@given(st.text(max_size=60))
def test_a_text_is_matched_by_the_pieces_of_its_chunks(text: str) -> None:
    found = {piece for chunk in chunks(text) for piece in pieces(chunk)}
    assert all(one in found for one in named(text) if "(" not in text and len(one) <= LONGEST)


def test_blobs_are_no_names() -> None:
    assert named("a1" * LONGEST) == set()
