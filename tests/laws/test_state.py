"""The reduction over the transcript: forks, client edits, side calls, restarts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.laws.play import compact

from trimtab import Compactor
from trimtab.passes import FoldArguments, FoldResults
from trimtab.testing import conversation, exchange, lines, memory_store

wires = pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
BUDGET = 3_000


def compactor(store: Any = None, **options: Any) -> Compactor:
    return Compactor(store=store or memory_store(), **{"budget": BUDGET, "config": {}, **options})


def with_messages(request: dict[str, Any], messages: list[Any]) -> dict[str, Any]:
    return {**request, "messages": messages}


@wires
def test_forks_share_what_precedes_them(wire: str) -> None:
    one = compactor(budget=None)
    base = conversation(wire, exchanges=8)
    sent = compact(one, base, force=True).payload["messages"]
    assert sent != base["messages"]
    for name in ("left", "right"):
        more = exchange(wire, name, f"{name}.py", lines(100, name))
        forked = compact(one, with_messages(base, base["messages"] + more)).payload["messages"]
        assert forked == sent + more
        again = compact(compactor(one.store, budget=None), with_messages(base, base["messages"] + more))
        assert again.payload["messages"] == forked


@wires
def test_what_follows_an_edit_of_the_client_is_new(wire: str) -> None:
    one = compactor(config={"protect_results": 0}, passes=(FoldResults(), FoldArguments()))
    base = conversation(wire, exchanges=8)
    sent = compact(one, base).payload["messages"]
    edited = [*base["messages"][:5], {**base["messages"][5], "x_note": 1}, *base["messages"][6:]]
    result = compact(one, with_messages(base, edited))
    assert result.payload["messages"][:5] == sent[:5]
    assert one.undo(result.payload)["messages"] == edited


@wires
@pytest.mark.parametrize("known", [4, 8])
def test_side_calls_get_what_was_decided_and_nothing_new(wire: str, known: int) -> None:
    """Also one that holds calls that were never seen: what the main line sent is not known here."""
    one = compactor()
    base = conversation(wire, exchanges=9)
    until = 1 + 2 * known
    sent = compact(one, with_messages(base, base["messages"][:until])).payload["messages"]
    before = one.explain(base)
    asked = [*base["messages"], {"role": "user", "content": "Give this a title."}]
    result = compact(one, {"model": base["model"], "max_tokens": 100, "messages": asked})
    assert result.payload["messages"] == [*sent, *asked[until:]]
    assert result.report.edits == ()
    assert one.explain(with_messages(base, asked)) == before


@wires
def test_a_restart_changes_nothing_where_a_fold_fell_short(wire: str) -> None:
    """A large result that a fact protects stays in reach of every fold, in memory as on record."""
    options: dict[str, Any] = {
        "budget": None,
        "facts": ["KEEP THIS"],
        "config": {"window": 8_000, "protect_results": 1},
    }
    kept, fresh = compactor(**options), compactor(**options)
    base = conversation(wire, exchanges=8, size=300)
    big = exchange(wire, "big", "big.py", lines(4_500) + "KEEP THIS\n" + lines(4_500, "rest"))
    messages = [base["messages"][0], *big, *base["messages"][1:]]
    for end in range(3, len(messages) + 1, 2):
        payload = with_messages(base, messages[:end])
        assert compact(kept, payload).payload == compact(compactor(fresh.store, **options), payload).payload


@wires
def test_a_late_decision_at_an_earlier_call_changes_nothing_sent_after_it(wire: str) -> None:
    """The client goes on, then asks for the earlier call again and forces a fold there."""
    one = compactor(budget=None)
    base = conversation(wire, exchanges=6)
    early, late = with_messages(base, base["messages"][:9]), base
    compact(one, early)
    sent = compact(one, late).payload
    assert compact(one, early, force=True).changed
    assert compact(one, late).payload == sent
    assert compact(compactor(one.store, budget=None), late).payload == sent


@pytest.mark.parametrize("texts", [("short", "date " * 300), ("date " * 300, "short")])
def test_a_system_message_that_changes_is_counted_as_it_is(texts: tuple[str, str]) -> None:
    one, base = compactor(budget=None), conversation("openai_chat", exchanges=3)
    heads = [{"role": "system", "content": text} for text in texts]
    for head in heads:
        payload = with_messages(base, [head, *base["messages"]])
        report = compact(one, payload).report
        assert report.tokens_after == report.tokens_before


def test_a_request_of_system_messages_alone_leaves_no_trace_in_another() -> None:
    one, base = compactor(budget=None), conversation("openai_chat", exchanges=1)
    heads = [{"role": "system", "content": lines(500)}, {"role": "system", "content": "Be brief."}]
    compact(one, with_messages(base, heads))
    report = compact(one, with_messages(base, [heads[1], *base["messages"]])).report
    assert report.tokens_after == report.tokens_before


@wires
def test_outputs_of_a_walk_through_the_past_are_known_at_each_call(wire: str) -> None:
    """A long session first seen whole; the client then rewinds to an earlier call and feeds its output back."""
    one = compactor(config={"protect_results": 0})
    base = conversation(wire, exchanges=9, size=2_200)
    compact(one, base)
    for end in range(3, len(base["messages"]), 2):
        sent = compact(one, with_messages(base, base["messages"][:end])).payload
        assert compact(one, sent).payload is sent
        assert one.undo(sent)["messages"] == base["messages"][:end]
