"""Recordings of raw API calls (cassettes of VCR in YAML or JSON): each request that went to a model."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator
from typing import Any, ClassVar

from trimtab.errors import ConfigError, WireError
from trimtab.jsonbytes import decode, encode
from trimtab.sessions.base import Session
from trimtab.sessions.chains import Exchange, sessions
from trimtab.sessions.keys import top_level
from trimtab.sessions.lines import mapping
from trimtab.sessions.reported import seconds
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, string

_KEYS = ("interactions", "http_interactions")
_HEAD = 1 << 16
_YAML = re.compile(rb"^(?:http_)?interactions:[ \t]*\r?$", re.MULTILINE)
_MODEL = re.compile(r"/models?/([^/:?]+)")
_SIDE_CALLS = ("/count_tokens", ":countTokens", "/count-tokens", "/input_tokens")
"""Endpoints that take a request and only count it."""

_MOST_BYTES = 1 << 26
"""How large a compressed body may become: 64 MB."""


class Cassettes:
    """Reads recordings; YAML needs PyYAML, the extra `yaml`."""

    name: ClassVar[str] = "cassettes"

    def sniff(self, data: bytes) -> bool:
        """Recorded interactions with their requests."""
        head = data[:_HEAD]
        if head.lstrip()[:1] == b"{":
            return b'"interactions"' in data and not top_level(data).isdisjoint(_KEYS)
        return _YAML.search(head) is not None and b"request:" in head

    def read(self, data: bytes) -> Iterator[Session]:
        """A session for each conversation. Raises WireError, and ConfigError without the extra."""
        document = decode(data) if data.lstrip()[:1] == b"{" else _yaml(data)
        recorded = next((items(mapping(document).get(key)) for key in _KEYS if key in mapping(document)), None)
        if recorded is None:
            raise WireError("a cassette without interactions")
        yield from sessions(filter(None, map(_exchange, recorded)), self.name)


def _yaml(data: bytes) -> JSON:
    try:
        import yaml
    except ImportError as error:
        raise ConfigError("reading YAML recordings needs PyYAML: pip install 'trimtab[yaml]'") from error
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        document = yaml.load(data, loader)  # noqa: S506 - both loaders are safe ones
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError) as error:
        raise WireError(f"not valid YAML: {str(error)[:200]}") from error
    _bounded(document, len(data))
    return document


def _bounded(document: JSON, most: int) -> None:
    """Raises WireError when references make the document more values than it has bytes (or endless)."""
    todo = [document]
    while todo:
        value = todo.pop()
        most -= 1
        if most < 0:
            raise WireError("the YAML repeats itself by reference without measure")
        if isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, list | tuple | set):
            todo += value


def _exchange(interaction: JSON) -> Exchange | None:
    """The interaction if it is a request with a JSON body."""
    sent, got = mapping(mapping(interaction).get("request")), mapping(mapping(interaction).get("response"))
    address = string(sent.get("uri") or sent.get("url"))
    body = _body(sent)
    if not isinstance(body, dict) or address.split("?")[0].endswith(_SIDE_CALLS):
        return None
    named = _MODEL.search(address)
    at = seconds(mapping(interaction).get("recorded_at"))
    return Exchange(body=body, response=_body(got), at=at, model=named[1] if named else None)


def _body(part: dict[str, Any]) -> JSON:
    """A recorded body as JSON, None if it is none: parsed, text, base64, compressed, or a stream's last word."""
    if part.get("parsed_body") is not None:
        try:
            return decode(encode(part["parsed_body"]))
        except WireError:
            return None
    text = _bytes(part.get("body"))
    try:
        return decode(text) if text else None
    except WireError:
        return _streamed(text)


def _bytes(body: JSON) -> bytes:
    if isinstance(body, dict):
        body = body.get("string") or _base64(string(body.get("base64_string")))
    raw = body.encode(errors="replace") if isinstance(body, str) else body if isinstance(body, bytes) else b""
    if raw[:2] != b"\x1f\x8b":
        return raw
    try:
        return zlib.decompressobj(wbits=31).decompress(raw, _MOST_BYTES)
    except zlib.error:
        return b""


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""


def _streamed(text: bytes) -> JSON:
    """The response that the events of a stream end with, or the event that reports what was used."""
    for line in reversed(text.splitlines()):
        data = line.removeprefix(b"data:").strip()
        if line.startswith(b"data:") and b"sage" in data:
            try:
                event = mapping(decode(data))
            except WireError:
                continue
            return event["response"] if isinstance(event.get("response"), dict) else event
    return None


CASSETTES = Cassettes()
