"""How a request finds its wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from trimtab.body import open_body
from trimtab.errors import WireError
from trimtab.wires import WIRES, by_name, sniff

PLAIN = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]

OPENAI: list[tuple[dict[str, Any], list[Any]]] = [
    ({}, PLAIN),
    ({"model": "gpt-4.1"}, PLAIN),
    ({"model": None, "system": None}, PLAIN),
    ({"model": "anthropic/claude-sonnet-4.5", "stream_options": {}}, PLAIN),
    ({"model": "anthropic/claude-sonnet-4.5"}, [{"role": "system", "content": "be good"}, *PLAIN]),
    ({"model": "claude-x", "max_completion_tokens": 5}, PLAIN),
    ({"model": "claude-x", "tools": [{"type": "function", "function": {"name": "f"}}]}, PLAIN),
    ({"thinking": {"type": "enabled"}}, [*PLAIN, {"role": "tool", "tool_call_id": "a", "content": "x"}]),
    ({"model": "claude-x"}, [*PLAIN, {"role": "assistant", "tool_calls": []}]),
    (
        {"model": "claude-x"},
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]}],
    ),
    (
        {},
        [
            {
                "role": "user",
                "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
            }
        ],
    ),
]
ANTHROPIC: list[tuple[dict[str, Any], list[Any]]] = [
    ({"system": "be good"}, PLAIN),
    ({"anthropic_version": "bedrock-2023-05-31"}, PLAIN),
    ({"thinking": {"type": "adaptive"}}, PLAIN),
    ({"model": "claude-sonnet-4-5", "max_tokens": 9}, PLAIN),
    ({"model": "claude-sonnet-4-5"}, PLAIN),
    ({"tools": [{"name": "f", "input_schema": {}}]}, PLAIN),
    ({}, [*PLAIN, {"role": "assistant", "content": [{"type": "tool_use", "id": "a"}]}]),
    ({}, [*PLAIN, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}]),
    ({}, [{"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "s"}]}]),
    ({}, [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "u"}}]}]),
]
RESPONSES: list[tuple[dict[str, Any], list[Any]]] = [
    ({"input": []}, []),
    ({"input": []}, PLAIN),
    ({"input": [], "model": "claude-sonnet-4-5"}, PLAIN),
    ({"input": [], "tools": [{"type": "function", "name": "f"}]}, PLAIN),
    ({}, [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}]),
    ({"model": "claude-sonnet-4-5"}, [*PLAIN, {"type": "reasoning", "summary": []}]),
    ({}, [{"type": "function_call", "call_id": "a"}]),
    ({}, [{"type": "apply_patch_call_output", "call_id": "a"}]),
    ({}, [{"type": "additional_tools", "role": "developer", "tools": []}]),
    ({}, [{"type": "message", "role": "developer", "content": "be good"}]),
    ({}, [{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "a"}]}]),
    ({}, [{"role": "assistant", "content": [{"type": "output_text", "text": "a"}]}]),
]
GEMINI: list[tuple[dict[str, Any], list[Any]]] = [
    ({"contents": []}, []),
    ({"contents": [], "model": "claude-x", "toolConfig": {}}, [{"role": "user", "parts": [{"text": "a"}]}]),
    ({}, [{"role": "user", "parts": [{"text": "a"}]}]),
    ({}, [{"parts": [{"function_response": {}}]}]),
    ({"tools": [{"functionDeclarations": []}], "system": "s"}, [{"role": "model", "parts": []}, *PLAIN]),
]
BEDROCK: list[tuple[dict[str, Any], list[Any]]] = [
    ({"messages": [], "modelId": "amazon.nova"}, []),
    (
        {"messages": [], "system": [{"text": "s"}], "toolConfig": {}},
        [{"role": "user", "content": [{"text": "a"}]}],
    ),
    ({}, [{"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "f", "input": {}}}]}]),
    ({}, [{"role": "user", "content": []}, {"role": "user", "content": [{"cachePoint": {"type": "default"}}]}]),
    ({"modelId": "anthropic.claude", "inferenceConfig": {}}, [{"role": "user", "content": [{"text": "a"}]}]),
]
OTHER: list[tuple[dict[str, Any], list[Any]]] = [
    ({}, []),
    ({}, [{"role": "user", "parts": [{"type": "text", "text": "a"}]}]),
    ({}, [{"role": "user", "content": "a", "parts": [{"text": "a"}]}]),
    ({"contents": []}, PLAIN),
    ({"model": "gpt-5", "input": "a"}, []),
    ({"model": "embed", "input": []}, ["a text"]),
    ({"messages": [], "input": []}, [{"type": "reasoning", "summary": []}]),
    ({"modelId": "anthropic.claude", "inferenceConfig": {}}, PLAIN),
    ({}, ["hello"]),
    ({}, [{"role": 3, "content": "hello"}]),
]


@pytest.mark.parametrize(("fields", "messages"), OPENAI)
def test_openai_chat_is_recognised(fields: dict[str, Any], messages: list[Any]) -> None:
    assert sniff(fields, messages).name == "openai_chat"


@pytest.mark.parametrize(("fields", "messages"), ANTHROPIC)
def test_anthropic_is_recognised(fields: dict[str, Any], messages: list[Any]) -> None:
    assert sniff(fields, messages).name == "anthropic"


@pytest.mark.parametrize(("fields", "messages"), RESPONSES)
def test_openai_responses_is_recognised_by_no_other_wire(fields: dict[str, Any], messages: list[Any]) -> None:
    assert sniff(fields, messages).name == "openai_responses"
    assert all(wire.sniff(fields, messages) < 2 for wire in WIRES if wire.name != "openai_responses")


@pytest.mark.parametrize(("fields", "messages"), [*OPENAI, *ANTHROPIC])
def test_openai_responses_claims_nothing_of_the_others(fields: dict[str, Any], messages: list[Any]) -> None:
    assert by_name("openai_responses").sniff(fields, messages) == 0


@pytest.mark.parametrize(
    ("key", "name"), [("input", "openai_responses"), ("messages", "openai_chat"), (None, "openai_chat")]
)
@pytest.mark.parametrize("form", [dict, bytes])
def test_the_key_of_the_messages_tells(key: str | None, name: str, form: type) -> None:
    payload = {"model": "gpt-5", key: PLAIN} if key else PLAIN
    body = open_body(json.dumps(payload).encode() if form is bytes else payload)
    assert body.fields() == ({"model": "gpt-5", key: []} if key else {})
    assert sniff(body.fields(), [body.source(n) for n in range(body.size)]).name == name


@pytest.mark.parametrize(
    ("name", "fields", "messages"),
    [(name, *one) for name, given in (("gemini", GEMINI), ("bedrock", BEDROCK)) for one in given],
)
def test_gemini_and_bedrock_are_recognised_by_no_other_wire(
    name: str, fields: dict[str, Any], messages: list[Any]
) -> None:
    assert sniff(fields, messages).name == name
    assert [wire.name for wire in WIRES if wire.sniff(fields, messages)] == [name]


@pytest.mark.parametrize(("fields", "messages"), [*OPENAI, *ANTHROPIC, *RESPONSES])
def test_gemini_and_bedrock_claim_nothing_of_the_others(fields: dict[str, Any], messages: list[Any]) -> None:
    assert not any(by_name(name).sniff(fields, messages) for name in ("gemini", "bedrock"))


@pytest.mark.parametrize(("fields", "messages"), OTHER)
def test_other_formats_are_refused_by_every_wire(fields: dict[str, Any], messages: list[Any]) -> None:
    assert not any(wire.sniff(fields, messages) for wire in WIRES)
    with pytest.raises(WireError, match="openai_chat, anthropic"):
        sniff(fields, messages)


def test_the_refusal_says_what_was_seen() -> None:
    with pytest.raises(WireError, match=r"fields: contents; messages: 1, the first an object with role, parts"):
        sniff({"contents": 1, "model": None}, [{"role": "user", "parts": [{"type": "text"}]}])


class Watched(Sequence[Any]):
    """Messages that tell how many were looked at."""

    def __init__(self, given: list[Any]) -> None:
        self.given, self.seen = given, set[int]()

    def __len__(self) -> int:
        return len(self.given)

    def __getitem__(self, index: Any) -> Any:
        self.seen.add(index)
        return self.given[index]

    def __iter__(self) -> Iterator[Any]:
        for index in range(len(self)):
            yield self[index]


@pytest.mark.parametrize(
    "decisive",
    [
        {"role": "tool", "tool_call_id": "a", "content": "x"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a"}]},
    ],
)
def test_no_message_after_a_decisive_one_is_looked_at(decisive: dict[str, Any]) -> None:
    messages = Watched([*PLAIN, decisive, *PLAIN * 1000])
    sniff({"model": "m"}, messages)
    assert max(messages.seen) == 2


def test_fields_that_decide_spare_all_messages_but_the_first() -> None:
    messages = Watched(PLAIN)
    sniff({"model": "m", "seed": 1}, messages)
    assert messages.seen <= {0}


def test_wires_are_found_by_name() -> None:
    assert [by_name(wire.name) for wire in WIRES] == list(WIRES)
    with pytest.raises(WireError, match="anthropic"):
        by_name("cohere")
