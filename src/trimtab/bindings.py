"""What model names tell about thinking: data, to be extended as models appear."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple


class Named(NamedTuple):
    """A model family with the versions concerned, and where that is documented."""

    family: str
    versions: tuple[str, ...]
    source: str


_BINDING = "Anthropic documentation: extended thinking, signatures bound to the conversation"
_FORCING = "Anthropic documentation: tool_choice and thinking of the 5.5 models"

BINDING: tuple[Named, ...] = (
    Named("fable", ("5-1", "5-2"), _BINDING),
    Named("mythos", ("5-1", "5-2"), _BINDING),
    Named("opus", ("5-5",), _BINDING),
    Named("sonnet", ("5-5",), _BINDING),
    Named("haiku", ("5-5",), _BINDING),
)
"""Models whose thinking signatures are bound to everything before them: system, tools and messages (A5)."""

ADAPTIVE_ONLY: tuple[Named, ...] = (
    Named("opus", ("5-5",), _FORCING),
    Named("sonnet", ("5-5",), _FORCING),
)
"""Models that refuse a forced tool choice, and thinking that is disabled or has a fixed budget (A7)."""


@lru_cache(maxsize=64)
def binds(model: str | None) -> bool:
    """Whether the model checks that nothing before a thinking signature changed; unknown ones do not."""
    return _is_one_of(model, BINDING)


def adaptive_only(model: str | None) -> bool:
    """Whether the model refuses forced tool choice and switched thinking."""
    return _is_one_of(model, ADAPTIVE_ONLY)


def _is_one_of(model: str | None, named: tuple[Named, ...]) -> bool:
    """By family and version anywhere in the name: routes, regions and dates around them do not matter."""
    name = re.sub(r"[^a-z0-9]", "-", (model or "").lower())
    return any(re.search(rf"\b{one.family}-{version}(?![0-9])", name) for one in named for version in one.versions)
