"""What a server with OpenAI's chat completions answers, as far as a note needs it."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from trimtab.errors import WriterError
from trimtab.writer import Written
from trimtab.writers.base import refused, said, tokens


class _Message(Struct):
    content: Any = None
    refusal: Any = None
    tool_calls: Any = None
    reasoning_content: Any = None
    reasoning: Any = None


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: Any = None
    completion_tokens: Any = None


class _Reply(Struct):
    choices: list[_Choice] = []
    model: str | None = None
    usage: _Usage | None = None


class Failure(Struct):
    """What an error says of itself: its kind, and the field that it is about."""

    type: Any = None
    code: Any = None
    param: Any = None

    @property
    def word(self) -> object:
        """The server's word for what went wrong; as code some give the number of the status."""
        return self.code if isinstance(self.code, str) else self.type


class _Failed(Struct):
    error: Failure


def failure(data: bytes) -> Failure:
    """The error in an answer, empty where there is none that can be read."""
    try:
        return msgspec.json.decode(data, type=_Failed).error
    except ValueError:
        return Failure()


def read(host: str, data: bytes) -> Written:
    """The text of the first choice. Raises WriterError."""
    try:
        reply = msgspec.json.decode(data, type=_Reply)
    except ValueError:
        raise WriterError(f"{host} did not answer with a chat completion") from None
    if not reply.choices:
        raise WriterError(f"{host} answered without a choice")
    message, why, usage = reply.choices[0].message, reply.choices[0].finish_reason, reply.usage or _Usage()
    if message.refusal or why == "content_filter":
        raise refused("refusal" if message.refusal else why)
    written = Written(
        text=_text(message.content),
        whole=why != "length",
        model=reply.model or "",
        tokens_in=tokens(usage.prompt_tokens),
        tokens_out=tokens(usage.completion_tokens),
    )
    thought = "thinking" if message.reasoning_content or message.reasoning else ""
    return said(written, "tool_calls" if message.tool_calls else thought)


def _text(content: object) -> str:
    """The text of a message, which some servers give as a list of parts."""
    if isinstance(content, list):
        return "".join(_text(one.get("text")) for one in content if isinstance(one, dict))
    return content if isinstance(content, str) else ""
