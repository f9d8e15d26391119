"""What a provider reported of its cache for one call, from a usage object of any maker."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

DETAILS = ("prompt_tokens_details", "input_tokens_details")
"""Objects within OpenAI's usage that tell of the cache."""

ALL = ("prompt_tokens", "promptTokenCount", "prompt_token_count")
"""All input tokens, by OpenAI Chat and Gemini; `input_tokens` are that by OpenAI Responses only."""

READ = (
    "cache_read_input_tokens",
    "cached_tokens",
    "cacheReadInputTokens",
    "cachedContentTokenCount",
    "cached_content_token_count",
)
WRITTEN = ("cache_creation_input_tokens", "cache_write_tokens", "cacheWriteInputTokens")


class Observed(Struct, frozen=True):
    """Tokens of the call after message `boundary`, as the provider counts them: all that was sent, what of it was
    read from the cache, and what was written to it (None where the provider does not say)."""

    boundary: bytes
    input: int
    read: int
    written: int | None = None

    @property
    def cached(self) -> int:
        """Tokens that the cache holds after the call; where writes are not told all of them."""
        return self.input if self.written is None else self.read + self.written


def observed(usage: object, boundary: bytes) -> Observed | None:
    """What a usage object tells of the cache; None where it tells nothing, or what cannot be."""
    parts = [usage, *(one for name in DETAILS if (one := _field(usage, name)) is not None)]
    read, written = _first(parts, READ), _first(parts, WRITTEN)
    cached = (read or 0) + (written or 0)
    total = _first([usage], ALL)
    if total is None:
        total = _first([usage], ("input_tokens", "inputTokens")) or 0
        total += 0 if _field(usage, "input_tokens_details") is not None else cached
    if (read is None and written is None) or not 0 < total >= cached:
        return None
    return Observed(boundary, total, read or 0, written)


def _first(parts: list[object], names: tuple[str, ...]) -> int | None:
    found = (_field(part, name) for part in parts for name in names)
    return next((n for n in found if isinstance(n, int) and not isinstance(n, bool) and n >= 0), None)


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
