from __future__ import annotations

from hypothesis import given, strategies as st

from trimtab.invariants import Pairing, pair, place
from trimtab.transcript import Media, Message, Path, Role, Text, ToolCall, ToolResult

USER = Message(Role.USER, (Text("go on"),))


def calls(*ids: str) -> Message:
    parts = [ToolCall(one, "read", "{}", ("tool_calls", n, "function", "arguments")) for n, one in enumerate(ids)]
    return Message(Role.ASSISTANT, tuple(parts))


def result(call_id: str) -> Message:
    return Message(Role.TOOL, (ToolResult(call_id, "text", path=("content",)),))


def results(*ids: str) -> Message:
    parts = [ToolResult(one, "text", path=("content", n, "content")) for n, one in enumerate(ids)]
    return Message(Role.USER, tuple(parts))


def rules(*messages: Message) -> list[tuple[str, str]]:
    return [(one.rule, one.place) for one in pair(messages).findings]


def test_place_reads_like_the_request() -> None:
    path: Path = ("content", 0, "text")
    assert place(4, path) == "messages[4].content[0].text"
    assert place(4) == "messages[4]"


def test_parallel_calls_may_be_answered_in_any_order() -> None:
    paired = pair([calls("a", "b"), result("b"), result("a"), USER])
    assert paired.answers == {(1, 0): (0, 1), (2, 0): (0, 0)}
    assert paired.findings == []
    assert pair([calls("a", "b"), results("b", "a")]).answers == {(1, 0): (0, 1), (1, 1): (0, 0)}


def test_PAIR_16_one_id_for_every_call() -> None:
    paired = pair([calls("X"), result("X"), calls("X"), result("X"), calls("X"), result("X"), USER])
    assert paired.answers == {(1, 0): (0, 0), (3, 0): (2, 0), (5, 0): (4, 0)}
    assert paired.findings == []


def test_PAIR_16_one_id_for_parallel_calls_pairs_in_order() -> None:
    assert pair([calls("X", "X"), results("X", "X")]).answers == {(1, 0): (0, 0), (1, 1): (0, 1)}
    separate = pair([calls("X", "X"), result("X"), result("X"), USER])
    assert separate.answers == {(1, 0): (0, 0), (2, 0): (0, 1)}
    assert separate.findings == []


def test_PAIR_18_ids_that_count_anew_each_round() -> None:
    rounds = [message for _ in range(3) for message in (calls("search:0"), results("search:0"))]
    paired = pair(rounds)
    assert paired.answers == {(1, 0): (0, 0), (3, 0): (2, 0), (5, 0): (4, 0)}
    assert paired.findings == []


def test_a_result_of_several_parts_is_one_answer() -> None:
    parts = (
        ToolResult("a", "x", path=("content", 0, "text")),
        Media("image/png", "", 1, "a", ("content", 1)),
    )
    assert pair([calls("a", "a"), Message(Role.TOOL, parts)]).answers == {(1, 0): (0, 0), (1, 1): (0, 0)}
    inside = ("content", 0, "content")
    blocks = (ToolResult("a", "x", path=(*inside, 0, "text")), Media("image/png", "", 1, "a", (*inside, 1)))
    assert pair([calls("a"), Message(Role.USER, blocks)]).answers == {(1, 0): (0, 0), (1, 1): (0, 0)}


def test_calls_without_ids_pair_by_position() -> None:
    paired = pair([calls(""), result(""), calls(""), result("")])
    assert paired.answers == {(1, 0): (0, 0), (3, 0): (2, 0)}
    assert paired.findings == []


def test_PAIR_01_a_result_whose_call_is_gone() -> None:
    assert rules(USER, result("c1"), USER) == [("orphan", "messages[1].content")]
    assert rules(results("c1")) == [("orphan", "messages[0].content[0]")]


def test_a_second_result_for_one_call_is_an_orphan() -> None:
    assert rules(calls("a"), result("a"), result("a")) == [("orphan", "messages[2].content")]


def test_PAIR_21_an_open_call_at_the_end_is_no_finding() -> None:
    assert rules(USER, calls("z")) == []
    assert rules(calls("a", "b"), result("a")) == []


def test_PAIR_22_a_call_that_was_never_answered() -> None:
    assert rules(USER, calls("c1"), USER, Message(Role.ASSISTANT, (Text("yes"),))) == [
        ("unanswered", "messages[1].tool_calls[0]")
    ]


def test_a_user_message_between_call_and_result_breaks_both_but_links_them() -> None:
    paired = pair([calls("a"), USER, result("a")])
    assert [one.rule for one in paired.findings] == ["unanswered", "orphan"]
    assert paired.answers == {(2, 0): (0, 0)}


def test_a_missing_result_in_the_next_message_is_found_at_once() -> None:
    assert rules(calls("a", "b"), results("a")) == [("unanswered", "messages[0].tool_calls[1]")]


def test_assistant_messages_in_a_row_are_one_where_the_provider_merges_them() -> None:
    row = [USER, calls("a"), calls("b", "a"), results("b", "a", "a")]
    merged = pair(row, merges=True)
    assert merged.findings == []
    assert merged.answers == {(3, 0): (2, 0), (3, 1): (1, 0), (3, 2): (2, 1)}
    assert [one.rule for one in pair(row).findings] == ["unanswered", "orphan"]
    assert [one.rule for one in pair([calls("a"), USER, calls("b"), USER], merges=True).findings] == [
        "unanswered",
        "unanswered",
    ]


def test_a_late_result_answers_the_nearest_passed_over_call() -> None:
    paired = pair([calls("X"), USER, calls("X"), USER, result("X"), result("X")])
    assert paired.answers == {(4, 0): (2, 0), (5, 0): (0, 0)}
    paired = pair([calls("X", "X"), USER, result("X"), result("X")])
    assert paired.answers == {(2, 0): (0, 0), (3, 0): (0, 1)}


def test_pair_20_identical_parallel_calls_stay_two() -> None:
    paired = pair([calls("A", "B"), results("A", "B")])
    assert set(paired.answers.values()) == {(0, 0), (0, 1)}


@given(
    st.lists(
        st.one_of(
            st.lists(st.sampled_from("ab"), max_size=3).map(lambda ids: calls(*ids)),
            st.lists(st.sampled_from("ab"), max_size=3).map(lambda ids: results(*ids)),
            st.sampled_from("ab").map(result),
            st.just(USER),
        ),
        max_size=12,
    )
)
def test_every_call_is_answered_once_at_most_and_only_from_later(messages: list[Message]) -> None:
    paired = Pairing[int]()
    for index, message in enumerate(messages):
        before = dict(paired.answers)
        paired.feed(index, index, message)
        assert before.items() <= paired.answers.items()
    for (there, number), (here, call) in paired.answers.items():
        assert here < there
        answer, made = messages[there].parts[number], messages[here].parts[call]
        assert isinstance(answer, ToolResult)
        assert isinstance(made, ToolCall)
        assert answer.call_id == made.id
    assert len(set(paired.answers.values())) == len(paired.answers)
    answers = sum(isinstance(part, ToolResult) for one in messages for part in one.parts)
    unlinked = sum("no open call" in finding.text for finding in paired.findings)
    assert len(paired.answers) + unlinked == answers


def test_a_result_that_names_no_call_answers_the_earliest_open_one() -> None:
    paired = pair([calls("a", "b", "c"), results("b", "", ""), USER])
    assert paired.answers == {(1, 0): (0, 1), (1, 1): (0, 0), (1, 2): (0, 2)}
    assert pair([calls("a"), calls("b"), results("", "")], merges=True).answers == {(2, 0): (0, 0), (2, 1): (1, 0)}
    assert pair([calls("a"), results(""), calls("b"), results("")]).answers == {(1, 0): (0, 0), (3, 0): (2, 0)}


def test_a_result_that_names_no_call_is_still_a_finding() -> None:
    assert rules(calls("a"), results(""), USER) == [
        ("orphan", "messages[1].content[0]"),
        ("unanswered", "messages[0].tool_calls[0]"),
    ]


def test_a_medium_beside_a_result_answers_with_it() -> None:
    first, second = (ToolResult("X", "text", path=("parts", n, "response")) for n in (0, 2))
    beside = Media("image/png", "", 9, "X", ("parts", 1))
    paired = pair([calls("X", "X"), Message(Role.USER, (first, beside, second))])
    assert paired.answers == {(1, 0): (0, 0), (1, 1): (0, 0), (1, 2): (0, 1)}
    assert paired.findings == []
