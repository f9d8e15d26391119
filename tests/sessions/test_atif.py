from __future__ import annotations

import json
from typing import Any

import pytest
from tests.sessions import samples
from tests.sessions.reading import read, stops

from trimtab.errors import WireError
from trimtab.sessions.atif import ATIF
from trimtab.sessions.base import Usage


def test_steps_become_messages() -> None:
    (session,) = read(ATIF, samples.atif())
    asks = {**samples.ASKS, "reasoning_content": "Files."}
    user = {"role": "user", "content": [{"type": "text", "text": "How many?"}]}
    assert list(session.messages) == [samples.SYSTEM, user, asks, samples.RESULT, samples.SAYS]
    assert session.fields == {"model": "m", "tools": samples.TOOLS}
    assert session.name == "s1"
    assert session.partial == ""


def test_calls_carry_time_and_usage_of_a_single_inference() -> None:
    (session,) = read(ATIF, samples.atif())
    assert stops(session) == [2, 4]
    assert session.calls[0].at == 1767225600.0
    assert session.calls[0].usage == Usage(input=20, read=12, output=5)
    assert session.calls[1].usage is None


@pytest.mark.parametrize("version", ["ATIF-v1.6", "ATIF-v1.8"])
def test_versions(version: str) -> None:
    assert read(ATIF, {**samples.atif(), "schema_version": version})


def test_another_version_is_not_ours() -> None:
    assert not ATIF.sniff(json.dumps({**samples.atif(), "schema_version": "ATIF-v2.0"}).encode())


@pytest.mark.parametrize("mark", [{"is_copied_context": True}, {"llm_call_count": 0}])
def test_a_copied_or_fixed_step_was_no_call(mark: dict[str, Any]) -> None:
    value = samples.atif()
    value["steps"][2] |= mark
    (session,) = read(ATIF, value)
    assert len(session.messages) == 5
    assert stops(session) == [4]


def test_results_that_name_no_call_are_paired_in_order() -> None:
    value = samples.atif()
    step = value["steps"][2]
    step["tool_calls"] = [{**step["tool_calls"][0], "tool_call_id": name} for name in ("c1", "c2", "c3")]
    step["observation"] = {"results": [{"content": "one"}, {"content": "two", "source_call_id": "c2"}]}
    (session,) = read(ATIF, value)
    results = [(one["tool_call_id"], one["content"]) for one in session.messages if one["role"] == "tool"]
    assert results == [("c1", "one"), ("c2", "two"), ("c3", "")]


def test_an_observation_without_calls_is_the_users() -> None:
    value = samples.atif()
    del value["steps"][2]["tool_calls"]
    (session,) = read(ATIF, value)
    assert session.messages[3] == {"role": "user", "content": "a\nb"}


def test_media_stand_by_their_path() -> None:
    value = samples.atif()
    image = {"type": "image", "source": {"media_type": "image/png", "path": "images/1.png"}}
    audio = {"type": "audio", "source": {"media_type": "audio/wav", "path": "1.wav"}}
    value["steps"][1]["message"] += [image, audio]
    (session,) = read(ATIF, value)
    assert session.messages[1]["content"][1:] == [
        {"type": "image_url", "image_url": {"url": "images/1.png"}},
        {"type": "text", "text": "[audio: 1.wav]"},
    ]


def test_subagents_are_sessions() -> None:
    value = samples.atif()
    child = {**samples.atif(), "trajectory_id": "child"}
    child["agent"] = {"name": "sub", "version": "1"}
    value["subagent_trajectories"] = [child]
    parent, sub = read(ATIF, value)
    assert (parent.name, sub.name) == ("s1", "child")
    assert sub.calls[0].model == "m"
    assert sub.partial == "tools"


def test_what_has_no_steps_is_refused() -> None:
    with pytest.raises(WireError, match="steps"):
        list(ATIF.read(b'{"schema_version": "ATIF-v1.7"}'))
