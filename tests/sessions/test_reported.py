from __future__ import annotations

from typing import Any

import pytest

from trimtab.sessions.base import Usage
from trimtab.sessions.reported import answer, seconds, usage


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 2}, Usage(input=9, output=2)),
        ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}}, Usage(input=9, read=4)),
        ({"prompt_tokens": 9, "prompt_cache_hit_tokens": 4}, Usage(input=9, read=4)),
        ({"prompt_tokens": 9, "cache_creation_input_tokens": 3}, Usage(input=9, written=3)),
        ({"input_tokens": 9, "input_tokens_details": {"cached_tokens": 4}}, Usage(input=9, read=4)),
        ({"input_tokens": 1, "cache_read_input_tokens": 4}, Usage(input=5, read=4)),
        ({"inputTokens": 1, "cacheWriteInputTokens": 4, "outputTokens": 2}, Usage(input=5, written=4, output=2)),
        (
            {
                "promptTokenCount": 9,
                "cachedContentTokenCount": 3,
                "candidatesTokenCount": 2,
                "thoughtsTokenCount": 5,
            },
            Usage(input=9, read=3, output=7),
        ),
        ({"prompt_tokens": True}, None),
        ({"prompt_tokens": 9, "completion_tokens": -1}, Usage(input=9)),
        ({}, None),
        (None, None),
    ],
)
def test_usage_of_every_provider(value: Any, expected: Usage | None) -> None:
    assert usage(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1700000000, 1700000000.0),
        (1700000000500, 1700000000.5),
        ("2025-06-01T10:00:00Z", 1748772000.0),
        ("2025-06-01T12:00:00+02:00", 1748772000.0),
        ("2025-06-01T10:00:00", 1748772000.0),
        ("soon", None),
        (True, None),
        (-1, None),
        (1e300, None),
        (None, None),
    ],
)
def test_times(value: Any, expected: float | None) -> None:
    assert seconds(value) == expected


def test_answers_of_gemini_and_bedrock() -> None:
    content = {"role": "model", "parts": [{"text": "Two."}]}
    assert answer("gemini", {"candidates": [{"content": content}]}) == [content]
    message = {"role": "assistant", "content": [{"text": "Two."}]}
    assert answer("bedrock", {"output": {"message": message}}) == [message]
    assert answer("anthropic", {"output": {"message": message}}) == []
