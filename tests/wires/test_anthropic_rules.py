from __future__ import annotations

from typing import Any

import pytest
from tests.wires.anthropic_requests import (
    DONE,
    HOUR,
    MARK,
    PNG,
    USER,
    assistant,
    broken,
    result,
    system,
    text,
    use,
    user,
)


def test_a_sound_request_has_no_findings() -> None:
    thinking = {"type": "thinking", "thinking": "", "signature": "s"}
    call = assistant(thinking, text("I look"), use("a"), use("b"))
    assert broken(USER, call, user(result("b"), result("a"), text("and"))) == []


def test_calls_in_assistant_messages_in_a_row() -> None:
    assert broken(USER, assistant(use("a")), assistant(use("b")), user(result("a"), result("b"))) == []


def test_PAIR_20_identical_parallel_calls() -> None:
    assert broken(USER, assistant(use("A"), use("B")), user(result("A"), result("B"))) == []


def test_PAIR_22_A1_a_call_without_its_result() -> None:
    assert broken(USER, assistant(use("c1")), USER) == [("A1", "messages[1].content[0]")]


def test_PAIR_01_A2_a_result_without_its_call() -> None:
    assert broken(user(result("c1")), DONE, USER) == [("A2", "messages[0].content[0]")]


def test_A1_A2_a_message_between_call_and_result() -> None:
    found = broken(USER, assistant(use("a")), USER, user(result("a")))
    assert found == [("A1", "messages[1].content[0]"), ("A2", "messages[3].content[0]")]


def test_A3_results_of_parallel_calls_in_several_messages() -> None:
    found = broken(USER, assistant(use("a"), use("b")), user(result("a")), user(result("b")))
    assert ("A3", "messages[3]") in found


def test_PAIR_21_an_open_call_may_end_the_request() -> None:
    assert broken(USER, assistant(use("z"))) == []


@pytest.mark.parametrize(
    ("message", "where"),
    [
        ({"role": "user", "content": ""}, ""),
        (user(), ""),
        (user(text(" \n")), ".content[0].text"),
        (user(text("a"), text("")), ".content[1].text"),
        ({"role": "user", "content": " "}, ".content"),
    ],
)
def test_PAIR_23_A8_nothing_may_be_empty(message: dict[str, Any], where: str) -> None:
    assert broken(message, DONE, USER) == [("A8", f"messages[0]{where}")]


def test_A8_the_last_assistant_may_be_empty_and_results_too() -> None:
    assert broken(USER, assistant()) == [("A20", "messages[1]")]
    assert broken(USER, assistant(), USER) == [("A8", "messages[1]")]
    assert broken(USER, DONE, user()) == [("A8", "messages[2]")]
    assert broken(USER, assistant(use("a")), user(result("a", ""))) == []
    hollow = user(result("a", [text("")]))
    assert broken(USER, assistant(use("a")), hollow) == [("A8", "messages[2].content[0].content[0].text")]
    assert broken(USER, system=[text("")]) == [("A8", "system[0]")]


def test_A9_four_cache_marks_at_most() -> None:
    tools, four = [{"name": "t", **MARK}], [text("s", **MARK)]
    message = user(result("a", [text("x", **MARK)]), text("y", **MARK))
    head = (USER, assistant(use("a")), message)
    assert broken(*head, tools=tools, system=four) == []
    more = (USER, assistant(use("a", **MARK)), message)
    assert broken(*more, tools=tools, system=four) == [("A9", "messages[2].content[1]")]


def test_A9_long_marks_come_first() -> None:
    assert broken(user(text("a", **MARK)), system=[text("s", **HOUR)]) == []
    assert broken(user(text("a", **HOUR)), system=[text("s", **MARK)]) == [("A9", "messages[0].content[0]")]


def test_A9_no_mark_on_thinking() -> None:
    marked = {"type": "thinking", "thinking": "t", "signature": "s", **MARK}
    assert broken(USER, assistant(marked, text("a")), USER) == [("A9", "messages[1].content[0]")]


def test_A10_where_a_system_message_may_stand() -> None:
    searching = assistant({"type": "server_tool_use", "id": "s", "name": "x", "input": {}})
    assert broken(USER, system("s"), DONE, USER, system("s")) == []
    assert broken(system("s"), DONE, USER) == [("A10", "messages[0]")]
    assert broken(USER, DONE, system("s")) == [("A10", "messages[2]")]
    assert broken(USER, system("s"), USER) == [("A10", "messages[1]")]
    assert [rule for rule, _ in broken(USER, searching, system("s"))] == ["A11"]
    image = {"role": "system", "content": [{"type": "image", "source": PNG}]}
    assert broken(USER, image) == [("A10", "messages[1]")]


def test_A7_forced_tools_and_switched_thinking_on_the_models_that_refuse_them() -> None:
    options = {"tool_choice": {"type": "any"}, "thinking": {"type": "disabled"}}
    assert broken(USER, model="claude-sonnet-4-5", **options) == []
    assert broken(USER, model="claude-opus-5-5", **options) == [("A7", "tool_choice"), ("A7", "thinking")]
    fine = {"tool_choice": {"type": "auto"}, "thinking": {"type": "adaptive"}}
    assert broken(USER, model="claude-opus-5-5", **fine) == []


SERVER = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}


def test_A11_server_tools_come_in_pairs() -> None:
    assert broken(USER, assistant(SERVER, FOUND, text("a")), USER) == []
    assert broken(USER, assistant(SERVER, text("a")), USER) == [("A11", "messages[1].content[0]")]
    assert broken(USER, assistant(FOUND, text("a")), USER) == [("A11", "messages[1].content[0]")]
    assert broken(USER, assistant(FOUND, SERVER, text("a")), USER) == [("A11", "messages[1].content[0]")]


def test_A11_a_server_tool_may_be_carried_on() -> None:
    assert broken(USER, assistant(SERVER)) == []
    coding = assistant(SERVER, use("c", caller={"type": "code_execution_20250825"}))
    assert broken(USER, coding, user(result("c")), assistant(FOUND, text("a")), USER) == []


def test_A13_media() -> None:
    image = {"type": "image", "source": PNG}
    assert broken(user(*[image] * 100)) == []
    assert broken(user(*[image] * 101)) == [("A13", "messages")]
    large = {"type": "image", "source": {**PNG, "data": "A" * (5 * 1024 * 1024 + 1)}}
    assert broken(user(large)) == [("A13", "messages[0].content[0]")]


def test_A15_input_is_an_object() -> None:
    call = {"type": "tool_use", "id": "a", "name": "f", "input": "x"}
    assert broken(USER, assistant(call)) == [("A15", "messages[1].content[0].input")]


def test_A17_a_compaction_block_is_not_emptied() -> None:
    block = {"type": "compaction", "content": None}
    assert broken(assistant(block), USER) == []
    assert broken(assistant({**block, "content": ""}), USER) == [("A17", "messages[0].content[0]")]


def test_PAIR_33_A20_a_request_ends_with_the_user() -> None:
    assert broken(USER, DONE) == [("A20", "messages[1]")]
    assert broken(USER, assistant(use("a")), user(result("a"))) == []
