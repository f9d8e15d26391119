"""Whole requests of OpenAI Responses through the compactor: pairs, reasoning, side calls, histories elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.wires.responses_items import USER, broken, call, output, reasoning, request, said

import trimtab
from trimtab import BudgetError, Compactor, Result
from trimtab.edits import Drop
from trimtab.passes import PASSES, View
from trimtab.testing import Scripted, lines, memory_store

Item = dict[str, Any]
FORMS = pytest.mark.parametrize("form", ["dict", "bytes"])
TRIGGER: Item = {"type": "compaction_trigger"}


def exchange(number: int, size: int = 400) -> list[Item]:
    """Reasoning, two parallel calls, their results in the other order."""
    one, two = f"a{number}", f"b{number}"
    text = lines(size, f"part {number}")
    return [
        reasoning(number),
        call(one, json.dumps({"path": one, "text": text})),
        call(two),
        output(two, text),
        output(one, [{"type": "input_text", "text": text}]),
    ]


def history(exchanges: int, size: int = 400) -> list[Item]:
    return [USER, *(item for number in range(exchanges) for item in exchange(number, size))]


def compacted(compactor: Compactor, given: Item, form: str, **options: Any) -> tuple[Item, Result]:
    """The payload sent as an object, and the result; nothing failed and no rule is newly broken."""
    result = compactor.compact(json.dumps(given).encode() if form == "bytes" else given, **options)
    assert result.report.outcome != "failed", result.report
    sent = json.loads(result.payload) if form == "bytes" else result.payload
    assert broken(*sent["input"]) == broken(*given["input"])
    return sent, result


def kept(items: list[Item]) -> list[Item]:
    """Items without what may be edited."""
    return [{key: held for key, held in item.items() if key not in ("output", "arguments")} for item in items]


@FORMS
@pytest.mark.parametrize("budget", [400, 700, 1_100, 1_500])
def test_PAIR_06_parallel_calls_and_their_results_stay_together(form: str, budget: int) -> None:
    calls, results = [call("A"), call("B")], [output("A", lines(600)), output("B", lines(600, "more"))]
    given = request(USER, *calls, *results, said(), USER)
    sent, result = compacted(Compactor(store=memory_store(), budget=budget), given, form)
    assert kept(sent["input"]) == kept(given["input"])
    assert result.report.tokens_after <= budget


@FORMS
def test_PAIR_13_an_open_call_is_left_alone(form: str) -> None:
    opened = [reasoning(9), call("open", json.dumps({"path": "x", "text": lines(400)}))]
    given = request(*history(3), *opened)
    sent, result = compacted(Compactor(store=memory_store(), budget=2_500), given, form)
    assert result.changed
    assert sent["input"][-2:] == opened
    sent, _ = compacted(Compactor(store=memory_store()), request(*history(3), *opened, TRIGGER), form)
    assert sent["input"][-3:] == [*opened, TRIGGER]


SESSION = [item for n in range(12) for item in (USER, *exchange(n, 150), said(f"so far {n}"))]


@settings(max_examples=25)
@given(st.integers(1, len(SESSION)), st.integers(50, 6_000))
def test_PAIR_14_no_end_and_no_budget_leaves_an_orphan(stop: int, budget: int) -> None:
    given = request(*SESSION[:stop])
    try:
        sent, _ = compacted(Compactor(store=memory_store(), budget=budget), given, "dict")
    except BudgetError:
        return
    assert kept(sent["input"]) == kept(given["input"])


def drops(view: View) -> Iterator[Drop]:
    for at in view.open:
        yield Drop(at, "to be rid of it")


@FORMS
def test_THINK_05_reasoning_stays_with_what_followed_it(form: str) -> None:
    thought = {"summary": [{"type": "summary_text", "text": lines(200)}]}
    given = request(*({**item, **thought} if item.get("type") == "reasoning" else item for item in history(4)))
    passes = [Scripted(drops), *PASSES]
    sent, result = compacted(Compactor(store=memory_store(), passes=passes), given, form, force=True)
    assert result.changed
    assert kept(sent["input"]) == kept(given["input"])
    assert any("would be empty" in one.text for one in result.report.refused)


@FORMS
def test_THINK_09_encrypted_reasoning_is_sent_as_it_came(form: str) -> None:
    empty: Item = {"type": "reasoning", "id": "rs_2", "summary": []}
    given = request(*history(3), empty, said(), USER, store=False)
    sent, result = compacted(Compactor(store=memory_store()), given, form, force=True)
    assert result.changed
    sealed = [item for item in given["input"] if item.get("type") == "reasoning"]
    assert [item for item in sent["input"] if item.get("type") == "reasoning"] == sealed


@FORMS
def test_THINK_12_thirty_reasoning_items_stay_in_their_places(form: str) -> None:
    items = [item for n in range(30) for item in (USER, *exchange(n, 200), said())]
    given = request(*items)
    sent, result = compacted(Compactor(store=memory_store(), budget=15_000), given, form)
    assert result.changed
    places = [n for n, item in enumerate(items) if item.get("type") == "reasoning"]
    assert [n for n, item in enumerate(sent["input"]) if item.get("type") == "reasoning"] == places


@FORMS
@pytest.mark.parametrize("field", [{"previous_response_id": "resp_1"}, {"conversation": {"id": "conv_1"}}])
def test_R7_a_history_at_the_provider_is_left_alone(form: str, field: Item) -> None:
    compactor = Compactor(store=memory_store(), budget=100)
    given = request(*history(3), **field)
    payload = json.dumps(given).encode() if form == "bytes" else given
    result = compactor.compact(payload, force=True, usage={"input_tokens": 90_000})
    assert result.payload is payload
    assert (result.changed, result.report.outcome, result.report.saved) == (False, "nothing", 0)
    (finding,) = [one for one in result.report.findings if one.rule == "hands-off"]
    assert next(iter(field)) in finding.text
    assert compactor.explain(payload) == []
    for _ in range(3):
        compactor.observe(result, {"input_tokens": 2 * result.report.tokens_after})
    assert compactor.compact(payload).report.factor == result.report.factor


@FORMS
def test_R8_a_call_that_asks_to_compact_gets_what_was_decided_and_nothing_new(form: str) -> None:
    compactor = Compactor(store=memory_store(), budget=2_500)
    main, _ = compacted(compactor, request(*history(4)), form)
    before = compactor.explain(main)
    long = {"role": "user", "content": lines(2_000)}
    side, result = compacted(compactor, request(*history(4), said(), long, TRIGGER), form)
    assert side["input"] == [*main["input"], said(), long, TRIGGER]
    assert [one.rule for one in result.report.findings if one.rule == "side-call"] == ["side-call"]
    assert not result.report.edits
    assert compactor.explain(main) == before
    unknown, result = compacted(Compactor(store=memory_store(), budget=2_500), request(long, TRIGGER), form)
    assert (unknown["input"], result.changed) == ([long, TRIGGER], False)


def test_a_session_grows_and_what_was_sent_stays_as_it_was_sent() -> None:
    compactor, sent = Compactor(store=memory_store(), budget=4_000), list[Item]()
    for stop in range(5, len(SESSION), 7):
        result = compactor.compact(request(*SESSION[:stop]))
        now, first = result.payload["input"], result.report.first_changed
        same = len(sent) if first is None else min(first, len(sent))
        assert now[:same] == sent[:same]
        sent = now
    assert result.changed


@FORMS
def test_output_fed_back_is_recognised_and_undone(form: str) -> None:
    compactor, given = Compactor(store=memory_store(), budget=2_500), request(*history(5))
    sent, result = compacted(compactor, given, form)
    again = compactor.compact(result.payload)
    assert again.payload is result.payload
    undone = compactor.undo(result.payload)
    assert (json.loads(undone) if form == "bytes" else undone) == given
    for edit in result.report.edits:
        assert compactor.recall(edit.handle).text
    assert sent != given


def test_bytes_and_objects_name_the_same_conversation() -> None:
    compactor = Compactor(store=memory_store(), budget=2_500)
    first, _ = compacted(compactor, request(*history(4)), "dict")
    other, result = compacted(compactor, request(*history(4)), "bytes")
    assert first == other
    assert not result.report.edits


def test_only_known_items_are_edited() -> None:
    whole: list[Item] = [
        {
            "type": "mcp_call",
            "id": "mcp_1",
            "name": "f",
            "server_label": "s",
            "arguments": "{}",
            "output": lines(900),
        },
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"query": lines(300)}},
        {"type": "code_interpreter_call", "id": "ci_1", "code": lines(300), "outputs": []},
        {"type": "brand_new_call", "input": lines(900)},
    ]
    given = request(USER, *whole, *history(4))
    sent, result = compacted(Compactor(store=memory_store(), budget=9_000), given, "bytes", force=True)
    assert result.changed
    assert sent["input"][1:5] == whole


def test_the_report_names_the_wire_and_validate_reads_it() -> None:
    result = Compactor(store=memory_store()).compact(request(*history(2)))
    assert result.report.wire == "openai_responses"
    assert trimtab.validate(request(*history(2))) == []
