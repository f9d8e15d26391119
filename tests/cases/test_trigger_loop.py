"""Reported bugs about compaction that starts again and again, or never gets anywhere."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from tests.cases.transcripts import (
    Call,
    Step,
    calls,
    compact,
    forms,
    handles,
    log,
    request,
    results,
    says,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.edits import Ask
from trimtab.presets.llm_summary import LlmSummary
from trimtab.presets.summarization import Summarization
from trimtab.testing import memory_store, note_of


def rounds(count: int, lines: int = 40) -> list[Step]:
    return [
        step
        for n in range(count)
        for step in (calls((f"c{n}", f"src/{n}.py")), results((f"c{n}", log(lines, f"part {n}"))))
    ]


def folded(result: trimtab.Result) -> bool:
    return result.report.first_changed is not None


@wires
@forms
def test_LOOP_01_a_large_frame_does_not_start_a_compaction_at_every_turn(wire: str, form: str) -> None:
    given = request(wire, user("hi"), system=log(2_500, "rule"))
    sent = compact(given, form, window=24_000)
    assert sent.payload == given
    assert not sent.result.report.edits
    with pytest.raises(trimtab.BudgetError, match="system and tools"):
        compact(given, form, budget=10_000)


@wires
@forms
def test_LOOP_02_a_note_longer_than_what_it_replaces_is_refused(wire: str, form: str) -> None:
    given = request(wire, user("task"), says("ok"), user("more"), says("yes"), *rounds(3, 2), user("and now?"))
    preset = Summarization(tokens=100, keep=1)
    sent = compact(given, form, preset=preset, writer=lambda _: note_of(*log(300, "step").splitlines()))
    assert sent.payload == given
    assert sent.result.report.refused
    assert all("the note is longer than" in one.text for one in sent.result.report.refused)


@wires
@forms
def test_LOOP_03_one_huge_result_at_the_end_is_cut_in_one_go(wire: str, form: str) -> None:
    given = request(wire, user("task"), calls(("c1", "a.log")), results(("c1", log(8_000))))
    sent = compact(given, form, budget=50_000)
    report = sent.result.report
    assert report.tokens_after * report.factor <= 50_000
    assert handles(sent.payload)
    again = sent.compactor.compact(sent.payload)
    assert not folded(again)


@wires
@forms
def test_LOOP_05_without_a_place_to_cut_the_writer_is_not_asked(wire: str, form: str) -> None:
    asked: list[Ask] = []
    chain = [
        step
        for n in range(60)
        for step in (calls((f"c{n}", f"{n}.py"), thinking="hm"), results((f"c{n}", log(3, f"part {n}"))))
    ]
    for given in (request(wire, user("task")), request(wire, user("task"), *chain)):

        def writer(ask: Ask) -> str:
            asked.append(ask)
            return "Please provide the events."

        compact(given, form, preset=LlmSummary(keep_recent_turns=1), writer=writer, force=True, window=1_500)
    assert all(ask.prompt.strip() for ask in asked)
    asked.clear()
    sent = compact(request(wire, user("task")), form, force=True)
    assert not sent.result.changed
    assert sent.result.report.outcome == "nothing"


@wires
def test_LOOP_06_several_turns_lie_between_two_folds(wire: str) -> None:
    compactor = trimtab.Compactor(store=memory_store(), config={"window": 24_000, "window_share": 0.5})
    given: list[Step] = [user("task")]
    folds = []
    for n, step in enumerate(rounds(60, 60)[::2]):
        given += [step, rounds(60, 60)[2 * n + 1]]
        if folded(compactor.compact(request(wire, *given))):
            folds.append(n)
    gaps = [after - before for before, after in pairwise(folds)]
    assert len(folds) >= 2
    assert min(gaps) >= 3


@wires
def test_LOOP_08_what_is_called_back_comes_in_pages(wire: str) -> None:
    huge = log(40_000, "archive")
    given = request(wire, user("task"), calls(("c1", "a.log")), results(("c1", huge)), says("ok"), user("more"))
    sent = compact(given, budget=6_000)
    (handle,) = handles(sent.payload)
    first = sent.compactor.recall(handle)
    assert len(first.text) <= 41_000
    assert "40,000" in first.text
    part = sent.compactor.recall(handle, lines="100-102")
    assert "archive 100: " in part.text
    assert len(part.text) < 1_000


@wires
def test_LOOP_09_one_long_loop_is_folded_inside(wire: str) -> None:
    compactor = trimtab.Compactor(store=memory_store(), config={"window": 20_000})
    largest = 0.0
    for n in range(1, 46):
        result = compactor.compact(request(wire, user("the task"), *rounds(n, 36)))
        largest = max(largest, result.report.tokens_after * result.report.factor)
        assert result.payload["messages"][0] == {"role": "user", "content": "the task"}
    assert largest < 20_000


@wires
@pytest.mark.parametrize("most", [1_000, 4_000])
def test_LOOP_10_what_the_writer_is_asked_fits_whatever_the_history_holds(wire: str, most: int) -> None:
    asked: list[str] = []

    def writer(ask: Ask) -> str:
        asked.append(ask.prompt)
        return note_of("They looked.")

    given = request(
        wire, user("task"), *rounds(30, 60), says("x" * 50_000), user("go on"), says("ok"), user("more")
    )
    preset = LlmSummary(keep_recent_turns=1, tool_contents=True, summary_input_tokens=most)
    sent = compact(given, preset=preset, writer=writer, force=True, window=20_000)
    count = sent.compactor.counter.count
    assert asked
    assert all(count([one])[0] <= most for one in asked)
    assert any("characters]" in one for one in asked) is (most == 1_000)
    assert sent.result.report.tokens_after < sent.result.report.tokens_before / 2


@wires
@forms
def test_LOOP_11_a_budget_is_met_in_tokens_not_in_messages(wire: str, form: str) -> None:
    given = request(wire, user("task"), *rounds(9, 4), *rounds(6, 300), says("ok"), user("more"))
    report = compact(given, form, budget=6_000).result.report
    assert report.tokens_after * report.factor <= 6_000


@wires
@forms
def test_LOOP_12_when_all_fits_a_forced_call_says_that_nothing_changed(wire: str, form: str) -> None:
    given = request(wire, user("task"), says("ok"), user("more"))
    sent = compact(given, form, force=True, target=1_000_000, budget=1_000_000)
    for _ in range(2):
        again = sent.compactor.compact(sent.payload, force=True)
        assert not again.changed
        assert again.payload is sent.payload
        assert again.report.outcome == "nothing"


@wires
def test_LOOP_15_notes_do_not_grow_from_pass_to_pass(wire: str) -> None:
    def echo(ask: Ask) -> str:
        return ask.prompt

    compactor = trimtab.Compactor(
        preset=Summarization(tokens=2_000, keep=2, max_summary_tokens=500), writer=echo, store=memory_store()
    )
    given: list[Step] = [user("task")]
    sizes = []
    for n in range(10):
        given += [*rounds(4, 12), says(f"done {n}"), user("go on")]
        result = compactor.compact(request(wire, *given))
        sizes.append(result.report.tokens_after)
    assert max(sizes[5:]) <= max(sizes[:5]) * 2


@wires
@forms
def test_LOOP_16_below_the_threshold_nothing_is_stubbed(wire: str, form: str) -> None:
    given = request(wire, user("task"), *rounds(3, 30), says("ok"), user("more"))
    assert compact(given, form, window=200_000).payload == given


@wires
def test_LOOP_16_what_was_called_back_is_not_cut_again_straight_away(wire: str) -> None:
    back = Call("back", "trimtab_recall", {"handle": "t:0123456789abcdef"})
    called: list[Step] = [calls(back), results(("back", log(40, "called back")))]
    given = request(wire, user("task"), *rounds(8), *called, *rounds(4), says("ok"))
    sent = compact({**given, "messages": [*given["messages"], {"role": "user", "content": "more"}]}, force=True)
    assert sent.result.changed
    assert log(40, "called back") in texts(sent.payload)


@pytest.mark.parametrize("times", [1, 2])
@wires
def test_LOOP_18_a_writer_that_is_asked_too_much_leaves_the_conversation_as_it_was(wire: str, times: int) -> None:
    asked: list[Ask] = []

    def writer(ask: Ask) -> Any:
        asked.append(ask)
        raise ValueError("context_length_exceeded")

    given = request(wire, user("task"), *rounds(20), says("ok"), user("more"))
    compactor = trimtab.Compactor(preset=Summarization(tokens=2_000, keep=2), writer=writer, store=memory_store())
    for _ in range(times):
        result = compactor.compact(given)
        assert result.payload == given
    assert asked
    assert all(ask.most <= 2_048 for ask in asked)
