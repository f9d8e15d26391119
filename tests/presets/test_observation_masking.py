"""Observation masking: the last ten observations, at every call."""

from __future__ import annotations

from tests.cases.transcripts import wires

from trimtab import Compactor
from trimtab.testing import conversation, memory_store


@wires
def test_at_every_call_the_last_ten_results_are_whole(wire: str) -> None:
    one, whole = Compactor(preset="observation-masking", store=memory_store()), conversation(wire, exchanges=14)
    for exchanges in (9, 10, 11, 12, 14):
        payload = {**whole, "messages": whole["messages"][: 2 * exchanges + 1]}
        result = one.compact(payload)
        sent = result.payload["messages"]
        masked = [n for n, message in enumerate(sent) if "[old result masked; trimtab recall t:" in str(message)]
        assert masked == [2 * n + 2 for n in range(exchanges - 10)]
        assert [m for n, m in enumerate(sent) if n not in masked] == [
            m for n, m in enumerate(payload["messages"]) if n not in masked
        ]
        assert one.undo(result.payload) == payload
