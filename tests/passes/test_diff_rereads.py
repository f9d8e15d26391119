from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.cases.transcripts import wires
from tests.passes.ingesting import asked, ingest, shell

from trimtab.passes.diff_rereads import DiffRereads, apply, difference
from trimtab.stubs import label
from trimtab.transcript import ToolCall

LINES = (
    "",
    "a",
    "b",
    "b",
    "-a",
    "+a",
    "@@ -1,1 +1,1 @@",
    "[trimtab: the same",
    "é\u2028\x0b",
    "end\r",
    "3\tx",
    "007:",
    "  12→y",
)
MARKS = ("{}\t{}", "{:>6}\t{}", "{}:{}", "{:>3}→{}", "{1}")


@st.composite
def versions(draw: st.DrawFn) -> tuple[str, str]:
    """A text and what became of it; its lines may be numbered."""
    old = draw(st.lists(st.sampled_from(LINES), max_size=25))
    new = list(old)
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, len(new)))
        new[place : place + draw(st.integers(0, 4))] = draw(st.lists(st.sampled_from(LINES), max_size=4))
    mark, first = draw(st.sampled_from(MARKS)), draw(st.integers(0, 1_000))
    one, two = ("\n".join(mark.format(n, line) for n, line in enumerate(lines, first)) for lines in (old, new))
    return one, two


def source(*changed: int, without: int = -1, mark: str = "{n:>6}\t{line}") -> str:
    """A file of which some lines are changed and one is missing."""
    lines = [f"value_{n} = {n * 7}" + " + 1" * (n in changed) for n in range(60) if n != without]
    return "".join(mark.format(n=n, line=line) + "\n" for n, line in enumerate(lines, 1))


@given(versions())
def test_the_new_text_comes_back_from_the_old_one(pair: tuple[str, str]) -> None:
    old, new = pair
    assert apply(old, difference(old, new)) == new


@given(st.text("ab\n1:\t ", max_size=40), st.text("ab\n1:\t ", max_size=40))
def test_any_text_comes_back_from_any_other(old: str, new: str) -> None:
    assert apply(old, difference(old, new)) == new


def test_a_change_reads_as_a_unified_diff_that_names_the_call() -> None:
    call = ToolCall("c1", "read", '{"path":"a.py"}')
    assert difference(source(), source(3), call) == (
        '[trimtab: the same as the result of read {"path":"a.py"} above, with these changes:]\n'
        "@@ -4,1 +4,1 @@\n-     4\tvalue_3 = 21\n+     4\tvalue_3 = 21 + 1"
    )


@pytest.mark.parametrize("mark", ["{n:>6}\t{line}", "{n}→{line}", "{line}"])
def test_a_line_that_is_gone_is_the_only_difference_although_the_numbers_below_it_move(mark: str) -> None:
    old, new = source(mark=mark), source(without=30, mark=mark)
    text = difference(old, new)
    assert text.split("\n")[1:] == ["@@ -31,1 +30,0 @@", "-" + mark.format(n=31, line="value_30 = 210")]
    assert ("numbers below a change move along" in text) == ("{n" in mark)
    assert apply(old, text) == new


def test_lines_that_occur_once_are_found_between_changes() -> None:
    old = [line for n in range(50) for line in (f"def f_{n}():", "    pass", "")]
    new = [
        line
        for n in range(50)
        if n != 20
        for line in (f"def f_{n}():", f"    return {n}" if n == 9 else "    pass", "")
    ]
    assert len(difference("\n".join(old), "\n".join(new)).split("\n")) == 8


def test_a_line_that_moved_to_the_end_is_all_that_differs() -> None:
    old = [f"import {word}" for word in ("zlib", "ast", "csv", "dis", "json", "math")]
    new = [*old[1:], old[0]]
    assert difference("\n".join(old), "\n".join(new)).split("\n")[1:] == [
        "@@ -1,1 +0,0 @@", "-import zlib", "@@ -6,0 +6,1 @@", "+import zlib"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["[trimtab: x]\nno hunk", "[trimtab: x]\n@@ -1,1 +1,1 @@\n-a\n+b\nmore", "[x]\n@@ -1 +1 @@"]
)
def test_what_is_no_difference_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="hunk"):
        apply("a", text)


@wires
def test_a_file_that_is_read_again_is_sent_as_its_changes(wire: str) -> None:
    ran = [asked("read", source(*changed), path="a.py") for changed in ((), (3,), (3, 40))]
    first, second, third = ingest([DiffRereads()], *ran, wire=wire)
    assert first == source()
    assert apply(first, second) == source(3)
    assert apply(first, third) == source(3, 40)
    assert all(label(ToolCall("", "read", "")) in one for one in (second, third))


def test_another_call_and_another_text_are_sent_whole() -> None:
    other = "".join(f"something else {n}\n" for n in range(60))
    ran = [
        asked("read", source(), path="a.py"),
        asked("read", source(3), path="b.py"),
        asked("read", other, path="a.py"),
    ]
    assert ingest([DiffRereads()], *ran) == [one.text for one in ran]


def test_the_same_command_that_says_nearly_the_same_is_a_difference() -> None:
    one = "".join(f"tests/test_tax.py::test_{n} PASSED\n" for n in range(40))
    sent = ingest([DiffRereads()], shell("pytest", one + "in 0.31 s"), shell("pytest", one + "in 0.35 s"))
    assert sent[1].split("\n")[1:] == ["@@ -41,1 +41,1 @@", "-in 0.31 s", "+in 0.35 s"]


@pytest.mark.parametrize("unit", ["a\n", "a\nb\n", "1\n", "\n"])
def test_long_hostile_texts_end(unit: str) -> None:
    old, new = unit * 12_000, "x\n" + unit * 11_000 + "y\n" + unit * 2_000
    assert apply(old, difference(old, new)) == new
    many = "\n".join(f"{n * 7919 % 20_000}" for n in range(20_000))
    assert apply(many, difference(many, many[::-1])) == many[::-1]
