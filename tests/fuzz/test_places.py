"""Every value of a request or of a line, one after another, may be of any type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.fuzz.properties import read, session_holds
from tests.fuzz.seeds import BUILDERS, LINES
from tests.sessions.agents import jsonl

import trimtab
from trimtab import sessions
from trimtab.composition import composition
from trimtab.wires.leaves import kind

MOST_BYTES = 10_000
PLAIN: tuple[Any, ...] = (None, 7, "x", [], {}, [[None]])


class Place(NamedTuple):
    """A value by what holds it; `sign` is the same for places that only differ by their positions in lists."""

    holder: Any
    key: Any
    sign: str


def places(value: Any, way: str = "") -> Iterator[Place]:
    """All values inside a value, outer ones first."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in [*steps]:
        sign = f"{way}/{key}" if isinstance(value, dict) else f"{way}/{kind(inner)}"
        yield Place(value, key, sign)
        yield from places(inner, sign)


def changed(value: Any, seen: set[str]) -> Iterator[Any]:
    """The value itself, each time with another value at one place of a sign that was not seen yet."""
    for place in [*places(value)]:
        before = place.holder[place.key]
        if place.sign not in seen:
            seen.add(place.sign)
            for new in PLAIN:
                place.holder[place.key] = new
                yield value
        place.holder[place.key] = before


def used(payload: Any) -> None:
    """Checks and counts a request; any error but the project's own is a failure."""
    for use in (trimtab.validate, composition):
        with suppress(trimtab.WireError):
            use(payload)


@pytest.mark.parametrize("builder", BUILDERS, ids=lambda one: getattr(one, "__module__", "strategies"))
def test_in_a_request(builder: Any) -> None:
    seen: set[str] = set()
    for seed in range(30):
        dice = Random(seed)
        body = builder(dice.getrandbits(32), [(dice.getrandbits(32), [dice.getrandbits(32)])])
        if len(json.dumps(body)) < MOST_BYTES:
            for payload in changed(body, seen):
                used(payload)
    assert len(seen) > 40


@pytest.mark.parametrize("lines", LINES, ids=[reader.name for reader in sessions.READERS[: len(LINES)]])
def test_in_a_line_of_an_agent(lines: list[dict[str, Any]]) -> None:
    reader = sessions.sniff(jsonl(lines))
    for file in changed(json.loads(json.dumps(lines)), set()):
        if all(isinstance(line, dict) for line in file):
            for session in read(reader, jsonl(file)):
                session_holds(session)
