from __future__ import annotations

from trimtab.excerpts.views import bodies


def numbered(*lines: str, first: int = 1) -> list[str]:
    return [f"{number:6}\t{line}\n" for number, line in enumerate(lines, first)]


def test_what_a_tool_adds_around_numbered_lines_is_not_of_the_file() -> None:
    shown = numbered("def f():", "    return 1", "", "x = f()", "y = 2", first=40)
    lines = ["[File: a.py (90 lines total)]\n", *shown, "\n", "<reminder>\n", "be kind\n"]
    assert bodies(lines) == ["", "def f():\n", "    return 1\n", "\n", "x = f()\n", "y = 2\n", "", "", ""]


def test_lines_without_numbers_are_as_they_are() -> None:
    lines = ["def f():\n", "    return 1\n"] * 20
    assert bodies(lines) == lines


def test_numbers_that_skip_are_content() -> None:
    lines = [*numbered("a", "b", "c"), *numbered("d", "e", "f", first=7)]
    assert bodies(lines) == lines


def test_a_few_numbers_in_much_else_are_content() -> None:
    lines = ["one\n", *numbered("a"), *["more\n"] * 9]
    assert bodies(lines) == lines
