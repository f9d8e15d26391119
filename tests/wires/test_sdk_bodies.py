"""Bodies that the providers' SDKs send for streamed, tool-heavy sessions: compacted, valid, of the SDKs' types."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from tests.wires.openai_types import settle

from trimtab import Compactor, validate
from trimtab.stubs import HANDLE
from trimtab.testing import memory_store

pytest.importorskip("google.genai")

from anthropic.types.message_create_params import MessageCreateParamsStreaming
from google.genai import types
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from pydantic import TypeAdapter, ValidationError
from tests.wires import sdk_sessions


class Sdk(NamedTuple):
    """An SDK: its session, the key of its messages, the tokens of a small budget, and how its types are held."""

    play: Callable[[], list[bytes]]
    key: str
    budget: int
    fits: Callable[[Any], None]


def of_type(parameters: Any) -> Callable[[Any], None]:
    adapter: TypeAdapter[Any] = TypeAdapter(parameters)
    return lambda request: settle(adapter.validate_python(request))


def of_gemini(request: Any) -> None:
    for content in [*request["contents"], request["systemInstruction"]]:
        types.Content.model_validate_json(json.dumps(content))
    for tool in request["tools"]:
        types.Tool.model_validate(tool)


SDKS = {
    "openai_chat": Sdk(sdk_sessions.chat, "messages", 8_000, of_type(CompletionCreateParamsStreaming)),
    "anthropic": Sdk(sdk_sessions.claude, "messages", 8_000, of_type(MessageCreateParamsStreaming)),
    "openai_responses": Sdk(sdk_sessions.responses, "input", 8_000, of_type(ResponseCreateParamsStreaming)),
    "gemini": Sdk(sdk_sessions.gemini, "contents", 8_000, of_gemini),
}
sdks = pytest.mark.parametrize("name", list(SDKS))


@lru_cache
def bodies(name: str) -> list[bytes]:
    return SDKS[name].play()


def compactor(name: str, **options: Any) -> Compactor:
    given = {"store": memory_store(), "budget": SDKS[name].budget, "config": {"protect_results": 1}}
    return Compactor(model="gemini-3-pro" if name == "gemini" else None, **{**given, **options})


@sdks
def test_what_the_sdk_sends_is_valid_and_goes_out_as_it_came(name: str) -> None:
    for body in bodies(name):
        SDKS[name].fits(json.loads(body))
        assert validate(body) == []
        result = compactor(name, budget=1_000_000).compact(body)
        assert result.payload is body
        assert result.report.wire == name
    last = json.loads(bodies(name)[-1])
    assert last.get("stream") is (None if name == "gemini" else True)
    assert len(last[SDKS[name].key]) > 2 * sdk_sessions.ROUNDS


@sdks
def test_its_body_shrinks_stays_valid_and_of_its_types(name: str) -> None:
    body, one = bodies(name)[-1], compactor(name)
    result = one.compact(body)
    assert result.report.outcome == "applied"
    assert result.report.tokens_after <= SDKS[name].budget < result.report.tokens_before
    assert len(result.payload) < len(body)
    assert validate(result.payload, before=body) == []
    SDKS[name].fits(json.loads(result.payload))
    assert one.undo(result.payload) == body
    assert one.compact(result.payload).payload is result.payload
    assert {key: value for key, value in json.loads(result.payload).items() if key != SDKS[name].key} == {
        key: value for key, value in json.loads(body).items() if key != SDKS[name].key
    }


@sdks
def test_call_by_call_it_stays_valid_and_what_was_sent_stays_sent(name: str) -> None:
    one, before, folds = compactor(name), list[Any](), 0
    for body in bodies(name):
        result = one.compact(body)
        assert validate(result.payload, before=body) == []
        SDKS[name].fits(json.loads(result.payload))
        now = json.loads(result.payload)[SDKS[name].key]
        first = len(before) if result.report.first_changed is None else result.report.first_changed
        assert now[: min(first, len(before))] == before[: min(first, len(before))]
        folds += now[: len(before)] != before
        before = now
        for handle in HANDLE.findall(result.payload.decode()):
            assert one.recall(handle).data
    assert folds


@sdks
def test_the_types_do_tell(name: str) -> None:
    request = json.loads(bodies(name)[-1])
    for wrong in spoiled(request, SDKS[name].key):
        with pytest.raises((ValidationError, TypeError)):
            SDKS[name].fits(wrong)


def spoiled(request: Any, key: str) -> Iterator[Any]:
    yield {**request, key: [7]}
    yield {**request, key: [{**request[key][0], "role": 7}]}
