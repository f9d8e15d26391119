"""Files of OpenHands: histories of events, and logs of single requests to the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, ClassVar

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.base import Damage, Session
from trimtab.sessions.chains import Exchange, sessions
from trimtab.sessions.keys import top_level
from trimtab.sessions.lines import lines, mapping
from trimtab.sessions.openhands_events import play
from trimtab.sessions.reported import seconds
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, string

_HISTORY = re.compile(rb'"history"\s*:\s*\[\s*\[?\s*\{')
_EVENT = re.compile(rb'"source"\s*:\s*"(?:agent|user|environment)"')
_LIST = re.compile(rb"\s*\[\s*\{")
_HEAD = 1 << 16
_FIELDS = ("tools", "instructions")
_LOG = ("messages", "input")


class OpenHandsEvents:
    """Reads event histories: JSON Lines of evaluation runs, one run, or a bare list of events."""

    name: ClassVar[str] = "openhands-events"

    def sniff(self, data: bytes) -> bool:
        """Events that name a source and an action, under `history` or in a list."""
        found = _HISTORY.search(data)
        start = found.start() if found else 0
        if not found and not _LIST.match(data):
            return False
        head = data[start : start + _HEAD]
        return _EVENT.search(head) is not None and b'"action"' in head and b'"args"' in head

    def read(self, data: bytes) -> Iterator[Session]:
        """A session for each run. Raises WireError when there is none."""
        damage: list[Damage] = []
        runs = [
            (line, events, name) for line, run in _runs(data, damage) for events, name in [_events(run)] if events
        ]
        for number, (line, events, name) in enumerate(runs):
            yield play(_flat(events), self.name, name, line, () if number else damage)
        if not runs:
            told = [f"; line {one.line}: {one.text}" for one in damage[:1]]
            raise WireError("".join(["no OpenHands events", *told]))


def _events(run: JSON) -> tuple[list[JSON], str]:
    """The events of a run and its name; a bare list of events is a run too."""
    if isinstance(run, list):
        return run, ""
    return items(mapping(run).get("history")), string(mapping(run).get("instance_id"))


def _runs(data: bytes, damage: list[Damage]) -> Iterator[tuple[int, Any]]:
    if _LIST.match(data) or top_level(data):
        yield 1, decode(data)
        return
    yield from lines(data, damage)


def _flat(events: list[JSON]) -> Iterator[JSON]:
    """Events; early files hold pairs of action and observation."""
    return chain.from_iterable(one if isinstance(one, list) else (one,) for one in events)


class OpenHandsLog:
    """Reads the log of one request to the model: what LiteLLM was given, and its response."""

    name: ClassVar[str] = "openhands-llm-log"

    def sniff(self, data: bytes) -> bool:
        """An object with messages, a response and the options of the call."""
        if b'"kwargs"' not in data or b'"response"' not in data:
            return False
        keys = top_level(data)
        return {"response", "kwargs"} <= keys and not keys.isdisjoint(_LOG)

    def read(self, data: bytes) -> Iterator[Session]:
        """The conversation as it stood at this request; its earlier answers count as calls. Raises WireError."""
        log = decode(data)
        if not isinstance(log, dict):
            raise WireError("an OpenHands log is an object")
        options, response = mapping(log.get("kwargs")), mapping(log.get("response"))
        body = {key: log[key] for key in _LOG if isinstance(log.get(key), list)}
        body |= {key: given for key in _FIELDS if (given := options.get(key) or log.get(key))}
        if model := string(options.get("model")) or string(response.get("model")):
            body = {"model": model, **body}
        at = seconds(log.get("timestamp"))
        yield from sessions([Exchange(body=body, response=response, at=at)], self.name)


OPENHANDS_EVENTS = OpenHandsEvents()
OPENHANDS_LOG = OpenHandsLog()
