"""Reported bugs about what the user asked for: the newest message is the last one, and there word for word."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.cases.transcripts import (
    MARKER,
    Call,
    Said,
    Step,
    calls,
    compact,
    forms,
    handles,
    log,
    request,
    results,
    says,
    scripted,
    strings,
    texts,
    user,
    wires,
)
from tests.presets.playing import NAMES, eager

import trimtab
from trimtab.edits import At, Replace, Span, Summarize
from trimtab.passes import FoldResults, View
from trimtab.presets.clear_tool_uses import ClearToolUses
from trimtab.testing import note_of
from trimtab.transcript import Text

PARTS = "do A, then B, then C with flag --dry"
BARE: dict[str, Any] = {"protect_results": 0, "protect_turns": 0}
PRESSURES: dict[str, dict[str, Any]] = {
    "window": {"window": 700, **BARE},
    "results": {"max_results": 1, **BARE},
    "forced": {"force": True, "target": 1, **BARE},
    "budget": {"budget": 1_500, **BARE},
    "prose": {"budget": 1_500, "preset": "prose", **BARE},
    "tight prose": {"budget": 900, "preset": "prose", **BARE},
}
pressures = pytest.mark.parametrize("pressure", list(PRESSURES))
presets = pytest.mark.parametrize("preset", ["default", "prose"])


def work(first: int, stop: int, lines: int = 40) -> list[Step]:
    return [
        step
        for number in range(first, stop)
        for step in (calls((f"c{number}", f"{number}.py")), results((f"c{number}", log(lines, f"part {number}"))))
    ]


def chat(turns: int) -> list[Said]:
    """Turns in which nobody calls a tool, each user's about 60 tokens, and answers twice as long."""
    steps = list[Said]()
    for number in range(turns):
        asked = (f"Look at module_{number} and say if part {n} of it works. " for n in range(5))
        told = (f"In module_{number} part {n} works, {n * 37} callers use it in file_{number}. " for n in range(6))
        steps += [user(f"Point {number}. {''.join(asked)}"), says("".join(told))]
    return steps


LIVE: dict[str, list[Step]] = {
    "a string": [user(PARTS)],
    "two texts": [user([PARTS, "and mind the\n\n  indent  "])],
    "many lines": [user(PARTS + "\n" + log(20, "requirement"))],
    "like a marker": [user(f"[trimtab: 12 tokens cut, not shown: trimtab recall t:0123456789abcdef] {PARTS}")],
    "one sent before": [user("task")],
}


@wires
@forms
@pressures
@pytest.mark.parametrize("live", list(LIVE))
def test_INST_02_every_part_of_the_newest_message_stays_and_it_is_last(
    wire: str, form: str, pressure: str, live: str
) -> None:
    steps = [user("task"), *work(0, 6), says("done " * 40), *LIVE[live]]
    given = request(wire, *steps, system="Be brief.")
    sent = compact(given, form, **PRESSURES[pressure])
    assert sent.result.changed
    assert sent.messages[-1] == given["messages"][-1]


@forms
@pressures
def test_INST_02_a_message_that_brings_a_result_along_keeps_its_words(form: str, pressure: str) -> None:
    """Anthropic: what the user says while the agent works stands beside the result, in one message."""
    result = {"type": "tool_result", "tool_use_id": "n", "content": log(90)}
    live = {"role": "user", "content": [result, {"type": "text", "text": PARTS}]}
    given = request("anthropic", user("task"), *work(0, 6), calls(("n", "n.py")), live)
    sent = compact(given, form, **PRESSURES[pressure])
    assert sent.result.changed
    last = sent.messages[-1]
    assert last["content"][-1] == {"type": "text", "text": PARTS}
    assert [block["type"] for block in last["content"]] == ["tool_result", "text"]


@wires
@forms
@pressures
def test_INST_03_no_setting_evicts_the_newest_turn_or_an_open_batch(wire: str, form: str, pressure: str) -> None:
    """Nothing protected, a target of one token: calls and results of the open batch are all there."""
    batch: list[Step] = [calls(("x", "x.py"), ("y", "y.py")), results(("x", log(9, "x")), ("y", log(9, "y")))]
    live = user(PARTS + "\n" + log(25, "requirement"))
    given = request(wire, user("task"), *work(0, 6), says("done"), live, *batch)
    sent = compact(given, form, **PRESSURES[pressure])
    assert sent.result.changed
    start = given["messages"].index(live._asdict())
    assert sent.messages[start - len(given["messages"]) :] == given["messages"][start:]


@wires
@pytest.mark.parametrize("name", NAMES)
def test_INST_02_INST_03_no_preset_touches_the_newest_turn(wire: str, name: str) -> None:
    """Each made to act at every call: what was said last is last, and an open batch is whole.

    Two presets count messages; a batch longer than what they keep lets the question go, as they declare.
    """
    turns = [[user(f"Look at {n}."), *work(2 * n, 2 * n + 2), says(f"Seen {n}.")] for n in range(4)]
    steps = [step for turn in turns for step in turn]
    batch: list[Step] = [calls(("x", "x.py"), ("y", "y.py")), results(("x", log(9, "x")), ("y", log(9, "y")))]
    for newest in ([user(PARTS)], [user(PARTS), *batch]):
        given = request(wire, *steps, *newest)
        sent = compact(given, preset=eager(name), writer=lambda ask: note_of("Looked at."), protect_results=0)
        stays = newest if eager(name).rules().question_stays or newest[1:] == [] else newest[1:]
        count = len(request(wire, *stays)["messages"])
        assert sent.messages[-count:] == given["messages"][-count:]
        stays_whole = name in ("none", "threshold-summarize", "four-places", "native")
        assert (sent.messages == given["messages"]) is stays_whole


@wires
@forms
@presets
def test_INST_03_a_pass_that_wants_the_live_turn_is_refused(wire: str, form: str, preset: str) -> None:
    """By name, whatever it proposes: another text, or one note for everything up to the end."""

    def propose(view: View) -> Any:
        names = [name for name, _ in view.messages]
        live = At(names[-1], 0)
        for text in ("less", f"less, {view.handle(live)}"):
            yield Replace(live, Text(text), "as asked")
        for first in (0, 1, len(names) - 1):
            span = Span(names[first], names[-1])
            yield Summarize(span, f"less, {view.handle(span)}", "as asked")

    given = request(wire, user("task"), *work(0, 4), says("done " * 90), user(PARTS * 40))
    sent = compact(given, form, passes=[scripted(propose)], preset=preset, force=True, target=1, **BARE)
    assert sent.payload == given
    assert len(sent.result.report.refused) >= 5


@wires
@forms
def test_INST_07_a_note_stands_before_what_the_user_says_last(wire: str, form: str) -> None:
    """Task, note, live turn: a note of old messages is neither the last message nor after the question."""
    given = request(wire, *chat(16), user(PARTS), system="Be brief.")
    sent = compact(given, form, budget=700, preset="prose")
    first = next(n for n, one in enumerate(sent.messages) if one["role"] == "user")
    notes = [n for n, one in enumerate(sent.messages) if MARKER.search(str(one["content"]))]
    assert len(sent.messages) < 16
    assert sent.messages[first] == given["messages"][first]
    assert first < notes[0] <= notes[-1] < len(sent.messages) - 1
    assert sent.messages[-1] == given["messages"][-1]
    assert sent.payload.get("system") == given.get("system")
    assert sent.compactor.undo(sent.payload) == given


@wires
@forms
@pytest.mark.parametrize("roles", ["user", "user and assistant"])
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_INST_10_more_than_the_budget_of_users_words(wire: str, form: str, roles: str, share: float) -> None:
    """The first and the newest stay word for word, the rest is chosen, in order, with the way back."""
    task = user("Go through the modules.\n" + log(20, "requirement"))
    steps = [task, *(step for step in chat(16) if step.role in roles.split())]
    given = request(wire, *steps, user(PARTS))
    budget = int(share * trimtab.Compactor(store=None).compact(given).report.tokens_before)
    sent, again = (compact(given, form, budget=budget, preset="prose") for _ in range(2))
    assert sent.payload == again.payload
    assert sent.result.report.tokens_after <= budget
    assert sent.messages[0] == given["messages"][0]
    assert sent.messages[-1] == given["messages"][-1]
    shown = [int(n) for text in strings(sent.messages) for n in re.findall(r"module_(\d+) ", text)]
    assert shown == sorted(shown)
    assert len(set(shown)) < 16 or share > 0.5
    assert handles(sent.payload)
    assert sent.compactor.undo(sent.payload) == given


@wires
@forms
def test_INST_10_without_a_preset_that_says_so_users_words_are_fixed(wire: str, form: str) -> None:
    with pytest.raises(trimtab.BudgetError) as caught:
        compact(request(wire, *chat(16), user(PARTS)), form, budget=700)
    assert {why for _, _, why in caught.value.fixed} >= {"user text stays"}


@wires
@forms
def test_INST_13_what_is_cleared_leaves_a_marker_and_stands_in_the_report(wire: str, form: str) -> None:
    """A memory that was loaded is cut like any old result, never in silence; a pin of its call keeps it."""
    load = calls(Call("m1", "memory.load", {"key": "prefs"}))
    given = request(wire, user("task"), load, results(("m1", log(90, "preference"))), *work(0, 5))
    sent = compact(given, form, passes=[FoldResults()], force=True, target=1, **BARE)
    [edit] = [one for one in sent.result.report.edits if "memory.load" in one.what]
    assert edit.handle in texts(sent.payload)[0]
    assert "memory.load" in texts(sent.payload)[0]
    kept = compact(given, form, passes=[FoldResults()], force=True, target=1, pins=["m1"], **BARE)
    assert texts(kept.payload)[0] == texts(given)[0]
    assert kept.result.changed


@wires
@forms
@pytest.mark.parametrize("tools", [("memory.*",), ("memory.load",), ("other", "*.load")])
def test_INST_13_results_of_excluded_tools_stay(wire: str, form: str, tools: tuple[str, ...]) -> None:
    """By name or glob; a name that only begins like one is another tool, and every result cleared is told of."""
    made = [Call("m1", "memory.load", {}), Call("m2", "memory", {}), Call("m3", "xmemory.loads", {})]
    loads: list[Step] = [calls(*made), results(*((f"m{n}", log(90, f"preference {n}")) for n in (1, 2, 3)))]
    given = request(wire, user("task"), *loads, *work(0, 5))
    preset = ClearToolUses(trigger=1_000, keep=1, exclude_tools=tools)
    sent = compact(given, form, preset=preset)
    before, after = texts(given), texts(sent.payload)
    assert [n for n in range(8) if after[n] == before[n]] == [0, 7]
    assert len(sent.result.report.edits) == 6
    for edit in sent.result.report.edits:
        assert any(edit.handle in one for one in after)


@wires
@forms
@presets
@pytest.mark.parametrize("question", ["real question", "real question " * 60])
def test_INST_16_the_newest_message_is_sent_though_it_alone_is_too_large(
    wire: str, form: str, preset: str, question: str
) -> None:
    given = request(wire, user("Hello"), says("Hi there. " * 20), user(question), tools=False)
    presses: list[dict[str, Any]] = [{"window": 10}, {"force": True, "target": 1}]
    for pressure in presses:
        sent = compact(given, form, preset=preset, **pressure)
        assert sent.messages[-1] == given["messages"][-1]
        if not sent.result.changed and pressure.get("window"):
            assert any(one.rule == "target-missed" for one in sent.result.report.refused)
    with pytest.raises(trimtab.BudgetError) as caught:
        compact(given, form, preset=preset, budget=5)
    assert caught.value.smallest > 5
    assert caught.value.fixed


LEVELS = {"todo_*": "keep", "mcp__*__run": "shorten", "mcp__*": "keep", "read": "fold"}
BY_TOOL = ("todo_write", "mcp__box__run", "mcp__box__list", "read", "unknown")


@wires
@forms
@pytest.mark.parametrize("pressure", [{"force": True, "target": 1}, {"budget": 7_000}], ids=["forced", "budget"])
def test_INST_14_how_far_results_are_cut_is_said_by_tool_and_others_have_the_default(
    wire: str, form: str, pressure: dict[str, Any]
) -> None:
    """`keep`, `shorten` and `fold` by globs, the first that fits decides; a tool that none fits is folded."""
    steps: list[Step] = []
    for n, name in enumerate(BY_TOOL):
        text = log(260 if name == "mcp__box__run" else 40, name)
        steps += [calls(Call(f"c{n}", name, {"n": n})), results((f"c{n}", text))]
    given = request(wire, user("task"), *steps, *work(7, 10), says("ok"), user("x"))
    sent = compact(given, form, presets={"default": {"tools": LEVELS}}, protect_results=0, **pressure)
    after = texts(sent.payload)
    same = [one == other for one, other in zip(texts(given), after, strict=True)]
    assert same[:3] == [True, False, True]
    assert "excerpt of 260 lines" in after[1]
    assert after[1].count("\n") > 3
    if "force" in pressure:
        assert [after[n].count("\n") for n in (3, 4)] == [0, 0]
        plain = compact(given, form, protect_results=0, **pressure)
        assert [text.count("\n") for text in texts(plain.payload)[:5]] == [0] * 5


@wires
def test_INST_14_a_budget_that_cannot_be_met_otherwise_goes_over_it_and_a_wrong_level_is_an_error(
    wire: str,
) -> None:
    given = request(wire, user("task"), *work(0, 6), says("ok"), user("x"))
    kept = {"default": {"tools": {"read": "keep"}}}
    assert compact(given, presets=kept, protect_results=0, force=True, target=1).payload == given
    sent = compact(given, presets=kept, protect_results=0, budget=1_200)
    assert sent.result.report.tokens_after <= 1_200
    with pytest.raises(trimtab.ConfigError, match="shred"):
        compact(given, presets={"default": {"tools": {"read": "shred"}}})
