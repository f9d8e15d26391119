"""Recorded requests: what is promised holds for them as for generated ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.corpus.requests import CORPUS, requests

from trimtab import BudgetError, Compactor, Result, validate
from trimtab.edits import At
from trimtab.guard import unfit
from trimtab.identity import handle
from trimtab.reader import Reader
from trimtab.stores import SqliteStore
from trimtab.tokens import counter_for

pytestmark = pytest.mark.corpus
RECORDED = dict(requests()) if CORPUS else {}


def half(payload: bytes) -> int:
    report = Compactor(store=None).compact(payload).report
    return max(int(report.tokens_before * report.factor) // 2, 1)


@pytest.mark.parametrize("name", RECORDED)
def test_half_its_size_or_an_error_that_lists_what_is_fixed(name: str) -> None:
    payload = json.dumps(RECORDED[name]).encode()
    budget = half(payload)
    compactor = Compactor(store="memory:", budget=budget)
    result = compacted(compactor, payload)
    if isinstance(result, BudgetError):
        assert result.smallest > budget
        assert result.fixed
        return
    assert result.report.tokens_after * result.report.factor <= budget
    assert {one.rule for one in validate(result.payload, payload)} <= {one.rule for one in validate(payload)}
    assert compactor.undo(result.payload) == payload
    assert compactor.compact(result.payload).payload is result.payload
    comes_back(compactor, payload, result.payload)


def compacted(compactor: Compactor, payload: Any) -> Result | BudgetError:
    try:
        return compactor.compact(payload)
    except BudgetError as error:
        return error


def comes_back(compactor: Compactor, before: bytes, after: bytes) -> None:
    """Each part that was cut is what its handle brings back."""
    reader = Reader(counter_for(None), SqliteStore(":memory:"), "")
    given, sent = reader.read(before), reader.read(after)
    cut = 0
    for index, name in enumerate(given.names):
        pairs = zip(given.parsed[index].message.parts, sent.parsed[index].message.parts, strict=True)
        for number, (old, new) in enumerate(pairs):
            if old != new:
                cut += 1
                recalled = compactor.recall(handle(At(name, number)))
                assert recalled.text == getattr(old, "text", getattr(old, "arguments", ""))
                assert unfit(old, new) is None
    assert cut


@pytest.mark.parametrize("name", [name for name, body in RECORDED.items() if len(body["messages"]) > 6])
def test_fed_call_by_call_nothing_sent_changes_but_at_a_fold(name: str) -> None:
    body = RECORDED[name]
    messages, compactor = body["messages"], Compactor(store="memory:", budget=half(json.dumps(body).encode()))
    sent: list[Any] = []
    for stop in range(1, len(messages) + 1):
        if stop < len(messages) and messages[stop]["role"] != "assistant":
            continue
        result = compacted(compactor, {**body, "messages": messages[:stop]})
        if isinstance(result, BudgetError):
            sent = []
            continue
        first = result.report.first_changed
        stays = len(sent) if first is None else min(first, len(sent))
        assert result.payload["messages"][:stays] == sent[:stays]
        sent = result.payload["messages"]
