"""The commands of the pages run in an empty folder, and print what the pages show.

In a block marked `console`, lines that begin with `$ ` are typed into one shell, those below them are what
came of it. A line `…` stands for any lines, once in an output at most; `…` in a line for any characters.

`python -m tests.test_walk_through --bless` writes what is printed now; read the difference before it is kept.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

import trimtab
from trimtab.example import kinds
from trimtab.stubs import HANDLE

ROOT = Path(__file__).parents[1]
WALK = ROOT / "docs" / "walk-through.md"
PAGES = [ROOT / "README.md", WALK]
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```)", re.MULTILINE | re.DOTALL)
NOW = re.compile(r"(?!2025-11-1)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
"""The time of a run; those of the story are of November 2025."""
END = "-- end of the output --"


class Typed(NamedTuple):
    """A command, and the lines that a page shows below it or that it printed."""

    command: str
    output: list[str]


def typed(page: str) -> list[Typed]:
    """The commands of a page in order."""
    found: list[Typed] = []
    for line in (line for block in BLOCK.findall(page) for line in block.splitlines()):
        if line.startswith("$ "):
            found.append(Typed(line[2:], []))
        else:
            found[-1].output.append(line)
    return found


def run(commands: Sequence[str], folder: Path) -> list[list[str]]:
    """What each command prints, standard error included, all in one shell with an empty store."""
    programs = folder / "bin"
    programs.mkdir()
    for name, arguments in (("python", ""), ("trimtab", "-c 'from trimtab.cli import main; main()'")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        (programs / name).chmod(0o755)
    (folder / "work").mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRIMTAB_")} | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(trimtab.__file__).parents[1]),
        "PYTHONUTF8": "1",
        "TRIMTAB_STORE": str(folder / "store.db"),
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
    }
    script = "".join(f"{command}\necho '{END}'\n" for command in commands)
    done = subprocess.run(
        ["sh"],
        input=script.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder / "work",
        env=environment,
        check=False,
    )
    *outputs, rest = re.split(rf"{END}\n", done.stdout.decode())
    assert not rest, rest
    return [[*_lines(output)] for output in outputs]


def _lines(output: str) -> Iterator[str]:
    """Without what differs from run to run, and blanks at the end of lines."""
    for line in output.splitlines():
        yield NOW.sub("…", line).rstrip()


def fits(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether a page shows what was printed."""
    lines = ("(?:.*\n)*" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in shown)
    return re.fullmatch("".join(lines), "".join(f"{line}\n" for line in printed)) is not None


def elided(printed: Sequence[str], shown: Sequence[str]) -> list[str]:
    """What was printed, with as many lines before and after `…` as are shown now."""
    if "…" not in shown:
        return [*printed]
    before = shown.index("…")
    after = len(shown) - before - 1
    return [*printed[:before], "…", *printed[max(len(printed) - after, before) :]]


def handles(page: str, printed: Sequence[Sequence[str]]) -> dict[str, str]:
    """For each handle that a page shows the one that is printed in its place now."""
    known: dict[str, str] = {}
    for one, output in zip(typed(page), printed, strict=True):
        old = HANDLE.findall("\n".join(one.output))
        new = HANDLE.findall("\n".join(elided(output, one.output)))
        known = dict(zip(old, new, strict=False)) | known if len(old) == len(new) else known
    return known


def written(page: str) -> str:
    """The page with what its commands print now: first the handles, which commands name, then all."""
    known = handles(page, _outputs(page))
    page = HANDLE.sub(lambda match: known.get(match[0], match[0]), page)
    outputs = iter(_outputs(page))

    def block(match: re.Match[str]) -> str:
        lines: list[str] = []
        for one in typed(f"```console\n{match[0]}```\n"):
            output = next(outputs)
            lines += [
                f"$ {one.command}",
                *(one.output if fits(one.output, output) else elided(output, one.output)),
            ]
        return "".join(f"{line}\n" for line in lines)

    return BLOCK.sub(block, page)


def _outputs(page: str) -> list[list[str]]:
    with TemporaryDirectory() as folder:
        return run([one.command for one in typed(page)], Path(folder))


@pytest.mark.skipif(shutil.which("sh") is None, reason="the pages are typed into sh")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    expected = typed(page.read_text(encoding="utf-8"))
    printed = run([one.command for one in expected], tmp_path)
    for one, output in zip(expected, printed, strict=True):
        assert fits(one.output, output), "\n".join(["$ " + one.command, *output])


def test_of_every_kind_the_page_shows_the_line_that_matters_and_how_to_get_the_rest() -> None:
    page = WALK.read_text(encoding="utf-8")
    recalled = "\n".join("\n".join(one.output) for one in typed(page) if one.command.startswith("trimtab recall"))
    assert [name for name, text in kinds.matters().items() if text not in recalled] == []


def test_an_elision_stands_for_lines_or_characters() -> None:
    assert fits(["a", "…", "z"], ["a", "z"])
    assert fits(["a", "…", "z"], ["a", "b", "c", "z"])
    assert fits(["at … it was"], ["at 12:00 it was"])
    assert not fits(["a"], ["a", "b"])
    assert not fits(["a", "…"], ["b"])
    assert elided(["a", "b", "c", "d"], ["x", "…", "y"]) == ["a", "…", "d"]
    assert elided(["a"], ["x", "…", "y"]) == ["a", "…"]


if __name__ == "__main__" and "--bless" in sys.argv:
    for one in PAGES:
        text = one.read_text(encoding="utf-8")
        if text != (now := written(text)):
            one.write_text(now, encoding="utf-8")
