from __future__ import annotations

from typing import Any

import pytest
from tests.wires.gemini_requests import DONE, SIGNED, USER, answer, broken, call, inline, model, text, user


def test_a_sound_request_has_no_findings() -> None:
    calls = model(text("t", thought=True), text("I look"), call("a", "1", **SIGNED), call("b", "2"))
    results = user(answer("a", "1"), inline(), answer("b", "2", {}, [inline()]), text("and"))
    assert broken(USER, calls, results, model="gemini-3-pro") == []
    assert broken(USER, DONE, USER) == []
    assert broken() == []


def test_PAIR_10_each_result_counts_once_however_many_values_it_has() -> None:
    calls = model(call("a"), call("a"))
    many = answer("a", "", {"stdout": "x", "stderr": "y", "code": 0}, [inline(), inline()])
    assert broken(USER, calls, user(many, answer("a"))) == []
    assert broken(USER, calls, user(many)) == [("G1", "messages[1]")]


@pytest.mark.parametrize("results", [(), (answer(),), (answer(), answer(), answer())])
def test_PAIR_10_G1_as_many_results_as_calls(results: tuple[Any, ...]) -> None:
    contents = (USER, model(call(), call()), user(*results, text("x")), DONE, USER)
    assert broken(*contents) == [("G1", "messages[1]")]


def test_PAIR_01_G1_results_without_their_calls() -> None:
    assert broken(user(answer()), DONE, USER) == [("G1", "messages[0]")]
    assert broken(USER, DONE, user(answer())) == [("G1", "messages[2]")]


def test_G1_a_turn_between_calls_and_results() -> None:
    found = broken(USER, model(call()), USER, user(answer()))
    assert found == [("G1", "messages[1]"), ("G1", "messages[3]")]


def test_calls_in_model_turns_in_a_row_are_answered_together() -> None:
    assert broken(USER, model(call("a")), model(call("b")), user(answer("a"), answer("b"))) == []


def test_PAIR_21_open_calls_may_end_the_request() -> None:
    assert broken(USER, model(call(), call())) == []


def test_PAIR_12_G2_a_request_opens_with_a_users_turn() -> None:
    assert broken(model(call()), user(answer())) == [("G2", "messages[0]")]
    assert broken(DONE, USER) == []


def test_G2_a_request_ends_with_a_users_turn() -> None:
    assert broken(USER, DONE) == [("G2", "messages[1]")]


def test_G3_results_of_one_group_in_several_contents() -> None:
    found = broken(USER, model(call("a"), call("b")), user(answer("a")), user(answer("b")))
    assert found == [("G3", "messages[3]")]


def test_media_may_follow_in_a_content_of_their_own() -> None:
    assert broken(USER, model(call()), user(answer()), user(inline())) == []


@pytest.mark.parametrize(
    ("model_name", "found"),
    [
        ("gemini-3-pro-preview", [("G4", "messages[4].parts[0]")]),
        ("models/gemini-3.6-flash", [("G4", "messages[4].parts[0]")]),
        ("gemini-10-pro", [("G4", "messages[4].parts[0]")]),
        ("gemini-2.5-pro", []),
        ("gemini-1.5-flash", []),
        (None, []),
    ],
)
def test_G4_calls_of_the_current_turn_are_signed(model_name: str | None, found: list[Any]) -> None:
    past = (USER, model(call()), user(answer()))
    assert broken(*past, USER, model(call(), call()), user(answer(), answer()), model=model_name) == found


def test_THINK_13_G4_only_the_first_of_parallel_calls_is_signed() -> None:
    fine = (USER, model(call("f1", **SIGNED), call("f2")), user(answer("f1"), answer("f2")))
    assert broken(*fine, model="gemini-3-pro") == []
    wrong = (USER, model(call("f1"), call("f2", **SIGNED)), user(answer("f1"), answer("f2")))
    assert broken(*wrong, model="gemini-3-pro") == [("G4", "messages[1].parts[0]")]
    snake = {"function_call": {"name": "f", "args": {}}, "thought_signature": "s"}
    assert broken(USER, model(snake), user(answer("f")), model="gemini-3-pro") == []


def test_G5_ids_that_are_given_must_be_known() -> None:
    assert broken(USER, model(call("a", "1")), user(answer("a", "2"))) == [("G5", "messages[2]")]
    assert broken(USER, model(call("a", "1"), call("a", "2")), user(answer("a", "2"), answer("a", "1"))) == []
    assert broken(USER, model(call("a", "1")), user(answer("a"))) == []
    assert broken(USER, model(call("a")), user(answer("a", "1"))) == []


@pytest.mark.parametrize("part", [answer(""), {"function_response": {"response": {}}}])
def test_G5_results_have_names(part: Any) -> None:
    assert broken(USER, model(call("a")), user(part)) == [("G5", "messages[2].parts[0]")]


@pytest.mark.parametrize("role", ["system", "assistant", "function"])
def test_G6_there_are_two_roles(role: str) -> None:
    assert broken(USER, {"role": role, "parts": [text("a")]}, USER) == [("G6", "messages[1]")]
    assert broken({"parts": [text("a")]}) == []
