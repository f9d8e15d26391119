"""The ledger as text: entries, excerpts of beginnings, what was asked again, and the files that calls name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from trimtab import ledger
from trimtab.edits import At
from trimtab.ledger import Made
from trimtab.stubs import HANDLE, ledger_lines, ledger_stub
from trimtab.transcript import Media, Message, Part, Role, Text, ToolCall, ToolResult

HANDLE_ = "t:0123456789abcdef"


def call(name: str = "read", arguments: str = '{"path":"a.py"}') -> ToolCall:
    return ToolCall("", name, arguments)


def exchange(number: int, made: ToolCall, text: str = "x") -> list[tuple[bytes, Message]]:
    name = f"{number}".encode()
    return [
        (name + b"c", Message(Role.ASSISTANT, (Text("Next."), made))),
        (name + b"r", Message(Role.TOOL, (ToolResult(made.id, text),))),
    ]


def test_calls_stand_in_order_with_all_parts_of_their_results() -> None:
    parts = (ToolResult("1", "a"), Media("image/png", "", 5, "1"))
    messages = [
        (b"c", Message(Role.ASSISTANT, (ToolCall("1", "shot", "{}"), ToolCall("2", "read", "{}")))),
        (b"r", Message(Role.USER, parts)),
    ]
    assert ledger.calls_made(messages) == [
        Made(At(b"c", 0), ToolCall("1", "shot", "{}"), (At(b"r", 0), At(b"r", 1))),
        Made(At(b"c", 1), ToolCall("2", "read", "{}")),
    ]


def test_an_entry_is_a_title_and_what_the_call_gave() -> None:
    shown: list[Part] = [ToolResult("", "one\n", is_error=True), Media("image/png", "", 5, "")]
    assert (
        ledger.entry(call(), shown) == 'read({"path":"a.py"}) =\n[this call failed]\none\n[image/png, not shown]'
    )
    assert ledger.title(ToolCall("", "", '{\n"a": 1}')) == 'tool({ "a": 1}) ='


def test_a_beginning_tells_how_much_is_cut_and_from_which_line() -> None:
    text = "one\ntwo\nthree\n"
    assert ledger.beginning(text, 4, HANDLE_).startswith("one\n… [trimtab: the first 4 of 14 characters; ")
    assert f"trimtab recall {HANDLE_} --lines 2-3," in ledger.beginning(text, 4, HANDLE_)
    assert f"trimtab recall {HANDLE_} --lines 2-3," in ledger.beginning(text, 6, HANDLE_)
    assert f"trimtab recall {HANDLE_}, or" in ledger.beginning("x" * 50, 4, HANDLE_)


@given(st.text(), st.integers(0, 50))
def test_the_lines_that_a_beginning_names_hold_all_that_is_cut(text: str, keep: int) -> None:
    if len(text) <= keep:
        return
    made = ledger.beginning(text, keep, HANDLE_)
    shown, _, stub = made.rpartition("… [trimtab: the first ")
    assert text.startswith(shown)
    assert len(shown) <= keep
    assert HANDLE.findall(stub) == [HANDLE_]
    first = int((re.search(r"--lines (\d+)", stub) or ["", "1"])[1])
    rows = text.splitlines(keepends=True) if first > 1 else [text]
    assert len("".join(rows[: first - 1])) <= len(shown) or first == 1


def test_made_again_is_the_latest_of_the_same_calls() -> None:
    first, other, again, last = (
        exchange(0, call()),
        exchange(1, call(arguments='{"path":"b.py"}')),
        exchange(2, call(arguments='{ "path": "a.py" }')),
        exchange(3, call()),
    )
    assert ledger.made_again([*first, *other]) == set()
    assert ledger.made_again([*first, *other, *again]) == {At(b"2r", 0)}
    assert ledger.made_again([*first, *other, *again, *last]) == {At(b"3r", 0)}


def test_a_call_in_an_earlier_ledger_was_made_before() -> None:
    text = f"{ledger_stub(4, HANDLE_)}\n{ledger.entry(call(), [ToolResult('', 'x')])}"
    note = (b"note", Message(Role.USER, (Text(text),)))
    spoof = (b"note", Message(Role.TOOL, (ToolResult("", text),)))
    assert ledger.made_again([note, *exchange(1, call())]) == {At(b"1r", 0)}
    assert ledger.made_again([spoof, *exchange(1, call())]) == set()


def test_the_ledger_of_a_run_keeps_the_lines_of_an_earlier_one() -> None:
    earlier = "user: Look.\nread({}) =\nx"
    run = [(b"n", Message(Role.USER, (Text(f"{ledger_stub(4, HANDLE_)}\n{earlier}"),))), *exchange(1, call())]
    parts = {At(name, n): part for name, message in run for n, part in enumerate(message.parts)}
    lines = list(ledger.told(run, ledger.calls_made(run), parts.__getitem__, set(), 400))
    assert "\n".join(lines) == f'{earlier}\nread({{"path":"a.py"}}) =\nx'


@given(
    st.lists(
        st.sampled_from(["user: a", "assistant: b", "read(x) =", "## Task", ledger.FAILED, "plain", ""]),
        min_size=1,
    )
)
def test_no_line_of_a_result_reads_as_one_of_the_ledger(rows: list[str]) -> None:
    text = "\n".join(rows)
    lines = ledger.tame(text).split("\n")
    assert [line.removeprefix(" ") for line in lines] == rows
    assert all(line.startswith(" ") == (row not in ("plain", "")) for line, row in zip(lines, rows, strict=True))
    assert ledger_lines(ledger.tame(f"{ledger_stub(2, HANDLE_)}\n{text}")) is None


def test_the_chat_is_what_users_say_and_answers_without_calls() -> None:
    assert ledger.chat(Message(Role.USER, (Text("a"), Media("image/png", "", 5)))) == "a\n[image/png, not shown]"
    assert ledger.chat(Message(Role.ASSISTANT, (Text(" b "),))) == "b"
    assert ledger.chat(Message(Role.ASSISTANT, (Text("c"), call()))) == ""
    assert ledger.chat(Message(Role.USER, (ToolResult("", "d"), Text("e")))) == ""
    assert ledger.chat(Message(Role.SYSTEM, (Text("f"),))) == ""


@pytest.mark.parametrize(
    ("name", "arguments", "found"),
    [
        ("read_file", '{"path": "a"}', ("read", ["a"])),
        ("WriteFile", '{"file_path": "a", "content": "path"}', ("written", ["a"])),
        ("str_replace_based_edit_tool", '{"command": "view", "path": "a"}', ("read", ["a"])),
        ("str_replace_based_edit_tool", '{"command": "str_replace", "path": "a"}', ("written", ["a"])),
        (
            "apply_patch",
            '{"input": "*** Begin Patch\\n*** Update File: a\\n*** Add File: b"}',
            ("written", ["a", "b"]),
        ),
        ("bash", '{"command": "cat a", "path": "a"}', ("read", [])),
        ("list_files", '{"path": "."}', ("read", [])),
        ("read_file", '["path"]', ("read", [])),
        ("read_file", "not json", ("read", [])),
    ],
)
def test_files_that_a_call_names(name: str, arguments: str, found: tuple[str, list[str]]) -> None:
    assert ledger.files_of(ToolCall("", name, arguments)) == found
