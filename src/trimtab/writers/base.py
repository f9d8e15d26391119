"""The shape of a writer: one question over a network, and either what the model said or why it said nothing.

A writer sends the prompt, the system prompt, a limit of tokens and a schema, never tools. It reads the text of the
answer alone: what the model thought is no note. Its errors are one line that names the host and the status, never
the key or what was sent.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec

from trimtab.edits import Ask
from trimtab.errors import WriterError
from trimtab.writer import Written

REFUSED = frozenset({400, 422})
"""HTTP statuses of a server that does not want a field: most say 400, those that check by a model of it 422."""

CODE = re.compile(r"[\w.-]{1,60}")


def asked(send: Callable[[Ask], Any], read: Callable[[Any], Written], ask: Ask) -> Written | Awaitable[Written]:
    """What `read` makes of what a client of an SDK answers, now or later. A schema that is refused is left out."""
    try:
        found = send(ask)
    except Exception as error:
        plainer = _plainer(ask, error)
    else:
        return _awaited(found, send, read, ask) if inspect.isawaitable(found) else _made(read, found)
    return asked(send, read, plainer)


async def _awaited(
    coming: Awaitable[Any], send: Callable[[Ask], Any], read: Callable[[Any], Written], ask: Ask
) -> Written:
    try:
        found = await coming
    except Exception as error:
        plainer = _plainer(ask, error)
    else:
        return _made(read, found)
    again = asked(send, read, plainer)
    return await again if inspect.isawaitable(again) else again


def _made(read: Callable[[Any], Written], found: Any) -> Written:
    try:
        return read(found)
    except (AttributeError, TypeError, ValueError) as error:  # the SDKs check little of what they are answered
        raise WriterError(f"the provider's answer cannot be read: {error}") from None


def _plainer(ask: Ask, error: Exception) -> Ask:
    """The question without its schema, where that may be what was refused."""
    if ask.schema is not None and _status(error) in REFUSED:
        return msgspec.structs.replace(ask, schema=None)
    raise WriterError(reason(_host(error), _status(error), _code(error) or type(error).__name__)) from None


def reason(host: str, status: int | None, code: object = "") -> str:
    """Why there is no answer: `api.example.com answered 429 (rate_limit)`; a code is one word or left out."""
    told = f" ({code})" if isinstance(code, str) and CODE.fullmatch(code) else ""
    return f"{host} answered {status}{told}" if status else f"{host} gave no answer{told}"


def said(written: Written, others: object) -> Written:
    """The answer, if it says anything; `others` names what came in the place of text. Raises WriterError."""
    if written.text.strip():
        return written
    limit = "" if written.whole else ", and its limit of tokens ended it"
    raise WriterError(f"the model gave no text, only {others or 'nothing'}{limit}")


def refused(why: object) -> WriterError:
    """The error of a model that declined to answer or was kept from it."""
    return WriterError(f"the model gave no answer: {getattr(why, 'name', why)}")


def tokens(*counts: object) -> int:
    """The sum of what usage reports; what is missing or no count is 0."""
    return sum(count for count in counts if isinstance(count, int) and count > 0)


def _status(error: Exception) -> int | None:
    """The HTTP status, as the SDKs name it."""
    found = getattr(error, "status_code", None) or getattr(error, "code", None)
    return found if isinstance(found, int) else None


def _code(error: Exception) -> object:
    """The provider's word for what went wrong, as the SDKs name it."""
    return getattr(error, "type", None) or getattr(error, "status", None)


def _host(error: Exception) -> str:
    """Who was asked: the SDKs keep the request with the error or with its response."""
    for one in (error, getattr(error, "response", None)):
        with suppress(Exception):
            url: Any = one.request.url  # type: ignore[union-attr]
            return f"{url.host}:{url.port}" if url.port else str(url.host)
    return "the provider"
