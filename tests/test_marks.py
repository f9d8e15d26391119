"""Where cache marks stand in a request, as each client writes them, and what follows for the rates."""

from __future__ import annotations

from typing import Any

import pytest

from trimtab import Compactor
from trimtab.marks import Mark, of_fields, of_message
from trimtab.testing import conversation, lines, memory_store

SHORT, LONG = {"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}


def text(mark: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "text", "text": "x", **({"cache_control": mark} if mark else {})}


@pytest.mark.parametrize(
    ("message", "mark"),
    [
        ({"role": "user", "content": "cache_control"}, Mark.NONE),
        ({"role": "user", "content": [text(), text()]}, Mark.NONE),
        ({"role": "user", "content": [text(LONG), text(SHORT)]}, Mark.SHORT),
        ({"role": "user", "content": [text(LONG), text()]}, Mark.LONG),
        ({"role": "user", "content": [{"type": "tool_result", "content": [text(SHORT)]}]}, Mark.SHORT),
        ({"role": "user", "content": [{"text": "x"}, {"cachePoint": {"type": "default"}}]}, Mark.SHORT),
        ({"role": "user", "content": [{"cachePoint": {"type": "default", "ttl": "1h"}}]}, Mark.LONG),
        ({"type": "function_call_output", "output": "x", "prompt_cache_breakpoint": {}}, Mark.SHORT),
        ({"role": "user", "content": [{**text(), "cache_control": None}]}, Mark.NONE),
        ("no object", Mark.NONE),
    ],
)
def test_the_last_mark_of_a_message(message: Any, mark: Mark) -> None:
    assert of_message(message) is mark


@pytest.mark.parametrize(
    ("fields", "mark"),
    [
        ({}, Mark.NONE),
        ({"cache_control": LONG}, Mark.LONG),
        ({"prompt_cache_options": {"mode": "explicit"}}, Mark.ONLY),
        ({"prompt_cache_options": {"mode": "auto"}}, Mark.NONE),
        ({"tools": [{"cache_control": SHORT}], "system": [text(SHORT)]}, Mark.NONE),
    ],
)
def test_what_the_top_of_a_request_says(fields: dict[str, Any], mark: Mark) -> None:
    assert of_fields(fields) is mark


def rates(payload: Any, model: str, **settings: Any) -> tuple[bool, bool, float, float]:
    """Whether anything is cached, whether all before an edit is read, the lifetime, the price of a write."""
    compactor = Compactor(model, store=memory_store(), config={"presets": {"default": settings}})
    compactor.compact(payload, at=0.0)
    found = compactor.explain(payload)[-1].rates
    assert found
    return found.caches, found.good_marks, found.lifetime, found.write


def marked(mark: dict[str, Any] | None, back: int = 1, **fields: Any) -> dict[str, Any]:
    request = {**conversation("anthropic", exchanges=14), **fields}
    if mark:
        request["messages"][-back]["content"][0]["cache_control"] = mark
    return request


CLAUDE = "claude-opus-4-5"


@pytest.mark.parametrize(
    ("payload", "model", "expected"),
    [
        (marked(SHORT), CLAUDE, (True, False, 300.0, 1.25)),
        (marked(LONG), CLAUDE, (True, False, 3600.0, 2.0)),
        (marked(LONG, back=3), CLAUDE, (True, False, 3600.0, 2.0)),
        (marked(None, cache_control=SHORT), CLAUDE, (True, False, 300.0, 1.25)),
        (marked(None, system=[text(SHORT)]), CLAUDE, (False, True, 300.0, 1.0)),
        (marked(SHORT, back=27), CLAUDE, (False, True, 300.0, 1.0)),
        (marked(None), CLAUDE, (False, True, 300.0, 1.0)),
        (marked(None)["messages"], CLAUDE, (True, True, 300.0, 1.25)),
        (conversation("openai_chat"), "gpt-5", (True, True, 300.0, 1.0)),
        (
            {**conversation("openai_chat"), "prompt_cache_options": {"mode": "explicit"}},
            "gpt-5",
            (False, True, 300, 1),
        ),
    ],
    ids=str,
)
def test_the_rates_follow_the_marks_in_the_request(payload: Any, model: str, expected: Any) -> None:
    assert rates(payload, model) == pytest.approx(expected)


def test_the_setting_holds_over_what_the_request_shows() -> None:
    assert rates(marked(None), CLAUDE, marks="good")[:2] == (True, True)
    assert rates(marked(SHORT), CLAUDE, marks="none")[0] is False


def test_marks_that_move_on_rename_nothing_and_the_longer_lifetime_keeps_a_cache_warm() -> None:
    """After half an hour the cache of five minutes is cold, and folds are free; that of an hour is not."""
    triggers = []
    for mark in (SHORT, LONG):
        compactor = Compactor(CLAUDE, store=memory_store())
        request = conversation("anthropic", exchanges=8)
        for number, message in enumerate(request["messages"][2::2]):
            message["content"][0]["content"] = lines(6_000, f"part {number}")
        for stop in range(1, 18, 2):
            sent = {**request, "messages": [*request["messages"][:stop]]}
            last = sent["messages"][-1]
            held = [text()] if isinstance(last["content"], str) else last["content"]
            sent["messages"][-1] = {**last, "content": [{**held[0], "cache_control": mark}]}
            compactor.compact(sent, at=10.0 * stop if stop < 17 else 2_000.0)
        triggers.append(compactor.explain(sent)[-1].trigger)
        assert len(compactor.explain(sent)) == 9
    assert "the price 0" in triggers[0]
    assert "the price 0" not in triggers[1]


def test_what_the_agent_is_done_with_goes_early_under_a_rolling_mark_too() -> None:
    """The mark of the next request still finds the entry in front of the result: little is written anew."""
    request = conversation("anthropic", exchanges=10, size=3_000)
    request["messages"][-2]["content"][0]["input"] = {"path": "last.py"}
    request["messages"][-1]["content"][0]["content"] = lines(6_000, "last")
    note = {"type": "tool_use", "id": "n", "name": "trimtab_keep", "input": {"of": "last.py"}}
    noted = {"type": "tool_result", "tool_use_id": "n", "content": "noted"}
    request["messages"] += [{"role": "assistant", "content": [note]}, {"role": "user", "content": [noted]}]
    compactor = Compactor(CLAUDE, store=memory_store())
    for stop in range(1, len(request["messages"]) + 1, 2):
        sent = {**request, "messages": request["messages"][:stop], "cache_control": SHORT}
        result = compactor.compact(sent, at=10.0 * stop)
    assert [edit.by for edit in result.report.edits] == ["keep_lines"]
    assert result.report.cost
    assert result.report.cost.rewritten < 0.1 * result.report.cost.whole
