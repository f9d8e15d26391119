from __future__ import annotations

import pytest

from trimtab.compactor import Compactor
from trimtab.history import history, standing
from trimtab.testing import MODELS, conversation


@pytest.fixture(params=sorted(MODELS))
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_step_for_each_call_with_the_sizes_on_record(wire: str) -> None:
    compactor = Compactor(store="memory:", budget=3_000)
    request = conversation(wire, exchanges=8)
    compactor.compact(request)
    steps = history(compactor, request)
    assert [step.messages for step in steps] == [1, 3, 5, 7, 9, 11, 13, 15, 17]
    assert [(s.before, s.after, s.trigger) for s in steps] == [
        (e.tokens, e.after, e.trigger) for e in compactor.explain(request)
    ]
    assert any(step.edits for step in steps)


def test_edits_are_told_as_the_report_tells_them(wire: str) -> None:
    compactor = Compactor(store="memory:")
    request = conversation(wire, exchanges=8)
    report = compactor.compact(request, force=True).report
    assert report.edits
    assert sorted(standing(history(compactor, request)), key=str) == sorted(report.edits, key=str)


def test_what_was_sent_has_the_history_of_what_was_given(wire: str) -> None:
    compactor = Compactor(store="memory:", budget=3_000)
    request = conversation(wire, exchanges=8)
    sent = compactor.compact(request).payload
    assert sent != request
    assert [step.edits for step in history(compactor, sent)] == [
        step.edits for step in history(compactor, request)
    ]


def test_of_two_edits_in_one_place_the_later_stands(wire: str) -> None:
    compactor = Compactor(store="memory:", budget=3_000)
    request = conversation(wire, exchanges=8)
    compactor.compact(request)
    tighter = Compactor(store=compactor.store, budget=1_700)
    tighter.compact(request)
    steps = history(tighter, request)
    edits = standing(steps)
    assert len({edit.place for edit in edits}) == len(edits)
    assert {edit.place for edit in edits} == {edit.place for step in steps for edit in step.edits}
    last = {edit.place: edit for step in steps for edit in step.edits}
    assert all(last[edit.place] == edit for edit in edits)


def test_nothing_on_record() -> None:
    assert history(Compactor(store="memory:"), conversation()) == []
