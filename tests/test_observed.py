"""What a provider reports of its cache wins over what its rules say, and stands on record."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from trimtab import Compactor
from trimtab.journal import Entry
from trimtab.observed import Observed, observed
from trimtab.stores import Store
from trimtab.testing import conversation, lines, memory_store

OPENAI = {"prompt_tokens": 900, "prompt_tokens_details": {"cached_tokens": 512}}


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {"input_tokens": 10, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 20},
            Observed(b"b", 100, 70, 20),
        ),
        (
            {"input_tokens": 10, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0},
            Observed(b"b", 10, 0, 0),
        ),
        (
            {"inputTokens": 10, "cacheReadInputTokens": 70, "cacheWriteInputTokens": 20},
            Observed(b"b", 100, 70, 20),
        ),
        (OPENAI, Observed(b"b", 900, 512)),
        ({"input_tokens": 900, "input_tokens_details": {"cached_tokens": 0}}, Observed(b"b", 900, 0)),
        (
            SimpleNamespace(prompt_tokens=900, prompt_tokens_details=SimpleNamespace(cached_tokens=512)),
            Observed(b"b", 900, 512),
        ),
        ({"promptTokenCount": 900, "cachedContentTokenCount": 800}, Observed(b"b", 900, 800)),
        ({"promptTokenCount": 900}, None),
        ({"input_tokens": 900}, None),
        ({"prompt_tokens": 100, "prompt_tokens_details": {"cached_tokens": 512}}, None),
        ({"input_tokens": True, "cache_read_input_tokens": "many"}, None),
        (None, None),
    ],
)
def test_usage_of_each_maker(usage: object, expected: Observed | None) -> None:
    assert observed(usage, b"b") == expected


REQUEST = conversation("anthropic", exchanges=8)
for _number, _message in enumerate(REQUEST["messages"][2::2]):
    _message["content"][0]["content"] = lines(6_000, f"part {_number}")


def called(
    usage: dict[str, int] | None, store: Store | None = None, *, in_compact: bool = False
) -> tuple[Compactor, Entry]:
    """The session call by call, ten seconds apart, `usage` reported for the last but one; the last decision."""
    compactor = Compactor("claude-opus-4-5", store=store or memory_store())
    for stop in range(1, 18, 2):
        sent = {**REQUEST, "messages": REQUEST["messages"][:stop], "cache_control": {"type": "ephemeral"}}
        result = compactor.compact(sent, at=10.0 * stop, usage=usage if in_compact and stop == 17 else None)
        if stop == 15 and usage is not None and not in_compact:
            compactor.observe(result, usage)
    return compactor, compactor.explain(sent)[-1]


NOTHING = {"input_tokens": 60_000, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
LESS = {"input_tokens": 1_000, "cache_read_input_tokens": 59_000, "cache_creation_input_tokens": 0}


@pytest.mark.parametrize("in_compact", [False, True], ids=["observe", "compact(usage=)"])
def test_where_nothing_is_cached_there_is_nothing_to_lose(in_compact: bool) -> None:
    assert "the price 0" not in called(None)[1].trigger
    _, entry = called(NOTHING, in_compact=in_compact)
    assert "the price 0" in entry.trigger
    assert entry.rent > 0


def test_less_in_the_cache_than_assumed_makes_a_fold_cheaper() -> None:
    prices = [float(called(usage)[1].trigger.split("the price ")[1].replace(",", "")) for usage in (None, LESS)]
    assert 0 < prices[1] < prices[0]


def test_what_was_reported_stands_on_record_for_whoever_walks_again() -> None:
    store = memory_store()
    _, entry = called(NOTHING, store)
    assert entry.observed is not None
    assert entry.observed.cached == 0
    again = Compactor("claude-opus-4-5", store=store)
    longer = {
        **REQUEST,
        "messages": [*REQUEST["messages"], *conversation("anthropic", exchanges=9)["messages"][-2:]],
    }
    first, other = (one.compact(longer, at=200.0).payload for one in (called(NOTHING)[0], again))
    assert first == other


def test_what_cached_though_no_mark_was_seen_is_taken_to_be_cached() -> None:
    compactor = Compactor("claude-opus-4-5", store=memory_store())
    for stop in (1, 3):
        sent = {**REQUEST, "messages": REQUEST["messages"][:stop]}
        compactor.observe(compactor.compact(sent, at=float(stop)), LESS)
    found = [entry.rates.caches for entry in compactor.explain(sent) if entry.rates]
    assert found == [False, True]
