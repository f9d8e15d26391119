from __future__ import annotations

from typing import Any

import pytest
from tests.wires.responses_items import USER, broken, call, output, reasoning, said

TRIGGER = {"type": "compaction_trigger"}


def test_a_sound_request_has_no_findings() -> None:
    exchange = [reasoning(1), call("a", id="fc_1"), call("b"), output("b"), output("a")]
    assert broken(USER, *exchange, reasoning(2), said(id="msg_1"), USER) == []
    sealed = {"type": "reasoning", "summary": [], "encrypted_content": "gAAAA"}
    assert broken(USER, sealed, call("a"), output("a"), store=False) == []


def test_PAIR_14_R1_a_result_without_its_call() -> None:
    assert broken(output("c1"), USER) == [("R1", "messages[0]")]
    assert broken(USER, call("c1"), output("c1"), output("c2"), USER) == [("R1", "messages[3]")]


def test_PAIR_14_R1_a_call_without_its_result() -> None:
    assert broken(USER, call("c1"), USER) == [("R1", "messages[1]")]
    assert broken(USER, call("a"), call("b"), output("b"), said(), USER) == [("R1", "messages[1]")]
    assert broken(USER, call("a"), call("b"), output("b"), call("c"), output("c")) == [("R1", "messages[1]")]


def test_PAIR_13_R1_open_calls_may_end_the_request() -> None:
    assert broken(USER, reasoning(), call("a")) == []
    assert broken(USER, call("a"), call("b"), output("a")) == []


def test_R1_a_result_may_come_after_other_items() -> None:
    tools = {"type": "additional_tools", "role": "developer", "tools": []}
    assert broken(USER, call("a"), call("b"), output("a"), tools, output("b")) == []
    assert broken(USER, call("a"), {"role": "developer", "content": "hurry"}, output("a")) == []
    assert broken(USER, call("a"), {"role": "user", "content": "hurry"}, output("a"), USER) == []


def test_R1_ids_may_repeat_from_round_to_round() -> None:
    assert broken(USER, call("x"), output("x"), call("x"), output("x"), USER) == []
    assert broken(USER, call("x"), call("x"), output("x"), output("x"), USER) == []
    assert broken(USER, call("x"), output("x"), call("x"), USER) == [("R1", "messages[3]")]


@pytest.mark.parametrize(
    "name", ["custom_tool_call", "shell_call", "local_shell_call", "apply_patch_call", "computer_call"]
)
def test_R1_holds_for_every_call_of_the_client(name: str) -> None:
    made = {"type": name, "call_id": "a", "id": "x", "name": "t", "input": ""}
    result = {"type": f"{name}_output", "call_id": "a", "output": "x"}
    assert broken(USER, made, result, USER) == []
    assert broken(USER, made, USER) == [("R1", "messages[1]")]
    assert broken(USER, result, USER) == [("R1", "messages[1]")]


@pytest.mark.parametrize(
    ("made", "answer"),
    [
        ({"type": "tool_search_call", "call_id": "a", "arguments": {}},
         {"type": "tool_search_output", "call_id": "a", "tools": []}),
        ({"type": "program", "call_id": "a", "id": "p", "code": ""},
         {"type": "program_output", "call_id": "a", "id": "po", "result": ""}),
        ({"type": "mcp_approval_request", "id": "a", "name": "t"},
         {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True}),
    ],
)  # fmt: skip
def test_R1_holds_for_pairs_that_are_kept_whole(made: dict[str, Any], answer: dict[str, Any]) -> None:
    assert broken(USER, made, answer, USER) == []
    assert broken(USER, made) == []
    assert broken(USER, answer, made, USER)[0] == ("R1", "messages[1]")
    if made["type"] != "mcp_approval_request":  # the user may talk on instead of approving
        assert broken(USER, made, USER) == [("R1", "messages[1]")]


def test_R1_a_search_of_the_server_names_no_call() -> None:
    search: dict[str, Any] = {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {}}
    found: dict[str, Any] = {"type": "tool_search_output", "call_id": None, "execution": "server", "tools": []}
    assert broken(USER, search, found, said(), USER) == []


@pytest.mark.parametrize("fields", [{"previous_response_id": "resp_1"}, {"conversation": "conv_1"}])
def test_R1_R7_what_answers_may_stand_at_the_provider(fields: dict[str, Any]) -> None:
    search = {"type": "tool_search_output", "call_id": "s", "tools": []}
    assert broken(output("c1"), search, **fields) == []


def test_R1_what_answers_may_be_a_reference() -> None:
    assert broken(USER, {"type": "item_reference", "id": "fc_1"}, output("c1"), USER) == []


def test_THINK_05_R2_reasoning_needs_the_item_that_followed() -> None:
    assert broken(USER, reasoning(), output("c1"), call("c1"), USER)[:1] == [("R1", "messages[2]")]
    assert broken(USER, reasoning(1), USER) == [("R2", "messages[1]")]
    assert broken(USER, reasoning(1), reasoning(2), said(), USER) == []
    assert broken(USER, reasoning(1), {"type": "item_reference", "id": "msg_1"}, USER) == []


def test_THINK_07_R2_reasoning_of_an_interrupted_turn() -> None:
    exchange = [reasoning(1), call("a"), output("a")]
    stopped = broken(USER, *exchange, reasoning(8), reasoning(9), {"role": "user", "content": "stop, do B"})
    assert stopped == [("R2", "messages[4]"), ("R2", "messages[5]")]
    assert broken(USER, *exchange, reasoning(9)) == [("R2", "messages[4]")]


def test_R3_reasoning_needs_a_summary() -> None:
    bare = {"type": "reasoning", "encrypted_content": "gAAAA"}
    assert broken(USER, bare, said()) == [("R3", "messages[1]")]
    assert broken(USER, {**bare, "summary": []}, said()) == []


@pytest.mark.parametrize(
    ("item", "good"),
    [
        (call("a"), "fc_1"),
        (reasoning(), "rs_1"),
        (said(), "msg_1"),
        ({"type": "compaction", "encrypted_content": "x"}, "cmp_1"),
    ],
)
def test_R5_ids_begin_as_the_provider_made_them(item: dict[str, Any], good: str) -> None:
    answer = [output("a")] if item["type"] == "function_call" else []
    assert broken(USER, {**item, "id": good}, *answer, said()) == []
    assert broken(USER, {**item, "id": "custom"}, *answer, said()) == [("R5", "messages[1].id")]
    assert broken({**USER, "id": "mine"}) == []


def test_R7_two_histories_exclude_each_other() -> None:
    assert broken(USER, previous_response_id="resp_1", conversation="conv_1") == [("R7", "conversation")]


def test_R7_a_history_is_not_sent_twice() -> None:
    summed = {"type": "compaction", "encrypted_content": "x"}
    assert broken(summed, USER, previous_response_id="resp_1") == [("R7", "messages[0]")]
    assert broken(summed, USER) == []


def test_R8_compaction() -> None:
    assert broken(USER, said(), TRIGGER) == []
    assert broken(USER, TRIGGER, said()) == [("R8", "messages[1]")]
    assert broken({"type": "compaction", "encrypted_content": "x"}, USER) == []
    assert broken({"type": "compaction", "encrypted_content": ""}, USER) == [("R8", "messages[0]")]


def test_R10_what_may_be_edited_is_text() -> None:
    assert broken(USER, call("a", {"a": 1}), output("a")) == [("R10", "messages[1].arguments")]  # type: ignore[arg-type]
    assert broken(USER, call("a"), output("a", {"a": 1})) == [("R10", "messages[2].output")]
    assert broken(USER, call("a"), output("a", [])) == []
    custom: dict[str, Any] = {"type": "custom_tool_call", "call_id": "a", "name": "sh", "input": {}}
    assert broken(USER, custom) == [("R10", "messages[1].input")]
    assert broken(USER, {**custom, "input": ""}) == []


def test_THINK_09_R11_what_the_provider_did_not_store_cannot_be_named() -> None:
    empty = {"type": "reasoning", "id": "rs_2", "summary": []}
    reference = {"type": "item_reference", "id": "msg_1"}
    assert broken(USER, reasoning(1), said(), store=False) == []
    assert broken(USER, empty, said(), store=False) == [("R11", "messages[1]")]
    assert broken(USER, reference, USER, store=False) == [("R11", "messages[1]")]
    assert broken(USER, empty, said(), reference, USER) == []
