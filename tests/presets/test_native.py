"""The provider compacts on its side: passed through where it is asked, else asked for, else said not to be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.cases.transcripts import encoded, forms

from trimtab import Compactor, Result, validate
from trimtab.presets.native import Native
from trimtab.testing import conversation, memory_store

BETA = "context-management-2025-06-27"
CLEARS = {
    "type": "clear_tool_uses_20250919",
    "trigger": {"type": "input_tokens", "value": 100_000},
    "keep": {"type": "tool_uses", "value": 3},
}
SUMMARIZES = {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 150_000}}
SAID: list[Any] = [{"role": "user", "content": "Mend the tax."}]


def anthropic(**more: Any) -> dict[str, Any]:
    tools = [{"name": "read", "description": "Read.", "input_schema": {"type": "object"}}]
    return {**conversation("anthropic", exchanges=2), "model": "claude-sonnet-4-5", "tools": tools, **more}


def responses(**more: Any) -> dict[str, Any]:
    return {"model": "gpt-5", "input": SAID, **more}


def compactor(preset: Native | str = "native") -> Compactor:
    return Compactor(preset=preset, store=memory_store(), config={})


def sent(given: dict[str, Any], form: str, preset: Native | str = "native") -> tuple[dict[str, Any], Result]:
    """What goes out; it is valid, nothing else of it differs, and undo and a second run hold."""
    payload, made = encoded(given) if form == "bytes" else given, compactor(preset)
    result = made.compact(payload)
    out: dict[str, Any] = json.loads(encoded(result.payload) if form == "dict" else result.payload)
    assert {key: value for key, value in out.items() if key in given} == given
    assert made.undo(result.payload) == payload
    assert validate(result.payload) == []
    again = made.compact(result.payload)
    assert again.payload is result.payload
    assert again.headers == result.headers
    return out, result


@forms
def test_anthropic_is_asked_to_clear_tool_uses_with_the_beta_for_it(form: str) -> None:
    out, result = sent(anthropic(), form)
    assert out["context_management"] == {"edits": [CLEARS]}
    assert result.headers == {"anthropic-beta": BETA}
    [edit] = result.report.edits
    assert (edit.place, edit.by, edit.saved, edit.loss) == ("context_management", "ask_provider", 0, "LOSSY")
    assert any(one.rule == "lossy" for one in result.report.findings)
    assert result.report.outcome == "applied"


@forms
def test_every_setting_is_said_in_the_provider_s_words(form: str) -> None:
    settings = Native(60_000, 5, 4_000, ("memory",), clear_tool_inputs=True, compact=True, compact_threshold=9)
    out, result = sent(anthropic(), form, settings)
    assert out["context_management"]["edits"] == [
        {
            "type": "clear_tool_uses_20250919",
            "trigger": {"type": "input_tokens", "value": 60_000},
            "keep": {"type": "tool_uses", "value": 5},
            "clear_at_least": {"type": "input_tokens", "value": 4_000},
            "exclude_tools": ["memory"],
            "clear_tool_inputs": True,
        },
        {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 50_000}},
    ]
    assert result.headers == {"anthropic-beta": f"{BETA},compact-2026-01-12"}


@forms
def test_openai_responses_is_asked_for_a_compaction(form: str) -> None:
    out, result = sent(responses(), form)
    assert out["context_management"] == [{"type": "compaction", "compact_threshold": 150_000}]
    assert result.headers == {}


@forms
@pytest.mark.parametrize(
    ("given", "headers"),
    [
        (anthropic(context_management={"edits": [SUMMARIZES]}), {"anthropic-beta": "compact-2026-01-12"}),
        (anthropic(context_management={"edits": []}), {}),
        (anthropic(context_management=None), {}),
        (anthropic(compaction={"type": "summarize"}), {"anthropic-beta": "compact-2026-09-04"}),
        (responses(context_management=[{"type": "compaction", "compact_threshold": 9_000}]), {}),
        (responses(truncation="auto"), {}),
        (responses(input=[*SAID, {"type": "compaction_trigger"}]), {}),
    ],
    ids=lambda one: str(one)[-70:],
)
def test_what_the_request_asks_for_itself_passes_through(
    given: dict[str, Any], headers: dict[str, str], form: str
) -> None:
    payload = encoded(given) if form == "bytes" else given
    result = compactor().compact(payload)
    assert result.payload is payload
    assert result.headers == headers
    assert "passed-through" in [one.rule for one in result.report.findings]
    assert not result.report.edits


@forms
@pytest.mark.parametrize(
    "given",
    [
        {"model": "gpt-5", "messages": SAID},
        {"contents": [{"role": "user", "parts": [{"text": "Mend it."}]}]},
        {"modelId": "anthropic.claude", "messages": [{"role": "user", "content": [{"text": "Mend it."}]}]},
        {"messages": [{"type": "human", "content": "Mend it."}]},
        anthropic(anthropic_version="bedrock-2023-05-31"),
        anthropic(tools=[]),
    ],
    ids=["openai_chat", "gemini", "bedrock", "langchain", "anthropic on bedrock", "no tools"],
)
def test_where_nobody_can_be_asked_nothing_is_done_and_the_report_says_so(
    given: dict[str, Any], form: str
) -> None:
    payload = encoded(given) if form == "bytes" else given
    result = compactor().compact(payload)
    assert result.payload is payload
    assert result.headers == {}
    assert "not-asked" in [one.rule for one in result.report.findings]


def test_a_caller_who_changes_what_went_out_does_not_change_what_goes_out_next() -> None:
    made, given = compactor(), anthropic()
    first = made.compact(given).payload
    first["context_management"]["edits"].clear()
    assert made.compact(given).payload["context_management"] == {"edits": [CLEARS]}


def test_it_asks_alike_on_every_call_of_a_conversation() -> None:
    made, given = compactor(), conversation("anthropic", exchanges=4)
    asked = [
        made.compact(anthropic(messages=given["messages"][: 2 * n + 1])).payload["context_management"]
        for n in range(1, 4)
    ]
    assert asked == [{"edits": [CLEARS]}] * 3


def test_nothing_is_folded_however_large_the_request_is() -> None:
    given = anthropic(messages=conversation("anthropic", exchanges=6)["messages"])
    result = Compactor(preset="native", store=memory_store(), config={"window": 100}).compact(given)
    assert result.payload["messages"] == given["messages"]
    assert not [one for one in result.report.refused if one.rule == "target-missed"]
