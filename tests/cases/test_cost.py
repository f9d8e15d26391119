"""Reported bugs about money: savings that were claimed without the cache they broke."""

from __future__ import annotations

import json
from typing import Any

import pytest

import trimtab
from trimtab.cache import Block, Cache
from trimtab.reader import Reader
from trimtab.stores.none import NoStore
from trimtab.testing import conversation, lines, memory_store
from trimtab.tokens import counter_for

PRICES = {"input": 10.0, "read": 1.0, "write": 12.5, "output": 50.0, "lifetime": 300.0, "least": 1024}
CONFIG = {"models": {"some-model": {**PRICES, "caching": "automatic", "window": 1_000_000}}}
READER = Reader(counter_for(None), NoStore(), "test")


class Bill:
    """What requests cost, by the rules of the cache alone: the beginning sent before is read, the rest written."""

    def __init__(self) -> None:
        self.cache, self.dollars, self.sent = Cache(), 0.0, 0

    def add(self, payload: dict[str, Any], at: float) -> None:
        request = READER.read(payload)
        sizes = [one.size for one in request.parsed]
        answers = zip(request.parsed[self.sent :], sizes[self.sent :], strict=True)
        self.dollars += sum(size for one, size in answers if one.message.role == "assistant") * 50e-6
        keys = [json.dumps(message) for message in payload["messages"]]
        blocks = [Block("frame", request.frame_size), *map(Block, keys, sizes)]
        billed = self.cache.bill(blocks, at)
        self.dollars += (billed.read + 12.5 * billed.written + 10 * billed.uncached) / 1e6
        self.sent = len(sizes)


@pytest.mark.parametrize("pause", [20.0, 400.0], ids=["warm", "cold"])
def test_UX_07_the_net_cost_counts_what_is_read_and_written_and_no_edit_is_made_that_would_lose(
    pause: float,
) -> None:
    request = {**conversation("openai_chat", exchanges=30), "model": "some-model"}
    for number, message in enumerate(request["messages"][2::2]):
        message["content"] = lines(3_000, f"part {number}")
    compactor, kept, ours = trimtab.Compactor(store=memory_store(), config=CONFIG), Bill(), Bill()
    waited, earned, at = 0, 0, 0.0
    for stop in range(1, len(request["messages"]) + 1, 2):
        at += pause if stop % 11 == 0 else 20.0
        given = {**request, "messages": request["messages"][:stop]}
        result = compactor.compact(given, at=at)
        kept.add(given, at)
        ours.add(result.payload, at)
        cost = result.report.cost
        assert cost is not None
        assert cost.whole_so_far == pytest.approx(kept.dollars)
        assert cost.sent_so_far == pytest.approx(ours.dollars, rel=1e-3)  # the frame of a message that was cut
        entry = compactor.explain(given)[-1]
        assert entry.rent > entry.price if entry.folded else not entry.records
        assert cost.rewritten == pytest.approx(entry.price * 10e-6, rel=0.1)
        assert bool(cost.rewritten) == (entry.folded and entry.price > 0)
        waited += ", the price " in entry.trigger and not entry.folded
        earned += entry.folded
    assert waited > earned > 0
    assert cost
    assert cost.saved > 0
    assert f"all calls up to it ${cost.sent_so_far:.4f} instead of ${cost.whole_so_far:.4f}" in str(result.report)
    assert result.report.to_dict()["cost"]["sent_so_far"] == cost.sent_so_far
