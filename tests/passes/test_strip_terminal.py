from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.cases.transcripts import wires
from tests.passes.ingesting import asked, ingest, shell

from trimtab.passes.strip_terminal import StripTerminal, as_shown, without_codes

PIECES = (
    "\x1b",
    "[",
    "]",
    "0;",
    "31m",
    "m",
    "K",
    "2K",
    "\x07",
    "\\",
    "\r",
    "\n",
    "\r\n",
    "\x08",
    " ",
    "\t",
    "(B",
    "é",
    "ab",
)
hostile = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\x1b[31mE\x1b[0m failed", "E failed"),
        ("\x1b[38;5;196mred\x1b[m", "red"),
        ("\x1b]0;npm test\x07> test", "> test"),
        ("\x1b]633;A\x1b\\$ ls", "$ ls"),
        ("\x1b(B\x1b[?25lwait\x1b[?25h", "wait"),
        ("\x1b7saved\x1b8", "saved"),
        (" 10%\r 55%\r100%\ndone", "100%\ndone"),
        ("loading...\r\x1b[Kdone", "done"),
        ("loading...\x1b[2K\x1b[1Gdone", "done"),
        ("abcdef\rxy", "xycdef"),
        ("|\x08/\x08-\x08ok", "ok"),
        ("one \t\ntwo\t \r\nthree  ", "one\ntwo\r\nthree"),
        ("a\n\n\n\n\n\nb", "a\n\n\nb"),
        ("a\r\n\r\n \r\n\r\n\r\nb", "a\r\n\r\n\r\nb"),
    ],
)
def test_a_text_reads_as_a_terminal_shows_it(given: str, shown: str) -> None:
    assert as_shown(given) == shown


@pytest.mark.parametrize(
    "text",
    [
        r'print("\u001b[31mred")',
        r"\x1b[0m and \033[1m",
        "a\n\n\nb",
        "  indented\n\tlines\r\n",
        "a bare \x1b stays",
        "\x1b]8;;https://example.org/a\x1b\\link",
        "pty lines\r\r\nend alike\r\n\r",
    ],
)
def test_what_is_no_terminal_code_stays(text: str) -> None:
    assert as_shown(text) == text


def test_what_was_read_from_a_file_keeps_its_blanks_and_returns() -> None:
    text = "old mac line\rnext line  \n" * 40
    assert ingest([StripTerminal()], asked("read", text, path="a.txt"), shell("cat a.txt", text)) == [text, text]
    assert ingest([StripTerminal()], shell("make", text)) == ["next line  e\n" * 40]


@wires
def test_the_output_of_a_command_loses_its_colours_and_comes_back(wire: str) -> None:
    text = "".join(f"\x1b[32m✓\x1b[0m test {n} \x1b[90m({n} ms)\x1b[0m   \n" for n in range(40))
    plain = "".join(f"✓ test {n} ({n} ms)\n" for n in range(40))
    assert ingest([StripTerminal()], shell("npm test 2>&1 | tail -50", text), wire=wire) == [plain]


def test_a_result_of_codes_alone_stays() -> None:
    assert ingest([StripTerminal()], shell("clear", "\x1b[2J\x1b[H" * 30)) == ["\x1b[2J\x1b[H" * 30]


@given(hostile)
def test_nothing_grows_and_twice_is_once(text: str) -> None:
    for shown in (as_shown, without_codes):
        once = shown(text)
        assert len(once) <= len(text)
        assert shown(once) == once


@given(st.text(alphabet=st.characters(exclude_characters="\x1b\x08\r \t\n")))
def test_visible_characters_are_never_touched(text: str) -> None:
    assert as_shown(text) == text


@pytest.mark.parametrize(
    "unit", ["\x1b[", "\x1b]8;", "\x1b]", "\x1b[2Kx", "x\r", "\x08", "\r", " \r", "\r\n ", "\x1b[0", "x\x1b[K\r"]
)
def test_long_hostile_texts_end(unit: str) -> None:
    text = "x" * 100_000 + unit * 100_000
    assert len(as_shown(text)) <= len(text)
