"""Reported bugs, as requests to Bedrock Converse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.cases.transcripts import log
from tests.wires.bedrock_requests import DONE, PNG, POINT, SPEC, THOUGHT, assistant, result, text, use, user

from trimtab import BudgetError, Compactor, validate
from trimtab.compactor import Result
from trimtab.presets.handoff import Handoff
from trimtab.presets.sliding_window import SlidingWindow
from trimtab.presets.summarization import Summarization
from trimtab.testing import memory_store, note_of

TASK = user(text("Find the error."))


def exchange(number: int, width: int = 2) -> list[Any]:
    """Parallel calls and their results, the last first."""
    ids = [f"c{number}-{n}" for n in range(width)]
    results = [result(one, text(log(60, f"part {one}"))) for one in reversed(ids)]
    return [assistant(THOUGHT, *(use(one, {"path": f"{one}.py"}) for one in ids)), user(*results)]


def request(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {
        "modelId": "amazon.nova-pro-v1:0",
        "toolConfig": {"tools": [SPEC]},
        **fields,
        "messages": list(messages),
    }


def history(exchanges: int, width: int = 2) -> list[Any]:
    return [TASK, *(one for number in range(exchanges) for one in exchange(number, width))]


def compact(payload: Any, budget: int | None = None, **options: Any) -> Result:
    """Compacted down to a budget, or as far as it goes; valid as before, and undone to the very same."""
    limits: dict[str, Any] = {"target": 1} if budget is None else {"budget": budget}
    compactor = Compactor(
        model="nova-pro", store=memory_store(), config={"protect_results": 1}, **limits, **options
    )
    made = compactor.compact(payload, force=budget is None)
    assert made.report.outcome != "failed", made.report
    assert validate(made.payload) == validate(payload)
    assert compactor.undo(made.payload) == payload
    return made


def ids(message: dict[str, Any], kind: str) -> list[str]:
    return [item[kind]["toolUseId"] for item in message["content"] if kind in item]


@given(budget=st.integers(60, 6_000), width=st.integers(1, 3))
@settings(max_examples=25)
def test_PAIR_14_calls_and_results_stay_together_at_every_budget(budget: int, width: int) -> None:
    payload = request(*history(6, width))
    try:
        sent = compact(payload, budget).payload
    except BudgetError:
        return
    for asked, told in zip(sent["messages"][1::2], sent["messages"][2::2], strict=True):
        assert ids(asked, "toolUse") == ids(told, "toolResult")[::-1]


def test_PAIR_20_identical_parallel_calls_keep_both_results() -> None:
    twins = [assistant(use("A", {}), use("B", {})), user(result("A", text(log(60))), result("B", text(log(60))))]
    sent = compact(request(TASK, *twins, *exchange(1), *exchange(2))).payload
    assert sent["messages"][1] is twins[0]
    assert ids(sent["messages"][2], "toolResult") == ["A", "B"]
    assert all("trimtab" in one["toolResult"]["content"][0]["text"] for one in sent["messages"][2]["content"])


NOTING = [Summarization(tokens=1, keep=3), SlidingWindow(keep=3), Handoff(keep=3)]


@pytest.mark.parametrize("preset", NOTING, ids=lambda one: one.name)
@pytest.mark.parametrize("turns", [False, True])
def test_PAIR_12_PAIR_27_a_note_is_a_users_and_stands_before_an_answer(preset: Any, turns: bool) -> None:
    """Whatever would stand beside another message of the user is left where it is."""
    between = [DONE, user(text("Go on."))] if turns else []
    given = request(TASK, *(one for n in range(6) for one in (*exchange(n), *between)))
    written = note_of("Parts were read.")
    compactor = Compactor(preset=preset, target=1, store=memory_store(), writer=lambda _: written)
    sent = compactor.compact(given, force=True).payload
    note, after = sent["messages"][:2]
    assert "trimtab recall" in note["content"][0]["text"]
    assert after["role"] == "assistant"
    assert validate(sent) == []
    assert compactor.compact(sent).payload is sent
    assert compactor.undo(sent) == given


def test_PAIR_09_nothing_to_do() -> None:
    payload = request(*history(1))
    assert compact(payload, 10**6).payload is payload


def test_PAIR_13_PAIR_21_an_open_call_stays_last() -> None:
    payload = request(*history(5), exchange(9)[0])
    sent = compact(payload)
    assert sent.changed
    assert sent.payload["messages"][-1] is payload["messages"][-1]


def test_PAIR_22_a_broken_history_is_not_made_worse() -> None:
    payload = request(*history(5), assistant(use("z")), user(text("are you there?")), DONE, user(text("go on")))
    assert {one.rule for one in validate(payload)} == {"A1"}
    assert compact(payload).changed


def test_THINK_04_reasoning_is_sent_as_it_came() -> None:
    sent = compact(request(*history(6)))
    assert sent.changed
    assert all(message["content"][0] is THOUGHT for message in sent.payload["messages"][1::2])


@pytest.mark.parametrize("content", [(PNG,), (PNG, {"json": {"rows": [log(90)]}}), ({"json": {"a": log(90)}},)])
def test_results_of_images_and_json_alone_fold_too(content: tuple[Any, ...]) -> None:
    one = [assistant(use("A")), user(result("A", *content))]
    sent = compact(request(TASK, *one, *exchange(1), *exchange(2))).payload
    items = sent["messages"][2]["content"][0]["toolResult"]["content"]
    assert [list(item) for item in items] == [["text"]] * len(content)


def test_a_moved_cache_point_renames_nothing() -> None:
    """The decision for what was sent before is found again."""
    messages = history(6)
    compactor = Compactor(model="nova-pro", store=memory_store(), config={"protect_results": 1}, target=1)
    marked = [*messages[:-1], {**messages[-1], "content": [*messages[-1]["content"], POINT]}]
    first = compactor.compact(request(*marked), force=True)
    moved = [user(POINT, *TASK["content"]), *messages[1:], DONE, user(text("next"), POINT)]
    second = compactor.compact(request(*moved))
    assert first.changed
    assert second.payload["messages"][1:12] == first.payload["messages"][1:12]
    assert second.payload["messages"][0] is moved[0]


def test_INST_01_the_system_prompt_stays() -> None:
    system = [text(log(90)), POINT]
    payload = request(*history(6), system=system)
    assert compact(payload).payload["system"] is system
