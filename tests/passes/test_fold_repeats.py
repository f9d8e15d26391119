from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.cases.transcripts import wires
from tests.passes.ingesting import ingest, shell

from trimtab.passes.fold_repeats import FoldRepeats, folded, unfold

ENDS = ("", "\n", "\r\n")
LINES = ("", "x", "x 0", "x  9", "007", "1", "12:59", "[trimtab: 3 lines", "9" * 30, "é\u2028", "a\x0bb", "no\r")
PATTERNS = ("line {}", "{}", "{:>4} of {}", "{:03} ok", "-{}", "t={}.{}", "{}\t", "[ {}/ 100]", "id {}{}")


@st.composite
def runs(draw: st.DrawFn) -> str:
    """Lines that repeat or count on, between others."""
    lines = list[str]()
    for _ in range(draw(st.integers(0, 4))):
        pattern, size = draw(st.sampled_from(PATTERNS)), draw(st.integers(1, 14))
        first, step = draw(st.integers(0, 1_100)), draw(st.integers(-12, 12))
        other = draw(st.integers(0, 3))
        lines += [draw(st.sampled_from(LINES))] * draw(st.integers(0, 8))
        lines += [pattern.format(first + step * n, first * 3 + other * n) for n in range(size)]
    return draw(st.sampled_from(["\n", "\n", "\r\n"])).join(lines) + draw(st.sampled_from(ENDS))


@pytest.mark.parametrize(
    ("lines", "brief"),
    [
        (["waiting for the server to start"] * 12, ["{0}", "[trimtab: the line above 11 more times]"]),
        (
            [f"epoch {n}: step {n + 100} done" for n in range(8, 21)],
            ["{0}", "[trimtab: 11 lines between these two, numbers by +1]", "{1}"],
        ),
        (
            [f"[{n:>3}/100] file_{n:04}.o compiled" for n in range(7, 101)],
            ["{0}", "[trimtab: 92 lines between these two, numbers by +1]", "{1}"],
        ),
        (
            [f"{n} seconds left to wait" for n in range(30, 0, -2)],
            ["{0}", "[trimtab: 13 lines between these two, numbers by -2]", "{1}"],
        ),
    ],
    ids=["equal", "counting", "padded", "down"],
)
def test_a_run_becomes_its_ends_and_a_count(lines: list[str], brief: list[str]) -> None:
    text = "\n".join(["before", *lines, "after"])
    assert folded(text).split("\n") == ["before", *(row.format(lines[0], lines[-1]) for row in brief), "after"]


@pytest.mark.parametrize(
    "text",
    [
        "short\n" * 4,
        "\n".join(["1 a", "2 a", "3 a", "4 a", "6 a", "8 a"]),
        "\n".join(["x", "[trimtab: the line above 3 more times]", *["same line here as before"] * 30]),
        "\n".join(["1", "2", "3", "4", "5", "6"]),
        "\n".join(f"epoch {n}: step {n * 100} done" for n in range(8, 21)),
    ],
    ids=["few", "uneven", "a marker in it", "saves nothing", "numbers that say more than a count"],
)
def test_what_is_no_such_run_stays(text: str) -> None:
    assert folded(text) == text


def test_the_one_line_that_differs_is_shown() -> None:
    text = "\n".join(f"tests/test_tax.py::test_{n} exit code {int(n == 50)}" for n in range(100))
    assert "tests/test_tax.py::test_50 exit code 1" in folded(text).split("\n")
    assert len(folded(text).split("\n")) == 7


@given(runs())
def test_every_line_comes_back(text: str) -> None:
    brief = folded(text)
    assert unfold(brief) == text
    assert len(brief) <= len(text)
    assert folded(brief) == brief


@given(st.text(alphabet="a01 \n\r"))
def test_any_text_comes_back(text: str) -> None:
    assert unfold(folded(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "[trimtab: the line above 3 more times]",
        "a\n[trimtab: 3 lines between these two, x]",
        "a 1\n[trimtab: 3 lines between these two, x]\na 4",
        "a 1\n[trimtab: 3 lines between these two, x]\nb 5",
    ],
)
def test_a_marker_that_stands_for_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="marker"):
        unfold(text)


@wires
def test_the_output_of_a_command_is_folded(wire: str) -> None:
    text = "start\n" + "connection refused, trying again\n" * 40 + "gave up\n"
    (sent,) = ingest([FoldRepeats()], shell("make wait", text), wire=wire)
    assert sent.count("\n") == 4
    assert unfold(sent) == text


@pytest.mark.parametrize(
    "text",
    ["1 " * 200_000, "a\n" * 100_000, "1\n2\n4\n" * 30_000, "7" * 300_000, " " * 300_000, "1 1 1 1\n" * 50_000],
    ids=["numbers", "lines", "broken runs", "digits", "blanks", "numbers in lines"],
)
def test_long_hostile_texts_end(text: str) -> None:
    assert unfold(folded(text)) == text
