"""Reported bugs, as lists of LangChain messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_from_dict,
    messages_to_dict,
)
from tests.cases.transcripts import log

from trimtab import Compactor, validate
from trimtab.compactor import Result
from trimtab.edits import Span, Summarize
from trimtab.identity import span_handle
from trimtab.passes import View
from trimtab.stubs import HANDLE
from trimtab.testing import Scripted, memory_store

TASK = HumanMessage("Find the error.")


def call(call_id: str, **args: Any) -> dict[str, Any]:
    return {"id": call_id, "name": "read", "args": args, "type": "tool_call"}


def answer(call_id: str, content: Any, **fields: Any) -> ToolMessage:
    return ToolMessage(content, tool_call_id=call_id, name="read", **fields)


def exchange(number: int, lines: int = 60) -> list[BaseMessage]:
    made = call(f"c{number}", path=f"{number}.py", text=log(20))
    return [AIMessage("", tool_calls=[made]), answer(made["id"], log(lines, f"part {number}"))]


def history(exchanges: int) -> list[BaseMessage]:
    return [TASK, *(one for number in range(exchanges) for one in exchange(number))]


def compact(payload: Any, budget: int | None = None, protect: int = 1, **options: Any) -> Result:
    """Compacted down to a budget, or as far as it goes; valid as before, and undone to the very same."""
    limits: dict[str, Any] = {"target": 1} if budget is None else {"budget": budget}
    compactor = Compactor(
        model="gpt-4o", store=memory_store(), config={"protect_results": protect}, **limits, **options
    )
    result = compactor.compact(payload, force=budget is None)
    assert result.report.outcome != "failed", result.report
    assert validate(result.payload) == validate(payload)
    back = compactor.undo(result.payload)
    assert back == payload
    assert [type(one) for one in back] == [type(one) for one in payload]
    return result


def noting(first: int, last: int) -> Scripted:
    """A pass that wants a note in the place of the open messages `first` to `last`."""

    def propose(view: View) -> Iterator[Summarize]:
        names = list(dict.fromkeys(at.message for at in view.open))
        span = Span(names[first], names[last])
        yield Summarize(span, f"Files were read: {span_handle(span)}", "as asked")

    return Scripted(propose)


@pytest.mark.parametrize("budget", [1_700, 4_000, 9_000])
def test_PAIR_07_ten_parallel_results_stay_with_their_message(budget: int) -> None:
    made = [call(f"c{n}", path=f"{n}.py") for n in range(10)]
    results = [answer(one["id"], log(90, one["id"])) for one in made]
    payload = [TASK, AIMessage("", tool_calls=made), *results]
    sent = compact(payload, budget).payload
    assert [one["id"] for one in sent[1].tool_calls] == [one.tool_call_id for one in sent[2:]]
    assert len(sent) == 12
    assert compact(payload, budget).report.tokens_after <= budget


def test_PAIR_07_a_cut_inside_the_batch_is_refused() -> None:
    made = [call(f"c{n}", path=f"{n}.py", text=log(20)) for n in range(10)]
    batch = [AIMessage("", tool_calls=made), *(answer(one["id"], log(20, one["id"])) for one in made)]
    payload = [TASK, *batch, *exchange(11), AIMessage("done"), TASK]
    refused = compact(payload, protect=0, passes=[noting(0, 4)])
    assert not refused.changed
    assert any("splits a call from its result" in one.text for one in refused.report.refused)
    assert len(compact(payload, protect=0, passes=[noting(0, 10)]).payload) == 6


def test_PAIR_12_a_note_before_a_call_is_a_human_message() -> None:
    payload = [SystemMessage("Be brief."), *history(6), AIMessage("done"), HumanMessage("Go on.")]
    sent = compact(payload, protect=0, passes=[noting(0, 1)]).payload
    assert [type(one) for one in sent[:4]] == [SystemMessage, HumanMessage, HumanMessage, AIMessage]
    assert "Files were read" in sent[2].content
    assert sent[3] is payload[4]


def test_PAIR_12_a_note_among_envelopes_is_one() -> None:
    given = messages_to_dict([*history(6), AIMessage("done"), TASK])
    sent = compact(given, protect=0, passes=[noting(0, 1)]).payload
    assert [type(one) for one in messages_from_dict(sent[:3])] == [HumanMessage, HumanMessage, AIMessage]


def raw(made: dict[str, Any]) -> dict[str, Any]:
    function = {"name": made["name"], "arguments": json.dumps(made["args"], indent=1)}
    return {"id": made["id"], "type": "function", "function": function}


def held_by(message: Any) -> list[dict[str, Any]]:
    """The arguments of every call, in every place of a message."""
    content = [one for one in message.content if isinstance(one, dict)]
    return [
        *(one["args"] for one in message.tool_calls),
        *(json.loads(one["function"]["arguments"]) for one in message.additional_kwargs.get("tool_calls", ())),
        *(one["input"] for one in content if one["type"] == "tool_use"),
        *(json.loads(one["arguments"]) for one in content if one["type"] == "function_call"),
        *(one["args"] for one in message.content_blocks if one["type"] == "tool_call"),
    ]


def doubled(form: str, made: list[dict[str, Any]]) -> AIMessage:
    match form:
        case "openai":
            return AIMessage("", tool_calls=made, additional_kwargs={"tool_calls": [raw(one) for one in made]})
        case "anthropic":
            blocks = [{"type": "tool_use", "id": m["id"], "name": m["name"], "input": m["args"]} for m in made]
            return AIMessage([{"type": "text", "text": "I list."}, *blocks], tool_calls=made)
    return AIMessage(
        [
            {"type": "function_call", "call_id": m["id"], "name": m["name"], "arguments": json.dumps(m["args"])}
            for m in made
        ],
        tool_calls=made,
        response_metadata={"model_provider": "openai"},
    )


@pytest.mark.parametrize("form", ["openai", "anthropic", "responses"])
def test_PAIR_20_identical_parallel_calls_stay_and_all_places_of_each_change_together(form: str) -> None:
    made = [call(one, path="list.py", text=log(60)) for one in ("A", "B")]
    batch = [doubled(form, made), answer("A", log(60)), answer("B", log(60))]
    payload = [TASK, *batch, *history(3)[1:], AIMessage("done"), TASK]
    sent = compact(payload).payload
    assert [one["id"] for one in sent[1].tool_calls] == ["A", "B"]
    assert [one.tool_call_id for one in sent[2:4]] == ["A", "B"]
    for call_id in ("A", "B"):
        held = held_by(sent[1])
        (shown,) = {json.dumps(one) for one in held if call_handle(sent[1], call_id) in one["text"]}
        assert json.loads(shown).keys() == {"path", "text"}
    assert len(held_by(sent[1])) == len(held_by(payload[1])) >= 4
    assert sent[1].additional_kwargs.keys() == payload[1].additional_kwargs.keys()


def call_handle(message: AIMessage, call_id: str) -> str:
    (handle,) = [HANDLE.findall(one["args"]["text"])[0] for one in message.tool_calls if one["id"] == call_id]
    return str(handle)


IMAGES: dict[str, Any] = {
    "image_url": lambda data: {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
    "bare url": lambda data: {"type": "image_url", "image_url": f"data:image/png;base64,{data}"},
    "standard": lambda data: {"type": "image", "base64": data, "mime_type": "image/png"},
    "before 1.0": lambda data: {"type": "image", "source_type": "base64", "data": data, "mime_type": "image/png"},
}


@pytest.mark.parametrize("where", ["user", "result"])
@pytest.mark.parametrize("form", list(IMAGES))
def test_TOK_01_an_image_costs_the_same_whatever_its_base64_weighs(form: str, where: str) -> None:
    counts = []
    for size in (4_000, 4_000_000):
        image = IMAGES[form]("iVBORw0KGgo" + "A" * size)
        made = AIMessage("", tool_calls=[call("c", path="a.png")])
        payload = [TASK, made, answer("c", [image])] if where == "result" else [HumanMessage(["look", image])]
        counts.append(compact(payload, 10**9).report.tokens_before)
    assert counts[0] == counts[1]
    assert 100 < counts[0] < 2_000


@pytest.mark.parametrize("form", ["openai", "anthropic", "responses"])
def test_CONT_08_arguments_stay_an_object_with_its_keys_wherever_they_stand(form: str) -> None:
    made = [call("w", path="a.md", content="x" * 3_000)]
    sent = compact([TASK, doubled(form, made), answer("w", "ok"), *history(4)[1:]]).payload
    held = held_by(sent[1])
    assert all(one.keys() == {"path", "content"} and one["path"] == "a.md" for one in held)
    assert all(len(one["content"]) < 300 for one in held)
    assert held == [held[0]] * len(held)


def test_CONT_08_arguments_that_are_no_json_stay_as_they_are() -> None:
    broken = {"id": "w", "name": "write", "args": '{"path": "a.md", "content": "' + "x" * 3_000, "error": None}
    said = AIMessage("", invalid_tool_calls=[broken])
    payload = [TASK, said, answer("w", "error: no JSON", status="error"), *history(4)[1:]]
    sent = compact(payload)
    assert sent.changed
    assert sent.payload[1] is said


def test_what_a_checkpoint_adds_keeps_what_was_decided() -> None:
    """The reducer of a graph gives each message an id once it is part of the state."""
    compactor = Compactor(model="gpt-4o", store=memory_store(), target=1, config={"protect_results": 1})
    first = compactor.compact(history(6), force=True)
    state = [one.model_copy(update={"id": f"id-{n}"}) for n, one in enumerate(history(6))]
    again = compactor.compact(state)
    assert again.report.edits == ()
    assert [one.content for one in again.payload] == [one.content for one in first.payload]
    assert [one.id for one in again.payload] == [one.id for one in state]


@pytest.mark.parametrize(
    ("artifact", "goes"), [(None, True), ({"rows": [1, "é"]}, True), (object(), False), ((1, 2), False)]
)
def test_a_message_that_json_cannot_hold_never_gives_way_to_a_note(artifact: Any, goes: bool) -> None:
    payload = [*history(6), AIMessage("done"), TASK]
    payload[2] = answer("c0", log(60), artifact=artifact, response_metadata={"n": 1}, id="r")
    result = compact(payload, protect=0, passes=[noting(0, 1)])
    assert result.changed is goes
    if not goes:
        assert any("cannot be stored" in one.text for one in result.report.refused)


def test_a_failing_artifact_fails_nothing() -> None:
    class Frame:
        def __eq__(self, other: object) -> bool:
            raise ValueError("the truth of a table is ambiguous")

        __hash__ = None  # type: ignore[assignment]

    payload = [*history(6), AIMessage("done"), TASK]
    payload[2] = answer("c0", log(60), artifact=Frame())
    compactor = Compactor(store=memory_store(), passes=[noting(0, 1)], config={"protect_results": 0})
    result = compactor.compact(payload, force=True)
    assert result.report.outcome != "failed"
    assert result.payload is payload


def test_a_class_of_the_users_own_stays() -> None:
    class Remark(ToolMessage):
        priority: int = 0

    payload = [*history(6), TASK]
    payload[2] = Remark(content=log(60), tool_call_id="c0", priority=3)
    sent = compact(payload).payload
    assert type(sent[2]) is Remark
    assert sent[2].priority == 3
    assert sent[2].content != payload[2].content
