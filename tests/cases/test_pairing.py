"""Reported bugs about calls and results: they live and die together, in order, whatever is cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.cases.transcripts import (
    MARKER,
    Call,
    Sent,
    Step,
    answers,
    broken,
    calls,
    compact,
    forms,
    handles,
    log,
    made_calls,
    request,
    results,
    says,
    scripted,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.edits import Replace, Span, Summarize
from trimtab.identity import span_handle
from trimtab.passes import PASSES, View

DONE: list[Step] = [says("ok"), user("next")]


def exchange(number: int, lines: int = 60) -> list[Step]:
    return [calls((f"c{number}", f"src/{number}.py")), results((f"c{number}", log(lines, f"part {number}")))]


def history(exchanges: int, lines: int = 60) -> list[Step]:
    return [user("Find the error."), *(step for number in range(exchanges) for step in exchange(number, lines))]


def ids(payload: dict[str, Any]) -> tuple[list[str], list[str]]:
    return [one.id for one in made_calls(payload)], [call_id for call_id, _ in answers(payload)]


def wide(*ids: str) -> list[Step]:
    """Parallel calls with long arguments, and their long results: a pass sees every message."""
    made = [Call(one, "write", {"path": f"{one}.md", "text": log(20, one)}) for one in ids]
    return [calls(*made), results(*((one, log(20, f"wrote {one}")) for one in ids))]


def note(payload: dict[str, Any], first: int, last: int, form: str = "dict") -> Sent:
    """Compacted by a pass that wants a note in the place of the open messages `first` to `last`."""

    def propose(view: View) -> Iterator[Summarize]:
        names = list(dict.fromkeys(at.message for at in view.open))
        if last < len(names):
            span = Span(names[first], names[last])
            yield Summarize(span, f"[trimtab: earlier work, {span_handle(span)}]", "as asked")

    return compact(payload, form, force=True, passes=[scripted(propose)], protect_results=0)


@wires
@forms
@pytest.mark.parametrize("budget", [250, 400, 700, 1_000, 1_500])
def test_PAIR_01_a_call_and_its_result_live_or_die_together(wire: str, form: str, budget: int) -> None:
    steps: list[Step] = [user("task"), calls(("c1", "a")), results(("c1", "x " * 2_000)), says("ok"), user("next")]
    sent = compact(request(wire, *steps, system="Be brief."), form, budget=budget)
    assert ids(sent.payload) == (["c1"], ["c1"])
    assert len(sent.messages) == len(request(wire, *steps, system="Be brief.")["messages"])
    assert sent.result.report.tokens_after <= budget


@wires
@forms
def test_PAIR_02_the_stand_in_for_an_interrupted_run_keeps_its_call(wire: str, form: str) -> None:
    steps: list[Step] = [user("task"), calls(("c1", "x")), results(("c1", "[interrupted]"))]
    for number in range(2, 32):
        steps += exchange(number)
    sent = compact(request(wire, *steps), form, budget=6_000)
    calling, answering = ids(sent.payload)
    assert calling == answering
    assert answers(sent.payload)[0] == ("c1", "[interrupted]")
    assert broken(sent.payload) == set()
    assert len(handles(sent.payload)) > 20


@wires
@forms
def test_PAIR_06_parallel_pairs_go_as_a_whole_or_stay(wire: str, form: str) -> None:
    given = request(wire, user("task"), *wide("a", "b"), *wide("y"), *wide("z"), *DONE)
    outcomes = set()
    for first in range(5):
        for last in range(first, 5):
            sent = note(given, first, last, form)
            calling, answering = ids(sent.payload)
            assert sorted(calling) == sorted(answering)
            outcomes.add(tuple(calling))
    assert outcomes == {("a", "b", "y", "z"), ("y", "z"), ("a", "b", "z"), ("z",)}
    refused = note(given, 0, 0, form).result.report.refused
    assert any("splits a call from its result" in one.text for one in refused)


@wires
@forms
@pytest.mark.parametrize("budget", [1_700, 4_000, 9_000])
def test_PAIR_07_ten_parallel_calls_keep_their_results(wire: str, form: str, budget: int) -> None:
    names = [f"c{number}" for number in range(10)]
    batch: list[Step] = [
        calls(*((one, f"{one}.py") for one in names)),
        results(*((one, log(90, one)) for one in names)),
    ]
    sent = compact(request(wire, user("read 10 files"), *batch), form, budget=budget)
    assert ids(sent.payload) == (names, names)
    assert sent.result.report.tokens_after <= budget
    assert all(one in text for one, text in answers(sent.payload))


@wires
@forms
def test_PAIR_09_below_the_threshold_the_very_object_goes_out(wire: str, form: str) -> None:
    given = request(wire, user("task"), *exchange(1), system="Be brief.")
    payload = json.dumps(given).encode() if form == "bytes" else given
    result = trimtab.Compactor(store="memory:", budget=1_000_000).compact(payload)
    assert result.payload is payload
    assert not result.changed


@wires
@forms
@pytest.mark.parametrize("budget", [1_000, 1_500])
def test_PAIR_13_a_call_that_waits_for_its_result_stays(wire: str, form: str, budget: int) -> None:
    given = request(wire, *history(8), calls(("open", "x.py")))
    sent = compact(given, form, budget=budget)
    assert sent.result.changed
    assert sent.messages[-1] == given["messages"][-1]
    answered = {**sent.payload, "messages": [*sent.messages, *request(wire, results(("open", "ok")))["messages"]]}
    assert broken(answered) == set()


@wires
@settings(max_examples=40)
@given(first=st.integers(0, 7), length=st.integers(0, 7), form=st.sampled_from(["bytes", "dict"]))
def test_PAIR_14_no_span_leaves_an_orphan(wire: str, first: int, length: int, form: str) -> None:
    steps: list[Step] = [
        user("task"),
        *wide("a"),
        *wide("b", "c"),
        *wide("d"),
        *wide("e"),
        says("done"),
        user("next"),
    ]
    calling, answering = ids(note(request(wire, *steps), first, first + length, form).payload)
    assert calling == answering


@wires
@settings(max_examples=40)
@given(budget=st.integers(450, 4_000), form=st.sampled_from(["bytes", "dict"]))
def test_PAIR_14_no_budget_leaves_an_orphan(wire: str, budget: int, form: str) -> None:
    given = request(wire, *history(10, 30), *DONE)
    try:
        sent = compact(given, form, budget=budget)
    except trimtab.BudgetError:
        return
    assert ids(sent.payload) == ids(given)
    assert sent.result.report.tokens_after <= budget


@wires
@forms
@pytest.mark.parametrize("pattern", ["X", "search:0"], ids=["PAIR_16", "PAIR_18"])
def test_PAIR_16_PAIR_18_ids_that_repeat_keep_every_result(wire: str, form: str, pattern: str) -> None:
    steps: list[Step] = [user("Look at three files.")]
    for name in ("a", "b", "c"):
        steps += [calls((pattern, f"{name}.py")), results((pattern, log(60, name * 3)))]
    given = request(wire, *steps, *exchange(9), *DONE)
    sent = compact(given, form, force=True, target=1, protect_results=0)
    assert len(made_calls(sent.payload)) == len(answers(sent.payload)) == 4
    for name, text in zip(("a", "b", "c"), texts(sent.payload), strict=False):
        assert f"{name}.py" in text
        assert sent.compactor.recall(MARKER.findall(text)[0]).text == log(60, name * 3)


@wires
@forms
def test_PAIR_20_two_identical_parallel_calls_stay_two(wire: str, form: str) -> None:
    twins = [Call("A", "list", {}), Call("B", "list", {})]
    listing = log(60, "file")
    steps: list[Step] = [user("task"), calls(*twins), results(("A", listing), ("B", listing))]
    sent = compact(request(wire, *steps, *exchange(9), *DONE), form, force=True, target=1, protect_results=0)
    assert made_calls(sent.payload)[:2] == twins
    assert [one for one, _ in answers(sent.payload)][:2] == ["A", "B"]
    first, second = handles(sent.payload)[:2]
    assert first != second
    assert sent.compactor.recall(first).text == sent.compactor.recall(second).text == listing


@wires
@forms
def test_PAIR_21_the_call_that_compacts_can_still_be_answered(wire: str, form: str) -> None:
    given = request(wire, *history(6), calls(Call("z", "compact", {})))
    sent = compact(given, form, force=True, target=1, protect_results=0)
    assert sent.result.changed
    assert made_calls({"messages": sent.messages[-1:]}) == [Call("z", "compact", {})]
    host = [*sent.messages, *request(wire, results(("z", "done")))["messages"]]
    again = sent.compactor.compact({**sent.payload, "messages": host})
    assert broken(again.payload) == set()


@wires
@forms
def test_PAIR_22_a_call_that_was_never_answered_does_no_further_damage(wire: str, form: str) -> None:
    stuck: list[Step] = [user("start"), calls(("lost", "x.py")), user("are you there?"), says("yes")]
    given = request(wire, *stuck, *history(6), *DONE)
    assert {rule for rule, _ in broken(given)} == {"A1" if wire == "anthropic" else "C1"}
    sent = compact(given, form, budget=1_500)
    assert sent.result.changed
    assert broken(sent.payload) == broken(given)
    assert sent.messages[:5] == given["messages"][:5]


@wires
@forms
def test_PAIR_23_nothing_becomes_empty(wire: str, form: str) -> None:
    given = request(wire, *history(4), calls(("e", "x")), results(("e", "")), *exchange(9), *DONE)

    def empty(view: View) -> Iterator[Replace]:
        for at in view.open:
            part = view.part(at)
            if isinstance(part, trimtab.ToolResult):
                yield Replace(at, trimtab.ToolResult(part.call_id, " \n"), "gone", trimtab.Loss.NONE)

    sent = compact(given, form, force=True, passes=[scripted(empty), *PASSES], target=1, protect_results=0)
    assert any("empty" in one.text for one in sent.result.report.refused)
    assert ids(sent.payload) == ids(given)
    assert [text for text in texts(sent.payload) if not text.strip()] == [""]
    assert all(message.get("tool_calls") != [] for message in sent.messages)


@wires
@forms
def test_PAIR_24_a_long_exchange_after_the_question_does_not_push_it_out(wire: str, form: str) -> None:
    steps: list[Step] = [user("question"), calls(("c1", "a")), results(("c1", log(10_000))), *exchange(2, 10_000)]
    given = request(wire, *steps, system="Be brief.")
    sent = compact(given, form, budget=10_000)
    assert sent.result.report.tokens_after <= 10_000
    assert ids(sent.payload) == (["c1", "c2"], ["c1", "c2"])
    assert sent.messages[: 1 if wire == "anthropic" else 2] == given["messages"][: 1 if wire == "anthropic" else 2]
    assert sent.payload.get("system") == given.get("system")


@wires
@forms
def test_PAIR_26_PAIR_32_a_note_stays_in_place_as_a_user_message(wire: str, form: str) -> None:
    given = request(wire, user("task"), *wide("a"), *wide("b"), *wide("c"), says("done"), user("next"), system="R")
    sent = note(given, 2, 3, form)
    at = next(n for n, one in enumerate(sent.messages) if "earlier work" in json.dumps(one))
    assert sent.messages[at]["role"] == "user"
    assert sent.messages[:at] == given["messages"][:at]
    assert sent.messages[at + 1 :] == given["messages"][at + 2 :]
    assert sent.payload.get("system") == given.get("system")
    assert [one["role"] for one in sent.messages].count("system") == (0 if wire == "anthropic" else 1)


@wires
@settings(max_examples=30)
@given(budget=st.integers(1_100, 6_000), form=st.sampled_from(["bytes", "dict"]))
def test_PAIR_29_messages_keep_their_order(wire: str, budget: int, form: str) -> None:
    given = request(wire, *history(8, 40), says("A1"), user("U2"), says("A2"), user("U3"), system="R")
    sent = compact(given, form, budget=budget)
    assert [one["role"] for one in sent.messages] == [one["role"] for one in given["messages"]]
    assert ids(sent.payload) == ids(given)
    unchanged = [one for one in given["messages"] if one in sent.messages]
    assert [one for one in sent.messages if one in given["messages"]] == unchanged


@wires
@forms
def test_PAIR_33_the_end_of_the_request_stays_the_end(wire: str, form: str) -> None:
    ends: list[list[Step]] = [[says("done")], exchange(9), [{"role": "assistant", "content": []}]]
    for end in ends:
        given = request(wire, *history(6), *end)
        sent = compact(given, form, budget=1_500)
        assert sent.result.changed
        assert sent.messages[-1]["role"] == given["messages"][-1]["role"]
        assert broken(sent.payload) == broken(given)
    assert sent.messages[-1] == given["messages"][-1]
