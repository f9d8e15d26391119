"""Drawing on the terminal. Text from transcripts is data: it never moves the cursor and is no markup."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Timer

from rich.bar import Bar
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from trimtab.cli.exits import visible

UNATTENDED = 120
"""Columns where no terminal says how many."""

PATIENCE = 1.0
"""Seconds before a progress bar appears."""


def screen(*, stderr: bool = False) -> Console:
    """The console for standard output or standard error as it is now."""
    console = Console(file=sys.stderr if stderr else sys.stdout, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(
            file=console.file, highlight=False, markup=False, emoji=False, width=UNATTENDED, no_color=True
        )
    return console


def text(value: object, style: str = "") -> Text:
    """Text of others on one line."""
    return Text(" ".join(visible(str(value)).split()), style, overflow="ellipsis", no_wrap=True)


def number(value: float, style: str = "") -> Text:
    """A number with separators, to the right."""
    return Text(f"{value:,}", style, justify="right", no_wrap=True)


def share(part: int, whole: int) -> Text:
    """A part of a whole, in per cent."""
    return Text(f"{part / whole if whole else 0:.0%}", "dim", justify="right")


def when(at: float) -> Text:
    """A time in seconds since 1970, where the user is."""
    try:
        return Text(datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M:%S"), no_wrap=True)
    except (OverflowError, OSError, ValueError):
        return Text(str(at))


def counted(number: int, thing: str) -> str:
    """A number of things, such as "1 message"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def bar(value: int, whole: int, width: int = 24, color: str = "cyan") -> Bar:
    """A bar of `value` out of `whole`; what is there at all shows."""
    return Bar(max(whole, 1), 0, max(value, whole / width / 8 if value else 0), width=width, color=color)


def table(*headers: str, title: str = "") -> Table:
    """An airy table; a header that starts with ">" is right-aligned, with "*" its column takes what is left."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left", header_style="dim")
    if title:
        made.title, made.title_style = Text(title), "bold"
    for header in headers:
        name = header.lstrip(">*")
        wide = header.startswith("*")
        made.add_column(
            name,
            justify="right" if header.startswith(">") else "left",
            no_wrap=True,
            overflow="ellipsis",
            ratio=1 if wide else None,
            min_width=12 if wide else None,
        )
        made.expand = made.expand or wide
    return made


@contextmanager
def waiting(what: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """A bar on standard error while something takes more than a second and a terminal is there.

    It moves to and fro, or counts up to `total`: by one whenever what is given is called.
    """
    console = screen(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False), BarColumn()]
    columns += [TimeElapsedColumn()] if total is None else [MofNCompleteColumn(), TimeRemainingColumn()]
    progress = Progress(*columns, console=console, transient=True)
    task = progress.add_task(what, total=total)
    timer = Timer(PATIENCE, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda: progress.advance(task)
    finally:
        timer.cancel()
        timer.join()
        progress.stop()
