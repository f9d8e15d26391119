from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from trimtab.composition import SHOWN, composition
from trimtab.errors import WireError
from trimtab.testing import MODELS, conversation, exchange
from trimtab.tokens import counter_for

WIRES = sorted(MODELS)


@given(st.sampled_from(WIRES), st.integers(0, 6), st.lists(st.text(max_size=30), max_size=4), st.booleans())
def test_roles_and_kinds_add_up_to_the_whole(wire: str, exchanges: int, texts: list[str], as_bytes: bool) -> None:
    request = conversation(wire, exchanges=exchanges, size=30)
    for text in texts:
        request["messages"] += [{"role": "assistant", "content": text}, {"role": "user", "content": text}]
    found = composition(json.dumps(request).encode() if as_bytes else request)
    assert sum(share.tokens for share in found.roles) == found.tokens
    assert sum(share.tokens for share in found.kinds) == found.tokens
    assert found.messages == len(request["messages"])


@pytest.mark.parametrize("wire", WIRES)
def test_tools_hold_what_their_calls_say_and_what_came_back(wire: str) -> None:
    request = conversation(wire, exchanges=3)
    (tool,) = composition(request).tools
    assert (tool.name, tool.calls) == ("read", 3)
    kinds = {share.name: share for share in composition(request).kinds}
    assert tool.results == kinds["results"].tokens
    assert tool.arguments == kinds["arguments"].tokens
    assert tool.tokens == tool.results + tool.arguments


@pytest.mark.parametrize("wire", WIRES)
def test_results_belong_to_the_tool_whoever_sends_them(wire: str) -> None:
    found = composition(conversation(wire, exchanges=2))
    roles = {share.name: share.tokens for share in found.roles}
    assert roles["tool"] > roles["assistant"] > roles["user"]
    assert roles["tools"] > 0


@pytest.mark.parametrize("wire", WIRES)
def test_the_largest_come_first_with_place_and_label(wire: str) -> None:
    request = conversation(wire, exchanges=2)
    text = "word " * 3000
    request["messages"] += exchange(wire, "call_big", "src/big.py", text)
    found = composition(request)
    assert "src/big.py" in found.largest[0].what
    assert found.largest[0].place.startswith("messages[6]")
    assert found.largest[0].tokens == counter_for(None).count([text])[0]
    sizes = [one.tokens for one in found.largest]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("wire", WIRES)
def test_repeats_are_results_equal_byte_for_byte(wire: str) -> None:
    request = conversation(wire, exchanges=2)
    assert composition(request).repeats == ()
    for number, text in enumerate(
        ["same text\n" * 20, "same text\n" * 20, "same text\n" * 19, "same text\n" * 20]
    ):
        request["messages"] += exchange(wire, f"again_{number}", "src/same.py", text)
    found = composition(request)
    (repeat,) = found.repeats
    assert repeat.times == 3
    assert repeat.spent == 2 * repeat.tokens == found.repeated
    assert [place.partition(".")[0] for place in repeat.places] == ["messages[6]", "messages[8]", "messages[12]"]


def test_lists_are_cut_and_the_sum_of_repeats_is_not() -> None:
    request = conversation("openai_chat", exchanges=0)
    for number in range(SHOWN + 5):
        for turn in "ab":
            request["messages"] += exchange("openai_chat", f"{turn}{number}", "x", f"text number {number}")
    found = composition(request)
    assert len(found.repeats) == len(found.largest) == SHOWN
    assert found.repeated > sum(repeat.spent for repeat in found.repeats)


def test_kinds_of_parts() -> None:
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png}}
    request: dict[str, Any] = {
        "model": "claude-sonnet-4-5",
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": [image, {"type": "text", "text": "What is this?"}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "I should look.", "signature": "x"},
                    {"type": "tool_use", "id": "1", "name": "zoom", "input": {}},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [image]}]},
        ],
    }
    found = composition(request)
    kinds = {share.name: share.parts for share in found.kinds}
    expected = {"system": 1, "media": 2, "text": 1, "reasoning": 1, "arguments": 1, "framing": 3}
    assert expected.items() <= kinds.items()
    assert found.tools[0].name == "zoom"
    assert found.tools[0].results > 0


def test_a_result_without_a_call_is_no_tool() -> None:
    found = composition([{"role": "user", "content": "go"}, {"role": "tool", "tool_call_id": "7", "content": "x"}])
    assert [tool.name for tool in found.tools] == ["(no call)"]


def test_what_is_no_request() -> None:
    with pytest.raises(WireError):
        composition(b"{}")
