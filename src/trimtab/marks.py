"""Cache marks as they stand in a request: where the client lets the provider's cache end, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from trimtab.transcript import JSON

FIELDS = ("cache_control", "prompt_cache_breakpoint")
"""Fields that only mark where a provider's prompt cache may end; they say nothing about the content."""

POINT = "cachePoint"
"""The same on Bedrock, as an item of its own."""

LASTING = ("1h", "12h", "24h")
"""Lifetimes that are had for a dearer write."""

DEEPEST = 3
"""Lists within lists of content that are looked through: results, and documents in them."""


class Mark(StrEnum):
    """The last mark of a message or at the top of a request: none, one of the usual lifetime, a longer one.

    `ONLY` stands at the top where the client asked that nothing is cached without a mark.
    """

    NONE = ""
    SHORT = "short"
    LONG = "long"
    ONLY = "only"


def of_message(source: JSON) -> Mark:
    """The last mark in a message."""
    return _last(source, DEEPEST)


def of_fields(fields: Mapping[str, JSON]) -> Mark:
    """What the top of a request says: Anthropic's automatic mark on the last item, OpenAI's explicit mode."""
    options = fields.get("prompt_cache_options")
    if isinstance(options, dict) and options.get("mode") == "explicit":
        return Mark.ONLY
    return _own(fields)


def _last(source: JSON, depth: int) -> Mark:
    if not isinstance(source, Mapping):
        return Mark.NONE
    if own := _own(source):
        return own
    for key in ("content", "parts", "toolResult"):
        inside = source.get(key)
        held = inside if isinstance(inside, list) else [inside] if isinstance(inside, dict) else []
        for item in reversed(held) if depth else ():
            if found := _last(item, depth - 1):
                return found
    return Mark.NONE


def _own(source: Mapping[str, JSON]) -> Mark:
    """The mark of an object itself."""
    for key in (*FIELDS, POINT):
        if (mark := source.get(key)) is not None:
            return Mark.LONG if isinstance(mark, dict) and mark.get("ttl") in LASTING else Mark.SHORT
    return Mark.NONE
