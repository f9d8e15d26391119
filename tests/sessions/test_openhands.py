from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sessions import samples
from tests.sessions.reading import read, stops

from trimtab.errors import WireError
from trimtab.sessions.base import Usage
from trimtab.sessions.openhands import OPENHANDS_EVENTS, OPENHANDS_LOG

FINISHED = {**samples.SAYS, "tool_calls": [{**samples.CALLS[0], "id": "c2"}]}


def contents(value: Any) -> list[Any]:
    (session,) = read(OPENHANDS_EVENTS, value)
    return [message["content"] for message in session.messages]


def test_events_become_the_messages_of_the_model() -> None:
    (session,) = read(OPENHANDS_EVENTS, samples.openhands_events())
    assert list(session.messages[:4]) == [*samples.CHAT[:3], {**samples.RESULT, "name": "bash"}]
    assert session.messages[4] == {"role": "user", "content": "No such option."}
    assert session.messages[5]["content"] == "Two."
    assert session.fields == {"tools": samples.TOOLS}
    assert stops(session) == [2, 5]
    assert session.calls[0].usage == Usage(input=20, read=12, output=5)
    assert session.calls[0].at == 1700000000
    assert session.damage == ()


def test_an_answer_without_results_is_left_out_and_told() -> None:
    (session,) = read(OPENHANDS_EVENTS, samples.openhands_events(answered=False))
    assert [message["content"] for message in session.messages][2:] == ["No such option.", "Two."]
    assert "c1" in session.damage[0].text


def test_a_message_amid_parallel_calls_waits_for_no_one() -> None:
    events = samples.openhands_events()
    more = [*samples.CALLS, {**samples.CALLS[0], "id": "c9"}]
    for event in events[3:5]:
        event["tool_call_metadata"]["model_response"] = samples.response({**samples.ASKS, "tool_calls": more})
    other = {**events[4], "id": 7, "content": "c", "tool_call_metadata": {"tool_call_id": "c9"}}
    said = {**events[1], "id": 8, "args": {"content": "Hurry."}}
    assert contents([*events[:5], said, other])[1:] == ["How many?", "Hurry.", "I look.", "a\nb", "c"]


def test_actions_without_a_recorded_answer_are_text() -> None:
    events = samples.openhands_events()
    old = {**events[3], "args": {"command": "ls", "thought": "I look."}}
    seen = {**events[4]}
    del old["tool_call_metadata"], seen["tool_call_metadata"]
    (session,) = read(OPENHANDS_EVENTS, [events[1], old, seen])
    assert [message["content"] for message in session.messages] == ["How many?", "I look.\nls", "a\nb"]
    assert stops(session) == [1]


def test_images_of_the_user() -> None:
    events = samples.openhands_events()
    events[1]["args"]["image_urls"] = ["https://example.com/a.png"]
    (session,) = read(OPENHANDS_EVENTS, events)
    assert session.messages[1]["content"][1]["type"] == "image_url"


@pytest.mark.parametrize(
    "forgotten",
    [{"forgotten_event_ids": [3, 4]}, {"forgotten_events_start_id": 3, "forgotten_events_end_id": 4}],
)
def test_a_condensation_starts_anew(forgotten: dict[str, Any]) -> None:
    events = samples.openhands_events()
    args = {**forgotten, "summary": "Files were listed.", "summary_offset": 2}
    condensed = {"id": 9, "source": "agent", "action": "condensation", "args": args}
    (session,) = read(OPENHANDS_EVENTS, [*events[:6], condensed, events[6]])
    assert session.compactions == (5,)
    sent = [message["content"] for message in session.request(session.calls[-1])["messages"]]
    assert sent == ["You count files.", "How many?", "Files were listed.", "No such option."]


def test_condensations_without_measure_do_not_grow() -> None:
    args = {"forgotten_event_ids": [0], "summary": "again"}
    condensed = {"id": 0, "source": "agent", "action": "condensation", "args": args}
    said = {"source": "user", "action": "message", "args": {"content": "x"}}
    events: list[Any] = [said | {"id": 1} for _ in range(300)]
    for _ in range(400):
        events += [said | {"id": 0}, condensed]
    (session,) = read(OPENHANDS_EVENTS, events)
    assert len(session.messages) <= 100 * (len(events) + 1)
    assert "too many" in session.damage[0].text


def test_runs_of_an_evaluation_stand_in_lines() -> None:
    runs: list[Any] = [{"instance_id": name, "history": samples.openhands_events()} for name in ("one", "two")]
    data = samples.json_lines([runs[0]]) + b'{"broken"\n' + samples.json_lines([runs[1]])
    first, second = read(OPENHANDS_EVENTS, data + b'{"instance_id": "thr')
    assert (first.name, second.name) == ("one", "two")
    assert [one.line for one in (*first.damage, *second.damage)] == [2]


def test_pairs_of_action_and_observation() -> None:
    events = samples.openhands_events()
    assert contents({"history": [events[:2], events[3:5]]}) == contents(events[:2] + events[3:5])


def test_the_log_of_one_request() -> None:
    (session,) = read(OPENHANDS_LOG, samples.openhands_log())
    assert list(session.messages) == samples.CHAT
    assert session.fields == {"model": "m", "tools": samples.TOOLS}
    assert stops(session) == [2, 4]
    assert session.calls[0].usage is None
    assert session.calls[1].usage == Usage(input=20, read=12, output=5)
    assert session.calls[1].at == 1700000002.5
    assert session.partial == ""


@pytest.mark.parametrize("value", [[], {}, {"history": []}, {"history": 3}])
def test_what_holds_no_events_is_refused(value: Any) -> None:
    with pytest.raises(WireError):
        list(OPENHANDS_EVENTS.read(json.dumps(value).encode()))
