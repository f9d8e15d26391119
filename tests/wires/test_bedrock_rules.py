from __future__ import annotations

from typing import Any

import pytest
from tests.wires.bedrock_requests import (
    DONE,
    PNG,
    POINT,
    SPEC,
    THOUGHT,
    USER,
    assistant,
    broken,
    result,
    text,
    use,
    user,
)

TOOLS: dict[str, Any] = {"messages": [], "toolConfig": {"tools": [SPEC]}}


def test_a_sound_request_has_no_findings() -> None:
    calls = assistant(THOUGHT, text("I look"), use("a"), use("b"), POINT)
    assert broken(USER, calls, user(result("b"), result("a", PNG), text("and"), POINT), **TOOLS) == []
    assert broken() == []


def test_PAIR_20_identical_parallel_calls() -> None:
    assert broken(USER, assistant(use("A"), use("B")), user(result("A"), result("B"))) == []
    assert broken(USER, assistant(use("A"), use("A")), user(result("A"), result("A"))) == []


def test_PAIR_22_A1_a_call_without_its_result() -> None:
    assert broken(USER, assistant(use("c1")), USER) == [("A1", "messages[1].content[0]")]


def test_PAIR_01_A2_a_result_without_its_call() -> None:
    assert broken(user(result("c1")), DONE, USER) == [("A2", "messages[0].content[0]")]


def test_A1_A2_a_message_between_call_and_result() -> None:
    found = broken(USER, assistant(use("a")), USER, user(result("a")))
    assert sorted(found)[:2] == [("A1", "messages[1].content[0]"), ("A2", "messages[3].content[0]")]


def test_PAIR_21_an_open_call_may_end_the_request() -> None:
    assert broken(USER, assistant(use("z"))) == []


def test_PAIR_12_B1_a_history_begins_with_a_user() -> None:
    assert broken(DONE, USER) == [("B1", "messages[0]")]
    assert broken({"role": "system", "content": [text("s")]}, DONE, USER) == [("B1", "messages[1]")]
    assert broken({"role": "system", "content": [text("s")]}, USER) == []


@pytest.mark.parametrize("config", [None, {}, {"tools": []}, {"tools": None}])
def test_SUM_16_B2_tool_blocks_need_the_tools(config: Any) -> None:
    spoken = (USER, assistant(text("I look"), use("a")), user(result("a")))
    assert broken(*spoken, messages=[], toolConfig=config) == [("B2", "messages[1].content[1]")]
    assert broken(USER, DONE, USER, messages=[], toolConfig=config) == []
    assert broken(*spoken, **TOOLS) == []


def test_PAIR_27_B3_users_and_assistants_take_turns() -> None:
    assert broken(USER, DONE, USER, DONE) == []
    assert broken(USER, USER, DONE) == [("B3", "messages[1]")]
    assert broken(USER, DONE, DONE, USER) == [("B3", "messages[2]")]


def test_B2_of_a_bare_list_nobody_knows_the_tools() -> None:
    assert broken(USER, assistant(use("a")), user(result("a"))) == []


@pytest.mark.parametrize(
    ("message", "where"),
    [
        (user(), ""),
        (user(text(" \n")), ".content[0].text"),
        (user(text("a"), POINT, text("")), ".content[2].text"),
    ],
)
def test_PAIR_23_A8_nothing_may_be_blank(message: dict[str, Any], where: str) -> None:
    assert broken(message, DONE, USER) == [("A8", f"messages[0]{where}")]


def test_A15_inputs_are_objects() -> None:
    assert broken(USER, assistant(use("a", "text"))) == [("A15", "messages[1].content[0].toolUse.input")]
