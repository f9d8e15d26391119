"""Every value of a request or of a line, one after another, may be of any type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from tests.fuzz.properties import read, session_holds
from tests.fuzz.seeds import BUILDERS, LINES
from tests.sessions.agents import jsonl

import trimtab
from trimtab import sessions
from trimtab.composition import composition

PLAIN: tuple[Any, ...] = (None, True, 7, "x", "", [], {}, [[None]], [{}], {"a": {"b": []}})
MOST_PLACES = 400


def changed(value: Any) -> Iterator[Any]:
    """The value itself, each time with another value somewhere in it; it is as it was between times."""
    for holder, key in places(value):
        before = holder[key]
        for new in PLAIN:
            holder[key] = new
            yield value
        holder[key] = before


def places(value: Any) -> list[tuple[Any, Any]]:
    """What holds each value inside, and under which key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    own = [(value, key) for key in keys]
    return own + [inner for holder, key in own for inner in places(holder[key])]


def used(payload: Any) -> None:
    """Checks and counts a request; any error but the project's own is a failure."""
    for use in (trimtab.validate, composition):
        with suppress(trimtab.WireError):
            use(payload)


@pytest.mark.parametrize("builder", BUILDERS, ids=lambda one: getattr(one, "__module__", "strategies"))
def test_in_a_request(builder: Any) -> None:
    seen = 0
    for seed in range(40):
        dice = Random(seed)
        body = builder(dice.getrandbits(32), [(dice.getrandbits(32), [dice.getrandbits(32)])])
        if len(json.dumps(body)) < 6000:
            seen += 1
            for payload in changed(body):
                used(payload)
    assert seen > 3


@pytest.mark.parametrize("lines", LINES, ids=[reader.name for reader in sessions.READERS[:5]])
def test_in_a_line_of_an_agent(lines: list[dict[str, Any]]) -> None:
    reader = sessions.sniff(jsonl(lines))
    for file in changed(json.loads(json.dumps(lines))):
        if all(isinstance(line, dict) for line in file):
            for session in read(reader, jsonl(file)):
                session_holds(session)
