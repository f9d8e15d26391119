"""What a conversation is about."""

from __future__ import annotations

from trimtab.edits import At
from trimtab.interest import AFTER, AGAIN, BEFORE, NEWEST, TASK, interest, said
from trimtab.transcript import Message, Role, Text, ToolCall, ToolResult


def messages() -> list[tuple[bytes, Message]]:
    """A task, a step with its result, a word on that, and a new question."""
    return [
        (b"task", Message(Role.USER, (Text("Why was invoice 20413 refused by the ledger?"),))),
        (
            b"call",
            Message(Role.ASSISTANT, (Text("Rounding first."), ToolCall("c", "read", '{"path": "src/tax.py"}'))),
        ),
        (b"result", Message(Role.TOOL, (ToolResult("c", "def settle(amount):\n    return cut_at\n"),))),
        (b"said", Message(Role.ASSISTANT, (Text("The fallback tells nothing, a fallback never does."),))),
        (b"newest", Message(Role.USER, (Text("Then which setting?"),))),
    ]


def test_the_newest_turn_counts_more_than_the_task() -> None:
    asked = interest(messages()).asked
    assert (asked["set"], asked["invoic"]) == (NEWEST, TASK)


def test_numbers_and_ids_are_identifiers_and_no_words() -> None:
    found = interest(messages())
    assert not any(stem.isdigit() for stem in found.asked)
    assert "20413" in found.said


def test_paths_and_keys_of_arguments_are_no_words() -> None:
    assert not {"path", "src", "py"} & interest(messages()).asked.keys()


def test_what_is_said_around_a_result_counts_for_that_result() -> None:
    found = interest(messages())
    near = found.wanted(At(b"result", 0))
    assert near["round"] == BEFORE
    assert near["fallback"] == AFTER * AGAIN
    assert near["set"] == NEWEST
    assert found.wanted(At(b"newest", 0))["round"] < BEFORE


def test_names_are_known_by_the_parts_that_use_them() -> None:
    found = interest(messages())
    assert list(found.used["cut_at"]) == [At(b"result", 0)]
    assert "settle" in found.used
    assert "src/tax.py" in found.said
    assert "cut_at" not in found.said


def test_an_empty_conversation_is_about_nothing() -> None:
    assert interest([]).asked == {}


def test_a_word_without_end_takes_linear_time() -> None:
    text = "x" * 300_000
    call = ToolCall("c", "run", text)
    assert interest([(b"m", Message(Role.ASSISTANT, (Text(text), call)))]).said == frozenset()


def test_what_was_said_can_be_had_without_reading_results() -> None:
    assert said(messages()) == interest(messages()).said
    assert "cut_at" not in said(messages())
