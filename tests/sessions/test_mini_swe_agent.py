from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sessions import samples
from tests.sessions.reading import read, stops

from trimtab.errors import WireError
from trimtab.sessions.base import Usage
from trimtab.sessions.mini_swe_agent import MINI_SWE_AGENT


def test_messages_are_those_that_were_sent() -> None:
    (session,) = read(MINI_SWE_AGENT, samples.mini_swe_agent())
    assert list(session.messages) == samples.CHAT
    assert (session.format, session.name, session.wire) == ("mini-swe-agent", "demo-1", "openai_chat")
    assert session.fields == {"model": "org/m"}
    assert session.partial == "tools"


def test_a_call_before_each_answer_with_what_was_reported() -> None:
    (session,) = read(MINI_SWE_AGENT, samples.mini_swe_agent())
    assert stops(session) == [2, 4]
    assert session.calls[0].usage == Usage(input=20, read=12, output=5)
    assert session.calls[0].at == 1700000001.5
    assert (session.calls[0].model, session.calls[1].model) == ("m", "org/m")


def test_text_actions_need_no_tools() -> None:
    value = samples.mini_swe_agent()
    said = [
        samples.SYSTEM,
        samples.USER,
        {"role": "assistant", "content": "```bash\nls\n```", "timestamp": 1700000000},
    ]
    value["messages"] = [*said, {"role": "user", "content": "a"}]
    (session,) = read(MINI_SWE_AGENT, value)
    assert session.messages[2] == {"role": "assistant", "content": "```bash\nls\n```"}
    assert session.calls[0].at == 1700000000
    assert session.partial == ""


def test_responses_are_laid_out_item_by_item() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": "{}"}
    answer: dict[str, Any] = {"object": "response", "output": [call], "model": "m", "extra": {}}
    answer["usage"] = {"input_tokens": 9, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 4}}
    result = {"type": "function_call_output", "call_id": "c1", "output": "a", "extra": {"raw_output": "a"}}
    value = {**samples.mini_swe_agent(), "messages": [samples.SYSTEM, samples.USER, answer, result]}
    (session,) = read(MINI_SWE_AGENT, value)
    assert session.wire == "openai_responses"
    assert session.messages[2:] == (call, {"type": "function_call_output", "call_id": "c1", "output": "a"})
    assert session.calls[0].usage == Usage(input=9, read=4, output=2)


@pytest.mark.parametrize("value", [{"trajectory_format": "mini-swe-agent-1"}, []])
def test_what_has_no_messages_is_refused(value: Any) -> None:
    with pytest.raises(WireError, match="messages"):
        list(MINI_SWE_AGENT.read(json.dumps(value).encode()))
