"""The threshold compactor: over 0.75 of the window, results of all but the last three turns."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.cases.transcripts import calls, log, request, results, says, user, wires

from trimtab import Compactor
from trimtab.presets import preset
from trimtab.testing import memory_store

SUMMARIES = {"c0": "The tax is 7 %.", "c1": "The cart adds up.", "c5": "Of a turn that stays."}


def turns(wire: str, count: int = 6) -> dict[str, Any]:
    """So many turns of about 1,100 tokens: a question, a call, its result, an answer."""
    steps = [
        step
        for n in range(count)
        for step in (
            user(f"Question {n}?"),
            calls((f"c{n}", f"{n}.py")),
            results((f"c{n}", log(100, f"file {n}"))),
            says(f"Answer {n}."),
        )
    ]
    return request(wire, *steps[:-1])


def compact(payload: Any, name: str, window: int = 5_000, **options: Any) -> Any:
    compactor = Compactor(preset=name, store=memory_store(), config={"window": window})
    result = compactor.compact(payload, **options)
    assert compactor.undo(result.payload) == payload
    return result


@wires
def test_results_of_old_turns_become_the_summaries_handed_over(wire: str) -> None:
    payload = turns(wire)
    result = compact(payload, "threshold-summarize", compact_summaries=SUMMARIES)
    sent = json.dumps(result.payload)
    assert [text in sent for text in SUMMARIES.values()] == [True, True, False]
    assert [f"file {n} 7:" in sent for n in range(6)] == [False, False, True, True, True, True]
    report = result.report
    assert (report.results_summarized, report.results_redacted, report.turns_compacted) == (2, 0, 0)
    assert [finding.rule for finding in report.findings if finding.rule == "lossy"] == ["lossy"]


@wires
@pytest.mark.parametrize("restarted", [False, True])
def test_what_was_handed_over_in_one_call_holds_for_later_calls_and_in_another_process(
    wire: str, restarted: bool
) -> None:
    """It is handed over when the result is new, below the threshold; the call that folds hands over nothing."""
    store = memory_store()
    first = Compactor(preset="threshold-summarize", store=store, config={"window": 5_000})
    early = turns(wire, 1)
    early["messages"] = early["messages"][:-1] if wire == "anthropic" else early["messages"]
    assert first.compact(early, compact_summaries=SUMMARIES).payload is early
    later = Compactor(preset="threshold-summarize", store=store, config={"window": 5_000}) if restarted else first
    payload = turns(wire)
    result = later.compact(payload)
    sent = json.dumps(result.payload)
    assert [text in sent for text in SUMMARIES.values()] == [True, True, False]
    assert result.report.results_summarized == 2
    assert later.replay(payload) == result.payload
    assert later.undo(result.payload) == payload


def test_the_latest_text_handed_over_for_a_result_counts_also_for_a_request_that_was_seen() -> None:
    made = Compactor(preset="threshold-summarize", store=memory_store(), config={"window": 5_000})
    early = turns("openai_chat", 3)
    for text in ("An early text.", "A later text.", "A later text."):
        made.compact(early, compact_summaries={"c0": text})
    assert [list(one.summaries.values()) for one in made.explain(early) if one.summaries] == [
        ["An early text."],
        ["A later text."],
    ]
    assert "[A later text. trimtab recall t:" in json.dumps(made.compact(turns("openai_chat")).payload)


@wires
def test_a_summary_that_the_tool_returned_is_used(wire: str) -> None:
    payload = turns(wire)
    text = json.dumps({"compact_summary": "Nothing odd in it.", "rows": log(100)})
    old = json.dumps(log(100, "file 0"))
    payload = json.loads(json.dumps(payload).replace(old, json.dumps(text)))
    result = compact(payload, "threshold-summarize")
    assert result.report.results_summarized == 1
    assert "[Nothing odd in it. trimtab recall t:" in json.dumps(result.payload)


@wires
def test_without_summaries_nothing_is_changed(wire: str) -> None:
    payload = turns(wire)
    assert compact(payload, "threshold-summarize").payload is payload


@wires
def test_redaction_takes_every_result_of_old_turns(wire: str) -> None:
    result = compact(turns(wire), "threshold-redact")
    sent = json.dumps(result.payload)
    assert [f"file {n} 7:" in sent for n in range(6)] == [False, False, False, True, True, True]
    assert sent.count("[redacted to make room; trimtab recall t:") == 3
    assert all(f"Answer {n}." in sent for n in range(5))
    assert (result.report.results_summarized, result.report.results_redacted) == (0, 3)
    assert result.report.findings == ()


@pytest.mark.parametrize("name", ["threshold-redact", "threshold-summarize"])
def test_up_to_the_threshold_and_up_to_three_turns_nothing_is_changed(name: str) -> None:
    for payload, window in ((turns("anthropic"), 20_000), (turns("anthropic", 3), 2_500)):
        assert compact(payload, name, window, compact_summaries=SUMMARIES).payload is payload


def test_forced_it_goes_without_a_threshold() -> None:
    assert compact(turns("anthropic"), "threshold-redact", 100_000, force=True).report.results_redacted == 3


def test_a_summary_handed_over_after_a_first_fold_is_used_in_the_next() -> None:
    payload, held = turns("anthropic", 8), memory_store()
    one = Compactor(preset="threshold-summarize", store=held, config={"window": 8_000})
    early = {**payload, "messages": payload["messages"][:23]}
    assert one.compact(early, compact_summaries={"c0": "The tax is 7 %."}).report.results_summarized == 1
    later = one.compact(payload, compact_summaries=SUMMARIES)
    assert "The cart adds up." in json.dumps(later.payload)


def test_the_defaults_are_those_of_the_document() -> None:
    for name in ("threshold-summarize", "threshold-redact", "llm-summary"):
        made: Any = preset(name)
        assert (made.threshold, made.keep_recent_turns) == (0.75, 3)
