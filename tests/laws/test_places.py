"""Law 10: what the preset does not declare is the same afterwards: system, tools, options, words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from tests.laws.play import Play, attempt, law, messages_of, opened, plays


@given(plays())
@law
def test_undeclared_places_stay(play: Play) -> None:
    payload = play.payload()
    result = attempt(play.compactor(), payload)
    if result is not None:
        assert around(result.payload) == around(payload)
        assert list(said(messages_of(result.payload))) == list(said(messages_of(payload)))


def around(payload: Any) -> Any:
    value = opened(payload)
    return {key: held for key, held in value.items() if key != "messages"} if isinstance(value, dict) else None


def said(messages: list[Any]) -> Iterator[Any]:
    """What system, user and assistant say; notes of hostile passes aside, which take only declared places out."""
    for message in messages:
        content = message.get("content")
        if message["role"] == "tool" or content is None:
            continue
        if isinstance(content, str):
            yield message["role"], content
        else:
            for item in content:
                if item.get("type") in ("text", "image", "document") and "Some work was done. t:" not in str(item):
                    yield message["role"], item
