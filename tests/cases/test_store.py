"""Reported bugs about what is stored: it can be had, it comes back, and the marker is no promise without it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cases.transcripts import (
    MARKER,
    Call,
    Step,
    broken,
    calls,
    compact,
    encoded,
    forms,
    handles,
    log,
    request,
    results,
    says,
    strings,
    texts,
    user,
    wires,
)
from tests.presets.playing import NAMES, eager

import trimtab
from trimtab.passes import FitBudget, FoldResults, ShortenOutputs
from trimtab.stores import open_store
from trimtab.testing import memory_store, note_of
from trimtab.tool import recall_tool

NEWER: list[Step] = [calls(("new", "b")), results(("new", "ok"))]
OLD: dict[str, Any] = {"force": True, "target": 1, "protect_results": 0}
pairs = pytest.mark.parametrize(("wire", "form"), [("anthropic", "bytes"), ("openai_chat", "dict")])
RECALLS = [
    Call("r", "trimtab_recall", {"handle": "t:0123456789abcdef"}),
    Call("r", "bash", {"command": "cd /w && trimtab recall t:0123456789abcdef --lines 1-900 | head -n 900"}),
    Call("r", "shell", {"command": ["bash", "-lc", "uvx trimtab recall t:0123456789abcdef"]}),
]


def read_files(first: int, stop: int, lines: int = 60) -> list[Step]:
    """Exchanges that read files, each with a result of so many lines."""
    return [
        step
        for number in range(first, stop)
        for step in (calls((f"c{number}", f"{number}.py")), results((f"c{number}", log(lines, f"part {number}"))))
    ]


@wires
@forms
@pytest.mark.parametrize("recall", RECALLS, ids=lambda call: call.name)
@pytest.mark.parametrize("passes", [[FoldResults()], [ShortenOutputs(keep=60)], None])
def test_STORE_01_what_was_recalled_is_not_cut_again(wire: str, form: str, recall: Call, passes: Any) -> None:
    recalled = "[t:0123456789abcdef: read a.py, about 18,000 tokens]\n" + log(1_500)
    steps: list[Step] = [user("task"), *read_files(0, 3, 300), calls(recall), results(("r", recalled))]
    sent = compact(request(wire, *steps, *read_files(3, 9), *NEWER), form, passes=passes, **OLD)
    shown = texts(sent.payload)
    assert shown[3] == recalled
    assert all(MARKER.search(one) for one in shown[:3])


@wires
@forms
def test_STORE_01_a_caller_s_budget_cuts_it_and_the_handle_leads_to_the_text(wire: str, form: str) -> None:
    """A pointer never leads to a pointer: what comes back is what the recall gave."""
    recalled = "[t:0123456789abcdef: read a.py, about 18,000 tokens]\n" + log(1_500)
    steps: list[Step] = [user("task"), calls(RECALLS[0]), results(("r", recalled)), *read_files(0, 4), *NEWER]
    sent = compact(request(wire, *steps), form, budget=4_000)
    cut = texts(sent.payload)[0]
    assert cut != recalled
    assert sent.compactor.recall(MARKER.findall(cut)[-1], whole=True).text == recalled


@pairs
@pytest.mark.parametrize(
    "pressure", [{"force": True}, {"force": True, "target": 1}, {"window": 1_500}, {"max_results": 1}]
)
@pytest.mark.parametrize("choice", [None, "none", "forced"])
def test_STORE_02_without_a_way_back_nothing_is_cut(
    wire: str, form: str, pressure: Any, choice: str | None
) -> None:
    """No store, no marker, whatever presses and whatever tools the model may call."""
    one: dict[str, Any] = {
        "anthropic": {"type": "tool", "name": "read"},
        "openai_chat": {"type": "function", "function": {"name": "read"}},
    }
    none: dict[str, Any] = {"anthropic": {"type": "none"}, "openai_chat": "none"}
    fields: dict[str, Any] = (
        {} if choice is None else {"tool_choice": none[wire] if choice == "none" else one[wire]}
    )
    given = request(wire, user("task"), *read_files(0, 8), *NEWER, **fields)
    assert compact(given, form, protect_results=0, **pressure).result.changed
    sent = compact(given, form, store=None, protect_results=0, **pressure)
    assert sent.payload == given
    assert "[trimtab" not in "".join(strings(sent.payload))


@wires
@forms
def test_STORE_02_a_budget_that_only_cutting_meets_is_an_error_without_a_store(wire: str, form: str) -> None:
    given = request(wire, user("task"), *read_files(0, 8), *NEWER)
    assert compact(given, form, budget=1_500).result.changed
    with pytest.raises(trimtab.BudgetError):
        compact(given, form, store=None, budget=1_500)


@wires
@pytest.mark.parametrize(
    "handle", ["t:00000000000000ff", "t:gone", "", "   ", "../../etc/passwd", "t:" + "f" * 99_999]
)
def test_STORE_03_a_handle_that_does_not_resolve_is_answered_with_what_to_do(wire: str, handle: str) -> None:
    """An ordinary result, short, never an exception; a model that sees it knows what a handle looks like."""
    given = request(wire, user("task"), *read_files(0, 3), *NEWER)
    sent = compact(given, passes=[FoldResults()], **OLD)
    answer = recall_tool(wire).answer(sent.compactor, {"handle": handle}, sent.payload)
    assert answer.startswith("[trimtab: ")
    assert "t:0123456789abcdef" in answer
    assert len(answer) < 400


@wires
@pytest.mark.parametrize("source", ["forgotten", "of another conversation", "never issued"])
def test_STORE_03_what_is_gone_is_told_from_what_belongs_elsewhere(wire: str, source: str) -> None:
    sent = compact(request(wire, user("task"), *read_files(0, 3), *NEWER), passes=[FoldResults()], **OLD)
    handle = {"never issued": "t:00000000000000ff"}.get(source, handles(sent.payload)[0])
    payload = sent.payload
    if source == "forgotten":
        for one in sent.compactor.store.conversations():
            sent.compactor.store.delete(one.namespace, one.root)
    elif source == "of another conversation":
        payload = request(wire, user("other"), *read_files(3, 5))
    answer = recall_tool(wire).answer(sent.compactor, {"handle": handle}, payload)
    told = "another conversation" if source == "of another conversation" else "nothing is stored under this handle"
    assert told in answer
    assert log(3, "part 0") not in answer


@wires
@forms
@pytest.mark.parametrize("passes", [[FoldResults()], [ShortenOutputs(keep=60)], [FitBudget()], None])
def test_STORE_09_a_result_in_blocks_is_cut_like_a_string(wire: str, form: str, passes: Any) -> None:
    """It stays a list with one text block, and its handle brings the text back."""
    text = log(3_000)
    given = [user("task"), calls(("c", "a")), results(("c", [text])), *NEWER]
    pressure: dict[str, Any] = {"budget": 1_500} if passes == [FitBudget()] else OLD
    sent = compact(request(wire, *given), form, passes=passes, **pressure)
    [block] = texts(sent.payload)[0]
    assert block["type"] == "text"
    assert len(block["text"]) < len(text) // 10
    assert sent.compactor.recall(MARKER.findall(block["text"])[-1], whole=True).text == text
    assert sent.compactor.undo(sent.payload) == request(wire, *given)


@wires
@forms
def test_STORE_09_of_several_blocks_each_is_a_text_of_its_own(wire: str, form: str) -> None:
    first, second, small = log(2_000, "first"), log(2_000, "second"), "status: 0"
    given = request(wire, user("task"), calls(("c", "a")), results(("c", [first, small, second])), *NEWER)
    sent = compact(given, form, passes=[FoldResults()], **OLD)
    blocks = texts(sent.payload)[0]
    assert [block["type"] for block in blocks] == ["text"] * len(blocks)
    whole = [sent.compactor.recall(handle, whole=True).text for handle in handles(sent.payload)]
    assert "".join(whole).count("value") == 4_000
    assert sent.compactor.undo(sent.payload) == given


PINNED = "KEEP: the port is 9000\n"
PATHS: dict[str, dict[str, Any]] = {
    "window": {"window": 3_000},
    "results": {"max_results": 2},
    "forced": {"force": True, "target": 1},
    "budget": {"budget": 3_000},
    "prose": {"budget": 3_000, "preset": "prose"},
    "prose forced": {"force": True, "target": 1, "preset": "prose"},
}


@pairs
@pytest.mark.parametrize("path", list(PATHS))
@pytest.mark.parametrize("pin", ["KEEP: the port", r"re:(?m)^KEEP: .* \d{4}$", "c1"])
def test_STORE_14_UX_04_what_is_pinned_stays_on_every_path(wire: str, form: str, path: str, pin: str) -> None:
    """By a text, by a pattern, by the id of a call; with results beside it that are cut."""
    pinned = PINNED + log(60, "pinned")
    steps = [user("task"), calls(("c1", "p")), results(("c1", pinned)), *read_files(2, 9, 100)]
    options = {"protect_results": 0, **PATHS[path]}
    given = request(wire, *steps, *NEWER)
    sent = compact(given, form, pins=[pin], **options)
    assert pinned in texts(sent.payload)
    assert sent.result.changed
    free = compact(given, form, **options)
    assert pinned not in texts(free.payload)


@wires
@pytest.mark.parametrize("name", NAMES)
def test_STORE_14_UX_04_no_preset_touches_what_is_pinned(wire: str, name: str) -> None:
    """Each made to act at every call; a pinned message of the user and a pinned result, both old."""
    pinned: list[Step] = [calls(("c1", "p")), results(("c1", PINNED + log(60, "pinned")))]
    steps = [
        user("Look."),
        *read_files(2, 5),
        says("a"),
        user("MIND: no tabs"),
        *pinned,
        *read_files(5, 9),
        says("b"),
    ]
    given = request(wire, *steps, user("x"), *read_files(9, 12), says("c"), user("y"))
    sent = compact(
        given, preset=eager(name), writer=lambda ask: note_of("Read."), pins=["KEEP: the port", "MIND:"]
    )
    assert PINNED + log(60, "pinned") in texts(sent.payload)
    assert "MIND: no tabs" in list(strings(sent.messages))
    stays_whole = name in ("none", "threshold-summarize", "four-places", "native")
    assert (sent.messages == given["messages"]) is stays_whole


@wires
def test_UX_04_a_budget_that_pins_exceed_is_an_error_that_names_them(wire: str) -> None:
    steps = [user("task"), calls(("c1", "p")), results(("c1", PINNED + log(900))), *read_files(2, 5), *NEWER]
    with pytest.raises(trimtab.BudgetError) as caught:
        compact(request(wire, *steps), pins=["KEEP: the port"], budget=4_000)
    place, tokens, why = caught.value.fixed[0]
    assert why == "pinned"
    assert tokens > 4_000
    assert place.startswith("messages[2]")


def turns(count: int) -> list[Step]:
    return [
        step
        for number in range(count)
        for step in (user(f"turn {number}"), *read_files(number, number + 1, 90), says(f"done {number}"))
    ]


@wires
@forms
@pytest.mark.parametrize("fed_back", [False, True])
@pytest.mark.parametrize("restarted", [False, True])
def test_STORE_17_a_rewind_finds_the_originals(
    wire: str, form: str, fed_back: bool, restarted: bool, tmp_path: Path
) -> None:
    """10 turns, a fold, one turn more, then back to turn 8, by the client's own history or by what was sent."""
    given = request(wire, *turns(10), user("now"))
    store = open_store(tmp_path / "trimtab.db")
    sent = compact(given, form, force=True, target=1, protect_results=0, store=store)
    assert sent.result.changed
    kept = sent.messages if fed_back else given["messages"]
    longer = {**given, "messages": [*kept, *request(wire, says("ok"), user("more"))["messages"]]}
    after = compact(longer, form, protect_results=0, store=store)
    stop = given["messages"].index(user("turn 8")._asdict())
    rewound = {**given, "messages": after.messages[:stop]}
    assert rewound["messages"] != given["messages"][:stop]
    payload = encoded(rewound) if form == "bytes" else rewound
    if restarted:
        store.close()
        store = open_store(tmp_path / "trimtab.db")
    restored = trimtab.Compactor(store=store).undo(payload)
    assert (json.loads(restored) if form == "bytes" else restored) == {
        **given,
        "messages": given["messages"][:stop],
    }
    store.close()


@wires
def test_STORE_17_what_was_rewound_goes_on_and_is_valid(wire: str) -> None:
    given = request(wire, *turns(10), user("now"))
    store = memory_store()
    sent = compact(given, force=True, target=1, protect_results=0, store=store)
    stop = given["messages"].index(user("turn 8")._asdict())
    another = {**given, "messages": [*sent.messages[:stop], *request(wire, user("instead"))["messages"]]}
    again = compact(another, protect_results=0, store=store)
    assert broken(again.payload) == set()
    assert again.messages[-1] == user("instead")._asdict()
    assert again.messages[:stop] == sent.messages[:stop]
