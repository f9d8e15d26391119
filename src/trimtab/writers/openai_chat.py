"""Any server with OpenAI's chat completions: hosted ones, gateways, llama.cpp, vLLM, Ollama."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from time import monotonic
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from trimtab.edits import Ask
from trimtab.errors import ConfigError, WriterError
from trimtab.transcript import JSON
from trimtab.writer import Written
from trimtab.writers.base import REFUSED, reason
from trimtab.writers.openai_chat_reply import failure, read

MOST_BYTES = 16_000_000
"""Bytes read of an answer: no note is that long, and a server may never stop."""

HEADER = re.compile(r"[!-~]*")


class OpenAIChat:
    """A writer by `POST {base_url}/chat/completions`, such as `OpenAIChat("http://127.0.0.1:8080/v1", "qwen")`.

    Sent are the prompt, temperature 0, a limit of tokens and a schema where one was asked for; a field that the
    server refuses gives way (reasoning models take neither a temperature nor `max_tokens`). `HTTPS_PROXY` and the
    like are heeded, redirects are not followed. Raises ConfigError for an address or a key that cannot be one.
    """

    def __init__(self, base_url: str, model: str, api_key: str | None = None) -> None:
        key = (api_key or "").strip()
        if not HEADER.fullmatch(key):
            raise ConfigError("api_key holds characters that no header can")
        self._host, self._url = _host(base_url), f"{base_url.rstrip('/')}/chat/completions"
        self._model, self._opener = model, build_opener(_Stay)
        self._headers = {"Content-Type": "application/json", "User-Agent": "trimtab"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def __call__(self, ask: Ask) -> Written:
        """The text of the answer. Raises WriterError."""
        body, until = self._body(ask), monotonic() + ask.seconds
        while True:
            status, data = self._post(body, until)
            if status == 200:
                return read(self._host, data)
            error = failure(data)
            if status not in REFUSED or not _gives_way(body, error.param):
                raise WriterError(reason(self._host, status, error.word))

    def _body(self, ask: Ask) -> dict[str, JSON]:
        messages = [{"role": "system", "content": ask.system}] if ask.system else []
        body: dict[str, JSON] = {
            "model": self._model,
            "messages": [*messages, {"role": "user", "content": ask.prompt}],
            "temperature": 0,
            "max_tokens": ask.most,
        }
        if ask.schema is not None:
            held = {"name": "note", "strict": True, "schema": ask.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": held}
        return body

    def _post(self, body: dict[str, JSON], until: float) -> tuple[int, bytes]:
        """The status and what was answered. Of what goes wrong only the kind is told: the rest may be the key."""
        request = Request(self._url, msgspec.json.encode(body), self._headers)  # noqa: S310 the scheme is checked
        try:
            with self._opener.open(request, timeout=max(until - monotonic(), 0.001)) as response:
                return response.status, b"".join(_chunks(response, until))
        except HTTPError as error:
            with error, suppress(OSError, HTTPException):
                return error.code, b"".join(_chunks(error, until))
            return error.code, b""
        except (OSError, HTTPException, ValueError) as error:
            cause = getattr(error, "reason", error)
            raise WriterError(reason(self._host, None, type(cause).__name__)) from None


class _Stay(HTTPRedirectHandler):
    """A redirect would take the key to another host."""

    def redirect_request(self, *args: Any) -> None:
        """None: the redirect is the answer."""


def _host(base_url: str) -> str:
    """Host and port of an address."""
    with suppress(ValueError):
        parts = urlsplit(base_url)
        is_plain = parts.username is None and not parts.query and not parts.fragment
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and is_plain:
            return parts.netloc
    raise ConfigError("base_url is not of the form http://HOST/PATH or https://HOST/PATH")


def _chunks(response: Any, until: float) -> Iterator[bytes]:
    size = 0
    while data := response.read1(65_536):
        yield data
        size += len(data)
        if size > MOST_BYTES or monotonic() > until:
            raise TimeoutError


def _gives_way(body: dict[str, JSON], name: object) -> bool:
    """Take out what was refused: a field by its name, else the schema. False when there is nothing to take out."""
    if name == "max_tokens" and name in body:
        body["max_completion_tokens"] = body.pop("max_tokens")
        return True
    return body.pop("temperature" if name == "temperature" else "response_format", None) is not None
