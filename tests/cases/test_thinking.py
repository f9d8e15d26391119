"""Reported bugs about reasoning: it is sent back as it came or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from tests.cases.transcripts import (
    Sent,
    Step,
    broken,
    calls,
    compact,
    encoded,
    forms,
    log,
    request,
    results,
    says,
    scripted,
    user,
    wires,
)

import trimtab
from trimtab.edits import At, Drop
from trimtab.passes import View
from trimtab.reader import Reader
from trimtab.stores import open_store
from trimtab.tokens import counter_for

BOUND = "claude-opus-5-5"
THOUGHT = {"type": "thinking", "thinking": "the reason " * 40, "signature": "s1"}
REDACTED = {"data": "d1", "type": "redacted_thinking"}


def thinking_turn(number: int, *blocks: dict[str, Any]) -> list[Step]:
    """An Anthropic exchange with thinking before the call, its keys in an odd order, and a long result."""
    use = {"name": "read", "input": {"path": "a"}, "id": f"t{number}", "type": "tool_use", "x_new": 1}
    said = {"type": "text", "text": f"look {number}"}
    message = {"content": [*blocks, said, use], "role": "assistant"}
    return [message, results((f"t{number}", log(200, f"part {number}")))]


def of_assistants(payload: dict[str, Any]) -> list[bytes]:
    return [json.dumps(one).encode() for one in payload["messages"] if one["role"] == "assistant"]


@forms
@pytest.mark.parametrize("model", ["claude-sonnet-4-5", BOUND])
def test_THINK_01_the_latest_assistant_message_is_not_touched(form: str, model: str) -> None:
    steps: list[Step] = [user("task")]
    for number in range(6):
        steps += thinking_turn(number, THOUGHT, REDACTED)
    given = request("anthropic", *steps, model=model)
    sent = compact(given, form, force=True, target=1, protect_results=0)
    assert of_assistants(sent.payload) == of_assistants(given)
    if form == "bytes":
        latest = json.dumps(given["messages"][-2]).encode()
        assert latest in encoded(given)
        assert latest in sent.result.payload


@forms
def test_THINK_01_older_thinking_goes_as_a_whole_or_stays(form: str) -> None:
    steps: list[Step] = [user("task")]
    for number in range(6):
        steps += thinking_turn(number, THOUGHT, REDACTED)
    given = request("anthropic", *steps, says("done"), user("go on"), model=BOUND)
    sent = compact(given, form, force=True, target=1, protect_results=0)
    assert sent.result.changed
    for before, after in zip(given["messages"], sent.messages, strict=True):
        if before["role"] == "assistant" and after != before:
            assert after == {**before, "content": before["content"][2:]}


@forms
@pytest.mark.parametrize("model", ["claude-sonnet-4-5", BOUND])
def test_THINK_04_a_signature_never_stands_beside_other_words(form: str, model: str) -> None:
    steps: list[Step] = [user("task")]
    for number in range(6):
        steps += thinking_turn(number, {**THOUGHT, "thinking": log(100), "signature": f"s{number}"})
    given = request("anthropic", *steps, says("done"), user("go on"), model=model)
    sent = compact(given, form, budget=13_000)
    assert sent.result.changed
    for message in sent.messages:
        if message["role"] == "assistant" and isinstance(message["content"], list):
            for block in message["content"]:
                assert ("signature" in block) == ("thinking" in block)
                assert block.get("thinking", log(100)) == log(100)


@forms
def test_THINK_10_unknown_fields_of_kept_messages_survive(form: str) -> None:
    steps: list[Step] = [user("task")]
    for number in range(6):
        made, answer = calls((f"c{number}", "a"), thinking="why"), results((f"c{number}", log(100)))
        message = {**request("openai_chat", made)["messages"][0], "x_vendor": {"n": [1, None]}}
        steps += [message, answer]
    given = request("openai_chat", *steps, says("ok"), user("next"))
    sent = compact(given, form, force=True, target=1, protect_results=0)
    assert sent.result.changed
    assert of_assistants(sent.payload) == of_assistants(given)


def address(payload: dict[str, Any], index: int) -> At:
    """The first part of a message, as a pass may name it."""
    return At(Reader(counter_for(None), open_store("memory:"), "default").read(payload).names[index], 0)


def dropping(payload: dict[str, Any], form: str, pins: Sequence[str] = ()) -> Sent:
    """Compacted by a pass that wants to drop the reasoning of every message it sees."""

    def propose(view: View) -> Iterator[Drop]:
        for name in dict.fromkeys(at.message for at in view.open):
            parts = view.message(At(name, 0)).parts
            for number, part in enumerate(parts):
                if isinstance(part, trimtab.Reasoning):
                    yield Drop(At(name, number), "old reasoning")

    return compact(payload, form, force=True, target=1, passes=[scripted(propose)], protect_results=0, pins=pins)


@forms
def test_THINK_11_reasoning_stays_beside_calls_and_may_go_from_plain_words(form: str) -> None:
    thought = {"reasoning_content": "because " * 300}
    made = {**request("openai_chat", calls(("c1", log(60))))["messages"][0], **thought}
    plain = {"role": "assistant", "content": "so it is", **thought}
    steps: list[Step] = [user("task"), plain, user("go on"), made, results(("c1", "ok")), says("ok"), user("next")]
    tail: list[Step] = [calls(("c2", "b")), results(("c2", "ok"))]
    sent = dropping(request("openai_chat", *steps, *tail), form)
    assert sent.messages[1] == {"role": "assistant", "content": "so it is"}
    assert sent.messages[3] == made
    assert dropping(request("openai_chat", *steps, *tail), form, ["because because"]).messages[1] == plain
    assert any("reasoning" in one.text for one in sent.result.report.refused)


@forms
@pytest.mark.parametrize("model", ["claude-sonnet-4-5", BOUND])
def test_THINK_01_no_pass_drops_thinking_of_the_open_exchange(form: str, model: str) -> None:
    long = {**THOUGHT, "thinking": log(60)}
    steps: list[Step] = [user("task"), *thinking_turn(1, long), *thinking_turn(2, long)]
    given = request("anthropic", *steps, model=model)

    def propose(view: View) -> Iterator[Drop]:
        yield Drop(At(newest.message, 0), "as asked")

    newest = address(given, 3)
    sent = compact(given, form, force=True, target=1, passes=[scripted(propose)], protect_results=0)
    assert sent.payload == given
    assert len(sent.result.report.refused) > 0


@wires
@forms
def test_THINK_10_kept_reasoning_is_never_reworded(wire: str, form: str) -> None:
    steps: list[Step] = [user("task")]
    for number in range(8):
        steps += [
            calls((f"c{number}", "a"), thinking=log(40, f"idea {number}")),
            results((f"c{number}", log(60))),
        ]
    given = request(wire, *steps, says("ok"), user("next"))
    sent = compact(given, form, budget=6_000)
    assert broken(sent.payload) == set()
    assert of_assistants(sent.payload) == of_assistants(given)


@forms
def test_THINK_01_a_pinned_thought_stays_and_so_does_all_before_it(form: str) -> None:
    steps: list[Step] = [
        user("task"),
        *thinking_turn(0, THOUGHT),
        *thinking_turn(1, {**THOUGHT, "thinking": "keep me"}),
    ]
    steps += [*thinking_turn(2, THOUGHT), *thinking_turn(3, THOUGHT), says("done"), user("go on")]
    given = request("anthropic", *steps, model=BOUND)
    options: dict[str, Any] = {"force": True, "target": 1, "protect_results": 0}
    assert compact(given, form, **options).messages[3] != given["messages"][3]
    sent = compact(given, form, **options, pins=["keep me"])
    assert sent.result.changed
    assert sent.messages[:4] == given["messages"][:4]
