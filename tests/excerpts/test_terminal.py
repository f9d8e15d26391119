from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import STRUCTURE, VERDICT
from trimtab.excerpts.terminal import Terminal

READ = Terminal().read
SHELL = """\
$ git status
On branch main
needle one

$ pytest -q
E   assert 1 == 2
3 failed, 97 passed in 2.1s
[exit code: 1]
$ ls
README.md
exit code 0
"""
NAMED = "me@box:~/project$ make\ncc -c a.c\n$ HOME is not set\nme@box:~/project$ echo $?\n2\nme@box:~/project$ \n"
PYTHON = """\
>>> import app
>>> app.go(
...     1)
Traceback (most recent call last):
  File "<stdin>", line 1, in <module>
ValueError: needle
>>>
"""
BARS = "".join(f"Downloading  {n}% [{'#' * (n // 10)}]\r" for n in range(101)) + "Downloading 100% done\n"


def test_output_needs_its_command() -> None:
    outline = READ(SHELL)
    assert outline is not None
    check(SHELL, outline)
    assert above(SHELL, outline, "needle one") == ["$ git status"]
    assert above(SHELL, outline, "README.md") == ["$ ls"]
    assert unit_of(SHELL, outline, "$ pytest").weight == STRUCTURE
    assert unit_of(SHELL, outline, "[exit code: 1]").weight == VERDICT
    assert unit_of(SHELL, outline, "[exit code: 1]").why == "exit"
    assert unit_of(SHELL, outline, "exit code 0").why == "exit 0"
    assert unit_of(SHELL, outline, "3 failed").weight == VERDICT
    assert unit_of(SHELL, outline, "On branch").weight == 0
    assert outline.sums == "3 commands, 1 ended with an exit code other than 0, `git status`, `pytest -q`, `ls`"


def test_named_prompts_and_the_status_that_was_asked_for() -> None:
    outline = READ(NAMED)
    assert outline is not None
    check(NAMED, outline)
    assert above(NAMED, outline, "$ HOME") == ["me@box:~/project$ make"]
    assert unit_of(NAMED, outline, "2\n").weight == VERDICT
    assert outline.sums.startswith("2 commands, 1 ended")


def test_an_interpreter() -> None:
    outline = READ(PYTHON)
    assert outline is not None
    check(PYTHON, outline)
    assert above(PYTHON, outline, "...     1)") == [">>> app.go("]
    assert above(PYTHON, outline, "ValueError") == ["Traceback (most recent call last):", ">>> app.go("]
    assert unit_of(PYTHON, outline, "ValueError").weight == VERDICT


@pytest.mark.parametrize(
    "prompt",
    [
        "[root@web1 etc]# ",
        "me@mac project % ",
        "PS C:\\x> ",
        "C:\\x>",
        "➜  app git:(main) ✗ ",
        "❯ ",
        "(v) $ ",
        "In [1]: ",
    ],
)
def test_prompts(prompt: str) -> None:
    text = f"{prompt}run me\nneedle\n{prompt}and me\n"
    outline = READ(text)
    assert outline is not None
    assert above(text, outline, "needle") == [f"{prompt}run me"]


def test_of_a_progress_bar_the_last_state_stands_alone() -> None:
    text = "$ get\n" + BARS + "$ get\n"
    for case in (BARS, text, text.replace("\n", "\r\n")):
        outline = READ(case)
        assert outline is not None
        check(case, outline)
        last = unit_of(case, outline, "Downloading 100% done")
        assert case[last.start : last.stop].strip() == "Downloading 100% done"
        assert above(case, outline, "Downloading 100% done") == (["$ get"] if "$" in case else [])


def test_prompts_far_below_are_part_of_the_output() -> None:
    text = "Installing\n" + BARS + "Then run\n$ one\n$ two\n"
    outline = READ(text)
    assert outline is not None
    assert (outline.sums, {unit.weight for unit in outline.units}) == ("", {0})


def test_escape_codes_stay_in_the_units() -> None:
    text = "\x1b]0;title\x07\x1b[1;32mme@box\x1b[0m:\x1b[34m~\x1b[0m$ make\r\n\x1b[31mneedle\x1b[0m\r\n"
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    unit = unit_of(text, outline, "needle")
    assert text[unit.start : unit.stop] == "\x1b[31mneedle\x1b[0m\r\n"
    assert outline.units[unit.needs].why == "command"
    for bare in ("$ one\nx\n$ two\n\x1b[0m", "\x1b[0m"):
        check(bare, READ(bare))
    assert READ("plain\n\x1b[31mred\x1b[0m\n") is not None


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        "# Install\n\n```console\n$ pip install x\n$ x run\n```\n",
        "$ 5.00 is the price\n$ 6.00 is another\n",
        "$ only one\nand its output\n",
        "Then run\n$ make\n$ make install\n",
        ">>> quoted three times\n>> quoted twice\n> quoted\n>>> and again\n",
        "a,b\rc,d\re,f\r",
        "first line of a mac file\rsecond, quite another\rthird one\r",
        "\x1b[31m\0\x01\x02 binary \x1b[0m\n",
        "\x1bxy \x1b= stray\n",
        "red = '\\x1b[31m'\n",
    ],
)
def test_what_is_no_recording(text: str) -> None:
    assert READ(text) is None


def test_coloured_test_output_is_left_to_its_own_kind() -> None:
    assert READ("\x1b[31mE   assert 1 == 2\x1b[0m\n\x1b[31m3 failed, 97 passed in 2.1s\x1b[0m\n") is None


@given(over(*SHELL.splitlines(), *NAMED.splitlines(), *PYTHON.splitlines(), BARS, "\x1b[1mx", "a\rb\r\n"))
def test_any_text(text: str) -> None:
    check(text, READ(text))
