"""Files that were damaged: readers refuse them with the project's errors, or read what is left."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings, strategies as st
from tests.sessions import samples

from trimtab.errors import ConfigError, WireError
from trimtab.jsonbytes import encode
from trimtab.sessions.atif import ATIF
from trimtab.sessions.base import Reader
from trimtab.sessions.cassettes import CASSETTES
from trimtab.sessions.mini_swe_agent import MINI_SWE_AGENT
from trimtab.sessions.openhands import OPENHANDS_EVENTS, OPENHANDS_LOG
from trimtab.sessions.requests import REQUESTS
from trimtab.sessions.swe_agent import SWE_AGENT
from trimtab.sessions.tau import TAU2_BENCH, TAU_BENCH

FILES: list[tuple[Reader, Any]] = [
    (MINI_SWE_AGENT, samples.mini_swe_agent()),
    (SWE_AGENT, samples.swe_agent(tools=True)),
    (SWE_AGENT, {"attempts": [samples.swe_agent()], "info": {}}),
    (TAU_BENCH, samples.tau_bench()),
    (TAU2_BENCH, samples.tau2_bench()),
    (OPENHANDS_EVENTS, samples.openhands_events()),
    (OPENHANDS_EVENTS, {"history": samples.openhands_events(answered=False)}),
    (OPENHANDS_LOG, samples.openhands_log()),
    (ATIF, {**samples.atif(), "subagent_trajectories": [samples.atif()]}),
    (REQUESTS, samples.requests()),
    (REQUESTS, samples.CHAT),
    (REQUESTS, {"request": samples.requests()[1], "response": samples.response(samples.SAYS)}),
    (CASSETTES, samples.cassette()),
]
IDS = [f"{reader.name}-{n}" for n, (reader, _) in enumerate(FILES)]
PLAIN: tuple[Any, ...] = (None, "x", 7, [], {}, [[None]], {"a": {"b": []}})
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, -1, 1e300, "", "x", "\ud800", [], {}, [[]], [None], {"": {}}, {"role": 1}, [{"type": "text"}]]
)


def play(reader: Reader, data: bytes) -> None:
    """Reads and uses a file; any error but the project's own is a failure."""
    reader.sniff(data)
    try:
        for session in reader.read(data):
            encode([session.request(call) for call in session.calls])
    except (WireError, ConfigError):
        pass


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        found += places(inner, (*path, step))
    return found


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    step, *rest = path
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[step] = changed(value[step], tuple(rest), new) if rest else new
    return copy


@pytest.mark.parametrize(("reader", "value"), FILES, ids=IDS)
def test_every_place_may_hold_anything(reader: Reader, value: Any) -> None:
    for path in places(value):
        for new in PLAIN:
            play(reader, json.dumps(changed(value, path, new)).encode())


@pytest.mark.parametrize(("reader", "value"), FILES, ids=IDS)
@settings(max_examples=25)
@given(st.data())
def test_several_places_may_hold_anything(reader: Reader, value: Any, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        value = changed(value, data.draw(st.sampled_from(places(value))), data.draw(ODD))
    play(reader, json.dumps(value).encode())


@pytest.mark.parametrize(("reader", "value"), FILES, ids=IDS)
def test_a_file_may_end_anywhere(reader: Reader, value: Any) -> None:
    whole = json.dumps(value).encode()
    for stop in range(0, len(whole), 7):
        play(reader, whole[:stop])


@settings(max_examples=150)
@given(st.data())
def test_bytes_of_yaml_may_change(data: st.DataObject) -> None:
    whole = bytearray(yaml.safe_dump(samples.cassette()).encode())
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(
            st.sampled_from(list(b"\x00\xff:-&*!\n {}[]'\"0"))
        )
    play(CASSETTES, bytes(whole))


@settings(max_examples=150)
@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    for reader, _ in FILES:
        play(reader, data)


@pytest.mark.parametrize(("reader", "value"), FILES, ids=IDS)
def test_deep_nesting_anywhere(reader: Reader, value: Any) -> None:
    for path in places(value)[::7]:
        text = json.dumps(changed(value, path, "@@")).encode()
        for depth in (300, 900, 980, 5000):
            play(reader, text.replace(b'"@@"', b"[" * depth + b"]" * depth))
