"""docs/cli.md tells of every command and option, and of the exit codes that there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from trimtab.cli.app import app
from trimtab.cli.exits import MEANINGS

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in PAGE.split("\n## ")[1:]}
WHOLE: Any = typer.main.get_command(app)


def options() -> Iterator[tuple[str, str, str]]:
    """Section, command and option, for every option there is but help."""
    for section, command in WHOLE.commands.items():
        for name, inner in {"": command, **getattr(command, "commands", {})}.items():
            for parameter in inner.params:
                for option in parameter.opts:
                    if option.startswith("-"):
                        yield section, name, option


def named_in(option: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text) is not None


def test_there_is_a_section_for_each_command_and_no_other() -> None:
    others = {"Exit codes", "Settings", "Further options"}
    assert set(SECTIONS) - others == set(WHOLE.commands)


@pytest.mark.parametrize(("section", "command", "option"), [*options()])
def test_an_option_stands_in_the_section_of_its_command(section: str, command: str, option: str) -> None:
    assert named_in(option, SECTIONS[section])


@pytest.mark.parametrize("command", sorted(WHOLE.commands["store"].commands))
def test_a_command_of_the_store_stands_in_its_section(command: str) -> None:
    assert f"- `{command}`" in SECTIONS["store"]


def test_options_of_the_program_itself_stand_there() -> None:
    for parameter in WHOLE.params:
        for option in parameter.opts:
            assert named_in(option, SECTIONS["Further options"])


def test_options_named_in_a_section_exist() -> None:
    known = {option for _, _, option in options()} | {"--help", "--version"}
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE):
        assert option in known


def test_the_table_of_exit_codes_is_that_of_the_program() -> None:
    rows = dict(re.findall(r"^\| (\d) \| (.*) \|$", SECTIONS["Exit codes"], re.MULTILINE))
    assert {code: meaning.replace("`", "") for code, meaning in rows.items()} == {
        str(code): meaning for code, meaning in MEANINGS.items()
    }
