from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sessions import samples
from tests.sessions.reading import read, stops

from trimtab.errors import WireError
from trimtab.sessions.base import Reader, Usage
from trimtab.sessions.tau import TAU2_BENCH, TAU_BENCH


def test_a_run_of_tau_bench() -> None:
    (session,) = read(TAU_BENCH, samples.tau_bench())
    assert list(session.messages) == samples.CHAT
    assert stops(session) == [2, 4]
    assert session.name == "task 7, trial 2"


def test_nulls_of_the_client_are_left_out() -> None:
    runs = samples.tau_bench()
    runs[0]["traj"] = [*samples.CHAT[:4], {**samples.SAYS, "tool_calls": [], "audio": None}]
    (session,) = read(TAU_BENCH, runs)
    assert session.messages[4] == samples.SAYS


def test_only_what_the_agent_saw() -> None:
    (session,) = read(TAU2_BENCH, samples.tau2_bench())
    texts = [message["content"] for message in session.messages]
    assert texts == [
        "Be kind.",
        "Hi! How can I help?",
        "My phone is dead.",
        None,
        "found a1",
        "found a2",
        "Restart it.",
        "Done.",
        "Good.",
    ]
    assert [one["id"] for one in session.messages[3]["tool_calls"]] == ["a1", "a2"]


def test_the_greeting_was_no_call() -> None:
    (session,) = read(TAU2_BENCH, samples.tau2_bench())
    assert stops(session) == [3, 6, 8]
    assert session.calls[0].usage == Usage(input=30, output=4)
    assert session.calls[0].at == 1748772000.0
    assert session.calls[0].model == "m"


def test_a_policy_of_the_run_goes_first() -> None:
    value = samples.tau2_bench()
    value["simulations"][0]["policy"] = "Be brief."
    (session,) = read(TAU2_BENCH, value)
    assert session.messages[0] == {"role": "system", "content": "Be brief."}


def test_without_a_policy_it_is_said() -> None:
    value = samples.tau2_bench()
    del value["info"]
    (session,) = read(TAU2_BENCH, value)
    assert session.messages[0]["content"] == "Hi! How can I help?"
    assert session.partial == "tools, system prompt"


@pytest.mark.parametrize(
    ("reader", "value"),
    [
        (TAU_BENCH, [{"traj": 1}]),
        (TAU_BENCH, {}),
        (TAU2_BENCH, {"simulations": [{"messages": 1}]}),
        (TAU2_BENCH, []),
    ],
)
def test_what_has_no_messages_is_refused(reader: Reader, value: Any) -> None:
    with pytest.raises(WireError):
        list(reader.read(json.dumps(value).encode()))


def test_a_greeting_after_the_system_prompt_was_no_call() -> None:
    value = samples.tau2_bench()
    value["simulations"][0]["messages"].insert(0, {"role": "system", "content": "Rules."})
    (session,) = read(TAU2_BENCH, value)
    assert session.messages[0]["content"] == "Rules."
    assert stops(session) == [3, 6, 8]
