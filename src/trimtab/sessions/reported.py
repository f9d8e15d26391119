"""What session files report beside the messages: tokens, times, and the answer inside a provider's response."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from trimtab.sessions.base import Usage
from trimtab.sessions.lines import mapping
from trimtab.transcript import JSON
from trimtab.wires.leaves import count, items, string

_TOKENS = (
    ("prompt_tokens", "completion_tokens"),
    ("promptTokenCount", "candidatesTokenCount"),
    ("inputTokens", "outputTokens"),
    ("input_tokens", "output_tokens"),
)
"""What was sent and what was answered, as OpenAI Chat, Gemini, Bedrock, and Responses or Anthropic name it."""

_DETAILS = ("prompt_tokens_details", "input_tokens_details")
_READ = (
    "cached_tokens",
    "cache_read_input_tokens",
    "cachedContentTokenCount",
    "cacheReadInputTokens",
    "cache_read_tokens",
    "prompt_cache_hit_tokens",
)
_WRITTEN = (
    "cache_creation_input_tokens",
    "cacheWriteInputTokens",
    "cache_write_tokens",
    "cache_creation_tokens",
)

_MOST_SECONDS, _MOST_MILLISECONDS = 1e11, 1e14
"""Larger numbers of seconds lie beyond the year 5000: they are milliseconds, or nothing."""


def usage(value: JSON) -> Usage | None:
    """The tokens of a provider's usage object, None if it names none.

    What Anthropic and Bedrock report as sent leaves out what the cache gave or took; it is added here.
    """
    if not isinstance(value, dict):
        return None
    for sent, answered in _TOKENS:
        total = count(value.get(sent))
        if total is None:
            continue
        flat: dict[str, Any] = {}
        for name in _DETAILS:
            flat |= mapping(value.get(name))
        flat |= value
        read, written = _first(flat, _READ), _first(flat, _WRITTEN)
        apart = sent == "inputTokens" or (sent == "input_tokens" and "input_tokens_details" not in value)
        thought = _first(value, ("thoughtsTokenCount",))
        output = _first(value, (answered,)) + thought
        return Usage(
            input=max(0, total) + (read + written if apart else 0), read=read, written=written, output=output
        )
    return None


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> int:
    return next((found for name in names if (found := count(value.get(name))) is not None and found > 0), 0)


def seconds(value: JSON) -> float | None:
    """A time as seconds since 1970, from a number of them or of milliseconds, or from ISO 8601 text.

    Text that names no zone counts as UTC.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return None if not 0 < value < _MOST_MILLISECONDS else value / (1 if value < _MOST_SECONDS else 1000)
    try:
        moment = datetime.fromisoformat(string(value))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def answer(wire: str, response: JSON) -> list[JSON]:
    """The messages that a recorded response adds to the conversation; none from what holds no answer."""
    match wire, response:
        case "openai_chat", {"choices": [{"message": {"role": "assistant"} as message}, *_]}:
            return [without_nulls(message)]
        case "anthropic", {"role": "assistant", "content": [_, *_] as content}:
            return [{"role": "assistant", "content": content}]
        case "gemini", {"candidates": [{"content": {"parts": [_, *_]} as content}, *_]}:
            return [content]
        case "bedrock", {"output": {"message": {"role": "assistant"} as message}}:
            return [message]
        case "openai_responses", {"output": [*output], "object": "response"}:
            return output
    return []


def without_nulls(message: JSON, *besides: str) -> dict[str, JSON]:
    """A chat message without the fields that clients leave out when they send it: null, or no calls at all."""
    return {
        key: value
        for key, value in message.items()
        if key not in besides and (key == "content" or value is not None) and (key, value) != ("tool_calls", [])
    }


def calls_of(message: JSON) -> list[str]:
    """The ids of the calls in a chat message."""
    calls = items(message.get("tool_calls")) if isinstance(message, dict) else []
    return [string(call.get("id")) for call in calls if isinstance(call, dict)]
