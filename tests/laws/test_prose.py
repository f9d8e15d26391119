"""The laws for the preset `prose`, over requests of every wire, most of them odd."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from tests.laws.play import Play, attempt, law, messages_of, opened, plays
from tests.strategies import requests
from tests.strategies_bedrock import bedrock_requests
from tests.strategies_gemini import gemini_requests
from tests.strategies_responses import responses_conversations

from trimtab import Compactor, validate
from trimtab.stubs import HANDLE
from trimtab.testing import memory_store

KEYS = ("messages", "contents", "input")


def total(payload: Any) -> int:
    report = Compactor(store=memory_store(), preset="none").compact(payload).report
    return int(report.tokens_before * report.factor)


def rules(payload: Any) -> Counter[str]:
    return Counter(finding.rule for finding in validate(payload))


@given(plays(requests() | bedrock_requests() | gemini_requests() | responses_conversations(), forms=("dict",)))
@law
def test_output_is_valid_within_the_budget_stable_and_undone(play: Play) -> None:
    payload = json.loads(json.dumps(play.request))
    budget = int(total(payload) * min(play.share or 0.5, 1)) + 1
    one = Compactor(store=memory_store(), preset="prose", budget=budget, facts=play.facts)
    result = attempt(one, payload)
    if result is None:
        return
    assert result.report.tokens_after * result.report.factor <= budget
    assert not rules(result.payload) - rules(payload)
    assert one.compact(result.payload).payload is result.payload
    assert one.undo(result.payload) == payload
    given_handles = set(HANDLE.findall(json.dumps(payload)))
    for handle in set(HANDLE.findall(json.dumps(result.payload))) - given_handles:
        assert one.recall(handle).handle == handle


@given(plays(requests(), shares=(0.2, 0.4, 0.6), forms=("dict",)))
@law
def test_system_tools_options_the_task_and_the_newest_turn_are_untouched(play: Play) -> None:
    payload = json.loads(json.dumps(play.request))
    one = Compactor(store=memory_store(), preset="prose", budget=int(total(payload) * (play.share or 0.5)) + 1)
    result = attempt(one, payload)
    if result is None:
        return
    sent = opened(result.payload)
    assert {k: v for k, v in sent.items() if k not in KEYS} == {k: v for k, v in payload.items() if k not in KEYS}
    turns = [one for one in payload["messages"] if said(one)]
    for turn in (*turns[:1], *turns[-1:]):
        assert turn in messages_of(result.payload)
    systems = [one for one in payload["messages"] if one["role"] in ("system", "developer")]
    assert [one for one in messages_of(result.payload) if one["role"] in ("system", "developer")] == systems


def said(message: dict[str, Any]) -> bool:
    """Whether the user says something here, and nothing but texts."""
    content = message.get("content")
    texts = [{"type": "text"}] if isinstance(content, str) else content or [{}]
    return message["role"] == "user" and all(part.get("type") == "text" for part in texts)


@pytest.mark.parametrize("budget", [10_000_000, None])
def test_nothing_to_do_gives_back_the_very_object(budget: int | None) -> None:
    payload = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello, what is open?"}]}
    assert Compactor(store=memory_store(), preset="prose", budget=budget).compact(payload).payload is payload
