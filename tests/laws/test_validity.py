"""Laws 3 and 12: what a provider accepts it accepts afterwards, and what is not understood stays whole."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from tests.laws.play import Play, attempt, law, messages_of, plays

from trimtab import validate

KEPT = frozenset(
    {"signature", "data", "encrypted_content", "x_unknown", "x_list", "cache_control", "is_error", "id"}
)
"""Fields that no edit may change where they stand."""


@given(plays())
@law
def test_output_breaks_no_rule_that_the_input_kept(play: Play) -> None:
    payload = play.payload()
    result = attempt(play.compactor(), payload)
    if result is not None:
        assert not rules(result.payload) - rules(payload)


@given(plays())
@law
def test_what_is_not_understood_is_kept_whole(play: Play) -> None:
    payload = play.payload()
    result = attempt(play.compactor(), payload)
    if result is not None:
        left = Counter(whole(messages_of(result.payload)))
        assert not left - Counter(whole(messages_of(payload)))
        if play.seed is None:  # hostile passes may rightly drop thinking, and messages for a note
            assert left == Counter(whole(messages_of(payload)))


def rules(payload: Any) -> Counter[str]:
    return Counter(finding.rule for finding in validate(payload))


def whole(value: Any) -> Iterator[str]:
    """Thinking, server tools and unknown parts as JSON; of all other objects their fields that must stay."""
    if isinstance(value, list):
        for item in value:
            yield from whole(item)
    elif isinstance(value, dict):
        kind = str(value.get("type"))
        if (
            kind in ("thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result")
            or kind[:2] == "x_"
        ):
            yield json.dumps(value)
            return
        kept = {
            key: held
            for key, held in value.items()
            if key in KEPT and not (key == "data" and "media_type" in value)
        }
        if kept:
            yield json.dumps(kept)
        for key, held in value.items():
            if key not in ("input", *KEPT):
                yield from whole(held)
