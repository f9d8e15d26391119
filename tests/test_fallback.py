"""Promise 3: when something inside trimtab fails, the session goes on and the report says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trimtab import Compactor, ConfigError, StoreError
from trimtab.stores import SqliteStore
from trimtab.testing import conversation, exchange, lines

WIRES = pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])


def longer(request: dict[str, object], wire: str) -> dict[str, object]:
    messages = request["messages"]
    assert isinstance(messages, list)
    return {**request, "messages": [*messages, *exchange(wire, "late", "late.py", lines(900))]}


@WIRES
def test_a_store_that_is_gone_sends_the_request_as_it_came(wire: str) -> None:
    store = SqliteStore(":memory:")
    compactor = Compactor(store=store, budget=2_000)
    store.close()
    payload = json.dumps(conversation(wire, exchanges=8)).encode()
    result = compactor.compact(payload)
    assert result.payload is payload
    assert result.report.outcome == "failed"
    assert any(finding.rule == "failed" for finding in result.report.findings)


@WIRES
def test_a_store_that_is_full_sends_the_last_good_rendition_with_the_new_messages(
    wire: str, tmp_path: Path
) -> None:
    store = SqliteStore(str(tmp_path / "s.db"))
    compactor = Compactor(store=store, config={"protect_results": 1, "window": 4_000})
    request = conversation(wire, exchanges=8)
    before = compactor.compact(request, force=True)
    assert before.changed
    with store._file.write() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
    grown = request
    for _ in range(40):
        grown = longer(grown, wire)
    result = compactor.compact(grown)
    messages = grown["messages"]
    assert isinstance(messages, list)
    assert result.report.outcome == "failed"
    sent = before.payload["messages"]
    assert result.payload["messages"] == [*sent, *messages[len(sent) :]]


def test_a_fact_that_is_no_pattern_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match="pattern"):
        Compactor(store="memory:", facts=["re:("])
    with pytest.raises(ConfigError, match="pattern"):
        Compactor(store="memory:").compact([{"role": "user", "content": "x"}], pins=["re:["])


def test_a_store_that_cannot_be_made_is_an_error_at_construction(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError):
        Compactor(store=tmp_path / "file" / "s.db")
