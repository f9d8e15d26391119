from __future__ import annotations

import json

import pytest
from tests.sessions import samples
from tests.sessions.reading import read, stops

from trimtab.errors import WireError
from trimtab.sessions.swe_agent import SWE_AGENT


def test_text_actions_stay_text() -> None:
    (session,) = read(SWE_AGENT, samples.swe_agent())
    assert [message["role"] for message in session.messages] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    assert session.messages[2] == {"role": "assistant", "content": "I look.\n```\nls\n```"}
    assert stops(session) == [2, 4]
    assert session.partial == "what history processors cut from requests"


def test_tool_calls_are_paired() -> None:
    (session,) = read(SWE_AGENT, samples.swe_agent(tools=True))
    assert list(session.messages) == samples.CHAT
    assert session.fields == {"model": "m"}
    assert session.partial.startswith("tools, ")


def test_each_agent_has_its_own_history() -> None:
    value = samples.swe_agent()
    value["history"] += [{**samples.USER, "agent": "other"}, {**samples.SAYS, "agent": "other"}]
    main, other = read(SWE_AGENT, value)
    assert (main.name, len(main.messages)) == ("main", 5)
    assert (other.name, stops(other)) == ("other", [1])


def test_each_attempt_is_a_session() -> None:
    attempt = samples.swe_agent()
    config = json.dumps(attempt.pop("replay_config"))
    first, second = read(SWE_AGENT, {"attempts": [attempt, attempt], "info": {}, "replay_config": config})
    assert (first.name, second.name) == ("attempt 1 main", "attempt 2 main")
    assert first.fields == second.fields == {"model": "m"}


def test_demonstrations_were_no_calls() -> None:
    value = samples.swe_agent()
    value["history"][2]["is_demo"] = True
    (session,) = read(SWE_AGENT, value)
    assert stops(session) == [4]


def test_what_has_no_history_is_refused() -> None:
    with pytest.raises(WireError, match="history"):
        list(SWE_AGENT.read(b'{"trajectory": [], "history": null}'))
