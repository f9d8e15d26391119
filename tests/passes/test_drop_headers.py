from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.cases.transcripts import wires
from tests.passes.ingesting import ingest, shell

from trimtab.passes.drop_headers import DropHeaders, lengthen, shorten


def header(
    ended: str = "exited with code 1", chunk: str = "a696c4", time: str = "0.6197", tokens: int = 379
) -> str:
    return (
        f"Chunk ID: {chunk}\nWall time: {time} seconds\nProcess {ended}\nOriginal token count: {tokens}\nOutput:\n"
    )


@wires
def test_the_header_of_an_output_becomes_one_line_with_all_it_said(wire: str) -> None:
    output = "FAILED tests/test_tax.py::test_rate\n" * 3
    brief = "[exit code 1, 0.6197 s, 379 tokens, chunk a696c4]\n"
    assert ingest([DropHeaders()], shell("pytest", header() + output), wire=wire) == [brief + output]


def test_a_session_that_goes_on_keeps_its_number() -> None:
    brief = shorten(header("running with session ID 41") + "waiting")
    assert brief == "[running, session ID 41, 0.6197 s, 379 tokens, chunk a696c4]\nwaiting"


@given(
    st.sampled_from(["exited with code 0", "exited with code -9", "running with session ID 7"]),
    st.text(alphabet="0123456789abcdef", min_size=1),
    st.floats(0, 1e6).map("{:.4f}".format),
    st.integers(0, 10**9),
    st.text(),
)
def test_the_header_comes_back_exactly(ended: str, chunk: str, time: str, tokens: int, output: str) -> None:
    text = header(ended, chunk, time, tokens) + output
    brief = shorten(text)
    assert lengthen(brief) == text
    assert len(brief) < len(text)
    assert shorten(brief) == brief


@pytest.mark.parametrize(
    "text",
    [
        "\n" + header(),
        header().replace("Wall time: 0.6197 seconds\n", ""),
        header("died"),
        header(chunk="not hexadecimal"),
        "[exit code 0, 1 s, 2 tokens, chunk a]\n",
    ],
)
def test_any_other_beginning_stays(text: str) -> None:
    assert shorten(text) == text
