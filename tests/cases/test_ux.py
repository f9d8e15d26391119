"""Reported bugs about what is told: outcomes, figures, reasons, and a marker for all that is not there."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from tests.cases.transcripts import (
    Call,
    Step,
    calls,
    compact,
    encoded,
    forms,
    log,
    png,
    request,
    results,
    says,
    scripted,
    strings,
    user,
    wires,
)
from tests.presets.playing import NAMES, eager

import trimtab
from trimtab.edits import Ask, Replace
from trimtab.passes import PASSES, FoldResults, View
from trimtab.presets.summarization import Summarization
from trimtab.testing import memory_store, note_of
from trimtab.transcript import ToolResult

SHORT = note_of("Short.")
FOLD: dict[str, Any] = {"protect_results": 0, "window": 3_500}


def work(exchanges: int = 8, lines: int = 60) -> list[Step]:
    return [
        step
        for number in range(exchanges)
        for step in (calls((f"c{number}", f"{number}.py")), results((f"c{number}", log(lines, f"part {number}"))))
    ]


def made(wire: str) -> dict[str, Any]:
    return request(wire, user("Mend it."), *work(), says("done"), user("and now?"), system="Be brief.")


def as_form(given: dict[str, Any], form: str) -> Any:
    return encoded(given) if form == "bytes" else given


def veto(ask: Ask) -> str:
    raise PermissionError("not allowed")


@wires
@forms
def test_UX_01_no_op_failure_veto_and_success_are_told_apart(wire: str, form: str) -> None:
    """Each with its outcome, a reason in words, and figures that fit it."""
    payload = as_form(made(wire), form)
    idle = trimtab.Compactor(store="memory:", config={}).compact(payload).report
    assert (idle.outcome, idle.saved, idle.edits) == ("nothing", 0, ())
    assert idle.trigger == "no reason to fold"

    gone = trimtab.Compactor(store="memory:", config=FOLD)
    gone.store.close()
    failed = gone.compact(payload)
    assert failed.payload is payload
    assert (failed.report.outcome, failed.report.saved) == ("failed", 0)
    assert any(one.rule == "failed" and "StoreError" in one.text for one in failed.report.findings)

    asks = Summarization(tokens=900, keep=2)
    vetoed = trimtab.Compactor(store="memory:", preset=asks, writer=veto, config={}).compact(payload).report
    assert (vetoed.outcome, vetoed.saved) == ("nothing", 0)
    assert any("not allowed" in one.text for one in vetoed.refused)

    done = trimtab.Compactor(store="memory:", config=FOLD).compact(payload).report
    assert done.outcome == "applied"
    assert done.saved > 0
    assert done.edits
    assert "75% of the window" in done.trigger
    for report in (idle, failed.report, vetoed, done):
        assert json.loads(json.dumps(report.to_dict()))["outcome"] == report.outcome
        assert str(report).startswith(f"trimtab {report.outcome}: ")


@wires
@forms
@pytest.mark.parametrize(
    "note", ["dense " * 900, note_of(*(f"Point {n % 27} of point {n // 27}." for n in range(400))), SHORT]
)
def test_UX_02_before_and_after_are_measured_alike_and_nothing_grows(wire: str, form: str, note: str) -> None:
    """27 short turns: a note larger than they are is not sent; tools and system count on both sides."""
    steps = [step for n in range(27) for step in (user(f"Point {n}?"), says(f"Yes, {n}."))]
    given = request(wire, *steps, user("and now?"), system="Be brief. " * 50)
    preset = Summarization(tokens=100, keep=2)
    sent = compact(given, form, preset=preset, writer=lambda ask: note)
    report = sent.result.report
    assert sent.result.changed is (note == SHORT)
    for payload, tokens in ((given, report.tokens_before), (sent.payload, report.tokens_after)):
        fresh = trimtab.Compactor(store=None, config={"window": 10**6}).compact(as_form(payload, form)).report
        assert tokens == fresh.tokens_before == fresh.tokens_after
    assert report.tokens_after <= report.tokens_before
    assert report.saved == report.tokens_before - report.tokens_after


@wires
@forms
def test_UX_03_a_second_call_says_what_stands_and_since_when(wire: str, form: str) -> None:
    """Nothing to do because it was just done reads other than nothing to do at all, in any process."""
    payload, store = as_form(made(wire), form), memory_store()
    maker = trimtab.Compactor(store=store, config={})
    first = maker.compact(payload, at=1_000.0, force=True).report
    for one in (maker, trimtab.Compactor(store=store, config={})):
        second = one.compact(payload, at=2_000.0).report
        assert (second.outcome, second.edits) == ("standing", ())
        assert second.standing == first.standing + len(first.edits)
        assert (second.decided, second.trigger) == (1_000.0, "forced")
        assert f"{second.standing} earlier edits stand" in str(second)
        assert second.tokens_after == first.tokens_after
    other = trimtab.Compactor(store="memory:", config={}).compact(payload, at=2_000.0).report
    assert (other.outcome, other.standing) == ("nothing", 0)


def lines(place: str) -> range:
    """The messages that an entry of a report is about."""
    first, _, last = place.removeprefix("messages[").partition("]")[0].partition("-")
    return range(int(first), int(last or first) + 1)


@wires
@forms
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("none", "native")])
def test_UX_09_every_loss_has_a_marker_in_the_request_and_an_entry_in_the_report(
    wire: str, form: str, name: str
) -> None:
    """Whichever preset cuts here: what an entry names as lost is named in the request, or by a note over it."""
    picture: list[Step] = [calls(("p", "p.png")), results(("p", ["seen", png()]))]
    short = json.dumps({"compact_summary": "All is well.", "log": log(200, "w")})
    writes: list[Step] = [
        calls(("w", "w.md"), Call("d", "deploy", {})),
        results(("w", short), ("d", log(300, "deployed"))),
    ]
    given = request(wire, user("Mend it."), *picture, *writes, *work(), says("done " * 60), user("x"), *work(2))
    budget = 2_000 if name == "prose" else None
    sent = compact(given, form, preset=eager(name), writer=lambda ask: note_of("Read."), budget=budget)
    assert sent.result.changed
    shown, edits = "\n".join(strings(sent.payload)), sent.result.report.edits
    seen = {n for edit in edits if edit.handle in shown for n in lines(edit.place)}
    assert edits
    for edit in edits:
        assert edit.reason
        assert edit.by
        assert edit.loss == "NONE" or edit.handle in shown or set(lines(edit.place)) <= seen
        assert sent.compactor.recall(edit.handle, whole=True).data
    told = json.loads(json.dumps(sent.result.report.to_dict()))["edits"]
    assert [one["handle"] for one in told] == [edit.handle for edit in edits]


@wires
@forms
def test_UX_09_an_edit_that_leaves_no_marker_is_refused_and_told(wire: str, form: str) -> None:
    """Whoever proposes it: silence, or a marker that names the handle of something else."""

    def propose(view: View) -> Any:
        for at, other in pairwise(view.open):
            part = view.original(at)
            if isinstance(part, ToolResult):
                yield Replace(at, ToolResult(part.call_id, "gone"), "silent")
                yield Replace(at, ToolResult(part.call_id, f"[cut: {view.handle(other)}]"), "another's")

    given = made(wire)
    sent = compact(given, form, passes=[scripted(propose)], force=True, target=1, protect_results=0)
    assert sent.payload == given
    assert all(
        "does not name the handle" in one.text for one in sent.result.report.refused if one.rule == "refused"
    )


@wires
@forms
@pytest.mark.parametrize("off", ["preset", "store", "passes", "pass"])
def test_UX_09_each_step_can_be_switched_off(wire: str, form: str, off: str) -> None:
    given = made(wire)
    others = [one for one in PASSES if one.name != FoldResults.name]
    switches: dict[str, dict[str, Any]] = {
        "preset": {"preset": "none"},
        "store": {"store": None},
        "passes": {"passes": []},
        "pass": {"passes": others},
    }
    full = compact(given, form, **FOLD).result.report
    assert FoldResults.name in {edit.by for edit in full.edits}
    sent = compact(given, form, **FOLD, **switches[off])
    assert FoldResults.name not in {edit.by for edit in sent.result.report.edits}
    assert off == "pass" or sent.payload == given
