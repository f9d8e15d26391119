"""The survival report of a compaction."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings, strategies as st
from tests.noted import with_note

from trimtab import Compactor, survival
from trimtab.testing import conversation, exchange, lines, memory_store

TRACE = (
    'a_1 b_2\nTraceback (most recent call last):\n  File "a.py", line 3, in run\n    run()\nOSError: disk_full 7\n'
)


def talk(*texts: str) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Mend it."}]
    for number, text in enumerate(texts):
        messages += exchange("anthropic", f"c{number}", f"{number}.log", text)
    return messages


def test_nothing_is_hidden_where_nothing_was_cut() -> None:
    report = survival(talk(TRACE), talk(TRACE))
    assert (report.hidden, report.lost, report.parts) == (0, 0, ())
    assert report.lines == 1
    assert report.atoms >= 3


def test_what_is_hidden_is_told_by_part_with_its_handle() -> None:
    messages = talk(lines(300, "w").replace("value", "INV-204"), *[lines(600, f"f{n}") for n in range(6)])
    compactor = Compactor(store=memory_store(), budget=1_500)
    result = compactor.compact(messages)
    report = survival(result.payload, messages, compactor)
    assert report == survival(result.payload, None, compactor) == survival(result.payload, messages)
    one = next(one for one in report.parts if "INV-204" in one.atoms)
    assert (one.place, one.role, one.what) == ("messages[2] part 0", "user", 'read {"path":"0.log"}')
    assert one.recoverable
    assert "INV-204" in compactor.recall(one.handle).text
    assert report.lost == 0
    assert report.hidden == sum(len(one.atoms) + len(one.lines) for one in report.parts)
    assert f"{one.place}  {one.what}  {one.handle}" in str(report)


def test_what_others_cut_is_lost_failing_lines_too() -> None:
    messages = talk(TRACE, "fine")
    report = survival([messages[0], *messages[3:]], messages)
    (one,) = [one for one in report.parts if one.lines]
    assert one.lines == ("OSError: disk_full 7",)
    assert {"a_1", "b_2", "disk_full"} <= set(one.atoms)
    assert not one.recoverable
    assert report.lost == report.hidden
    assert "not stored" in str(report)


def test_what_stands_elsewhere_is_not_hidden_and_each_is_told_once_where_it_was_last() -> None:
    messages = talk("a_1 b_2 src/c.py", "b_2 d_4", "see /w/src/c.py:12 and a_1")
    report = survival([messages[0], *messages[5:]], messages)
    assert [one.place for one in report.parts if "b_2" in one.atoms] == ["messages[4] part 0"]
    assert not any("src/c.py" in one.atoms or "a_1" in one.atoms for one in report.parts)


def test_messages_that_gave_way_to_a_note_come_back_by_the_notes_handle() -> None:
    payload = conversation(exchanges=4)
    compactor, result = with_note(payload)
    report = survival(result.payload, payload, compactor)
    assert report.hidden > 0
    assert report.lost == 0
    for one in report.parts:
        assert one.atoms[0] in compactor.recall(one.handle, whole=True).text


@given(
    st.lists(
        st.text(max_size=40) | st.sampled_from(["a_1 ", "x/y.py:3\n", TRACE, "\ud83d_1", "a" * 300]), max_size=6
    )
)
@settings(max_examples=40)
def test_the_counts_add_up_whatever_was_cut(texts: list[str]) -> None:
    messages = talk(*texts)
    report = survival(messages[:1], messages)
    assert report.hidden == report.lost == report.atoms + report.lines
    told = [atom for one in report.parts for atom in (*one.atoms, *one.lines)]
    assert len(told) == report.hidden
    assert report.to_dict()["hidden"] == report.hidden
    str(report)
