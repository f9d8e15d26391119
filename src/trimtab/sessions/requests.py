"""Requests as they were sent, kept as JSON or JSON Lines, also by logs that wrap each with its response."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from trimtab import wires
from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.base import Damage, Session
from trimtab.sessions.chains import Exchange, request, sessions
from trimtab.sessions.lines import head, lines, mapping
from trimtab.sessions.reported import seconds
from trimtab.transcript import JSON

_REQUEST = ("request", "request_params", "request_body", "body", "payload")
_RESPONSE = ("response", "response_body")
_TIME = ("timestamp", "time", "created_at", "created")
_PLACES = {"openai_responses": "input", "gemini": "contents"}
"""Where requests keep their messages, unless under `messages`."""

_BESIDE = frozenset({*_RESPONSE, "timestamp"})
"""What a log adds to a request without wrapping it."""


class Requests:
    """Reads requests of every wire. Anything else that holds messages should be asked first."""

    name: ClassVar[str] = "requests"

    def sniff(self, data: bytes) -> bool:
        """A request, bare or wrapped: the whole document, the first of a list, or among the first lines."""
        try:
            return any(map(_is_request, [*_document(data)[:1], *head(data)]))
        except WireError:
            return any(map(_is_request, head(data)))

    def read(self, data: bytes) -> Iterator[Session]:
        """A session for each conversation. Raises WireError when there are requests and none can be read."""
        damage: list[Damage] = []
        try:
            found = [(1, value) for value in _document(data)]
        except WireError:
            found = [(line.number, line.value) for line in lines(data, damage)]
        yield from sessions(_exchanges(found, damage), self.name, damage=damage)


def _document(data: bytes) -> list[JSON]:
    """The requests of a JSON document: itself, its items, or the request whose messages it lists."""
    value = decode(data)
    if not isinstance(value, list):
        return [value]
    if value and isinstance(value[0], dict) and not _is_request(value[0]):
        return [_listed(value)]
    return value


def _listed(messages: list[JSON]) -> JSON:
    """A bare list of messages as a request of the wire it shows; what is no list of messages raises WireError."""
    return {_PLACES.get(wires.sniff({}, messages).name, "messages"): messages}


def _exchanges(found: list[tuple[int, JSON]], damage: list[Damage]) -> Iterator[Exchange]:
    """Each request with its response, which stands beside it or in the entry after it."""
    waiting: Exchange | None = None
    for line, value in found:
        entry = mapping(value)
        body = _body(entry)
        response = next((_opened(entry[key]) for key in _RESPONSE if key in entry), None)
        if body is None and response is not None and waiting is not None:
            yield Exchange(body=waiting.body, response=response, at=waiting.at, line=waiting.line)
            waiting = None
            continue
        if waiting is not None:
            yield waiting
            waiting = None
        if body is None:
            damage.append(Damage(line, "neither a request nor a response"))
            continue
        at = next(filter(None, (seconds(entry.get(key)) for key in _TIME)), None)
        waiting = Exchange(body=body, response=response, at=at, line=line)
    if waiting is not None:
        yield waiting


def _body(entry: dict[str, Any]) -> dict[str, JSON] | None:
    """The request in an entry of a log, or the entry itself if it is one."""
    for key in _REQUEST:
        inner = _opened(entry.get(key))
        if isinstance(inner, dict):
            return _body(inner) or inner
    bare = {key: value for key, value in entry.items() if key not in _BESIDE}
    return bare if _readable(bare) else None


def _opened(value: JSON) -> JSON:
    """A value, or what its text says when it was logged as text."""
    if isinstance(value, str):
        try:
            return decode(value.encode())
        except (WireError, UnicodeEncodeError):
            return None
    return value


def _is_request(value: JSON) -> bool:
    body = _body(mapping(value))
    return body is not None and _readable(body)


def _readable(body: dict[str, JSON]) -> bool:
    try:
        request(body)
    except WireError:
        return False
    return True


REQUESTS = Requests()
