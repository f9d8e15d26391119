from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.cases.transcripts import wires
from tests.passes.ingesting import asked, ingest

from trimtab.passes.narrow_numbers import NarrowNumbers, narrow, widen, width_of

words = st.text(alphabet=st.sampled_from("a 1\t→é"), max_size=8)


def numbered(lines: list[str], first: int = 1, width: int = 6, mark: str = "\t") -> str:
    return "".join(f"{n:>{width}}{mark}{line}\n" for n, line in enumerate(lines, first))


@wires
def test_the_padding_of_a_file_that_was_read_goes(wire: str) -> None:
    lines = [f"value_{n} = {n}" for n in range(60)]
    head, tail = "Here is the file:\n", "\n<reminder>3 more</reminder>\n"
    text = head + numbered(lines, 980) + tail
    plain = head + "".join(f"{n}\t{line}\n" for n, line in enumerate(lines, 980)) + tail
    assert ingest([NarrowNumbers()], asked("read", text, path="a.py"), wire=wire) == [plain]


@given(
    st.lists(words, min_size=3, max_size=30),
    st.integers(1, 99_990),
    st.integers(1, 8),
    st.sampled_from("\t→"),
    st.lists(words.map(lambda word: f"-{word}\n"), max_size=3).map("".join),
)
def test_the_width_brings_the_padding_back(
    lines: list[str], first: int, width: int, mark: str, other: str
) -> None:
    text = other + numbered(lines, first, width, mark) + other
    once = narrow(text)
    assert widen(once, width) == text
    assert narrow(once) == once
    assert len(once) <= len(text)
    assert once.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "     7\tone line\n" * 50,
        "     1\ta\n     3\tb\n     9\tc\n" * 9,
        "".join(f"  {n} words\n" for n in range(1, 60)),
        "".join(f"{' ' * (n % 3)}{n}\tline\n" for n in range(1, 60)),
    ],
    ids=["the same number", "not consecutive", "no mark", "ragged"],
)
def test_what_are_no_padded_line_numbers_stays(text: str) -> None:
    assert ingest([NarrowNumbers()], asked("read", text, path="a")) == [text]


def test_long_hostile_texts_end() -> None:
    for text in (" " * 300_000, "\n" * 300_000, " 1" * 150_000, "1\t" * 150_000):
        assert widen(narrow(text), width_of(text)) == text
