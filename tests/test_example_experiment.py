"""The experiment on the bundled example: every way has its row, and each keeps what it must."""

from __future__ import annotations

import pytest

from trimtab.example.experiment import BUDGET, FACTS, WAYS, Row, rows


@pytest.fixture(scope="module")
def table() -> dict[str, Row]:
    return {row.way: row for row in rows(variants=2)}


def test_there_is_a_row_for_each_way(table: dict[str, Row]) -> None:
    assert list(table) == list(WAYS)
    assert all(tuple(row.losses) == FACTS for row in table.values())


def test_the_full_transcript_loses_nothing(table: dict[str, Row]) -> None:
    row = table["full transcript"]
    assert row.bundled.lost == ()
    assert (row.whole, set(row.losses.values())) == (2, {0})
    assert all(row.mean >= other.mean for other in table.values())


def test_the_window_loses_the_question_and_the_ledger_the_bug(table: dict[str, Row]) -> None:
    window, ledger = table["last 6 messages"], table["ledger, forced"]
    assert window.bundled.lost == ("question",)
    assert window.losses["question"] == 2
    assert "bug" in ledger.bundled.lost
    assert not {"question", "setting", "ticket"} & {*ledger.bundled.lost}


def test_trimtab_stays_within_its_budget(table: dict[str, Row]) -> None:
    row = table["trimtab, budget 1,200"]
    assert row.bundled.tokens <= BUDGET
    assert row.mean <= BUDGET


def test_the_handoff_note_loses_nothing(table: dict[str, Row]) -> None:
    row = table["trimtab handoff, 1,500"]
    assert (row.bundled.lost, row.whole) == ((), 2)


def test_no_setting_of_the_user_has_a_say(monkeypatch: pytest.MonkeyPatch, table: dict[str, Row]) -> None:
    monkeypatch.setenv("TRIMTAB_BUDGET", "2000")
    monkeypatch.setenv("TRIMTAB_PRESET", "none")
    ledger = next(row for row in rows(variants=1) if row.way == "ledger, forced")
    assert ledger.bundled == table["ledger, forced"].bundled
