"""`trimtab inspect` on several files: they are found, looked at one by one, and drawn together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trimtab.cli.exits import UsageError
from trimtab.cli.screen import bar, counted, number, share, table, text, waiting
from trimtab.composition import ToolShare
from trimtab.survey import Figures, Survey, Total, look, summed

MOST_SESSIONS = 30
MOST_TOLD = 12
"""Rows of tools, of files that are not read, and of damage."""


def surveyed(paths: Sequence[str]) -> Survey:
    """All files that the paths name, or that stand in folders they name. Raises UsageError."""
    found = [Path(path) for path in found_files(paths)]
    looked = []
    with waiting("reading sessions", len(found)) as step:
        for file in found:
            looked.append(look(file))
            step()
    return summed(looked)


def found_files(paths: Sequence[str]) -> list[str]:
    """The files that paths name, and those in folders they name. Raises UsageError."""
    return [str(file) for file in dict.fromkeys(file for path in paths for file in _files(Path(path)))]


def _files(path: Path) -> Iterator[Path]:
    """A file, those a pattern fits, or all files below a folder, by name; last folders that cannot be listed."""
    matching = () if path.exists() else sorted(Path(path.anchor or ".").glob(str(path.relative_to(path.anchor))))
    for one in matching:
        yield from _files(one)
    if matching:
        return
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    if not path.is_dir():
        yield path
        return
    closed: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=closed.append):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(names))
    yield from (Path(os.fsdecode(error.filename)) for error in closed if error.filename)


def drawn(survey: Survey) -> Group:
    """The survey for a terminal."""
    return Group(*_sections(survey))


def _sections(survey: Survey) -> Iterator[RenderableType]:
    total = survey.total
    about = (counted(total.sessions, "session"), counted(total.files, "file"), counted(total.calls, "call"))
    head = Text.assemble((f"{total.tokens:,} tokens", "bold"), " by the local tokenizer  ")
    yield head.append_text(text(" · ".join(about), "dim"))
    if survey.sessions:
        yield Padding(session_table(survey.sessions), (1, 0, 0, 0))
    if survey.formats:
        yield Padding(_formats(survey.formats, total), (1, 0, 0, 0))
    if survey.tools:
        yield Padding(_tools(survey.tools), (1, 0, 0, 0))
    others = [(one.path, one.failed, "red") for one in survey.unreadable]
    if others:
        yield Padding(_others("not read to the end", others), (1, 0, 0, 0))
    others = [(one.path, one.looks, "dim") for one in survey.unsupported]
    if others:
        yield Padding(_others("no session", others), (1, 0, 0, 0))


def session_table(sessions: Sequence[Figures]) -> Table:
    """A row for each session, at most `MOST_SESSIONS` of them."""
    made = table(">tokens", "", ">last call", *_CALLS, "format", "*session")
    whole = max((one.tokens for one in sessions), default=0)
    several = Counter(one.file for one in sessions)
    folder = _folder([one.file for one in sessions])
    for one in sessions[:MOST_SESSIONS]:
        name = one.name if several[one.file] > 1 else ""
        size = (number(one.tokens, "bold"), bar(one.tokens, whole, 8), number(one.last))
        where = text(f"{one.file[folder:]} {name}".strip())
        made.add_row(*size, *_calls(one), text(one.format, "dim"), where)
    if len(sessions) > MOST_SESSIONS:
        more = Text(f"and {len(sessions) - MOST_SESSIONS:,} more", "dim")
        made.add_row(*[""] * (len(made.columns) - 1), more)
    return made


def _formats(formats: Sequence[Total], total: Total) -> Table:
    made = table(">tokens", "", ">files", ">sessions", *_CALLS, "*format")
    for one in (*formats, *((total,) if len(formats) > 1 else ())):
        size = (number(one.tokens, "bold"), bar(one.tokens, total.tokens, 8))
        counts = (number(one.files), number(one.sessions))
        made.add_row(*size, *counts, *_calls(one), text(one.name, "" if one is total else "bold"))
    return made


_CALLS = (">calls", ">compacted", ">billed", ">cached", ">damage")


def _calls(one: Figures | Total) -> Iterator[Text]:
    """Calls, compactions, input billed and how much of it came from the cache, as far as reported, and damage."""
    used = one.reported
    yield number(one.calls)
    yield number(one.compactions, "magenta") if one.compactions else Text()
    yield number(used.input) if one.reporting else Text()
    yield share(used.read, used.input) if one.reporting else Text()
    yield number(one.damage, "yellow") if one.damage else Text()


def _tools(tools: Sequence[ToolShare]) -> Table:
    made = table(">tokens", "", ">calls", ">arguments", ">results", "*tool")
    for one in tools[:MOST_TOLD]:
        made.add_row(
            number(one.tokens, "bold"),
            bar(one.tokens, tools[0].tokens, 8, "magenta"),
            number(one.calls),
            number(one.arguments),
            number(one.results),
            text(one.name, "bold"),
        )
    if len(tools) > MOST_TOLD:
        made.add_row(*[""] * 5, Text(f"and {len(tools) - MOST_TOLD:,} more", "dim"))
    return made


def _others(what: str, files: Sequence[tuple[str, str, str]]) -> Table:
    made = table(what, "*")
    made.columns[0].max_width = 60
    folder = _folder([path for path, _, _ in files])
    for path, why, style in files[:MOST_TOLD]:
        made.add_row(text(path[folder:]), text(why, style))
    if len(files) > MOST_TOLD:
        made.add_row(Text(f"and {len(files) - MOST_TOLD:,} more", "dim"), Text("(all of them with --json)", "dim"))
    return made


def _folder(paths: Sequence[str]) -> int:
    """How many characters at the beginning name the folder that holds all of these files."""
    parts = [Path(path).parent.parts for path in paths if path]
    common = [steps[0] for steps in zip(*parts, strict=False) if len(set(steps)) == 1]
    return len(str(Path(*common, "x"))) - 1 if common else 0
