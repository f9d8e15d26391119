"""`trimtab replay`: what each way to compact would have cost on recorded sessions, and what it would hide."""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, UsageError, complain
from trimtab.cli.files import print_json, write
from trimtab.cli.screen import counted, number, screen, table, text, waiting
from trimtab.cli.survey import found_files
from trimtab.config import load
from trimtab.example import bundled
from trimtab.presets import preset as preset_of
from trimtab.replay.advice import advice
from trimtab.replay.page import page
from trimtab.replay.report import to_csv, to_dict
from trimtab.replay.rows import LONG, Options, Row
from trimtab.replay.runner import replay as run
from trimtab.replay.totals import Results, Total, bills, total


class Marks(StrEnum):
    """Where cache marks are taken to stand."""

    GOOD = "good"
    NAIVE = "naive"
    NONE = "none"


def replay(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH", help="Session files, or folders of them.")
    ] = None,
    example: Annotated[bool, typer.Option("--example", help="Replay the bundled session.")] = False,
    preset: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A preset to replay, several times for several.")
    ] = None,
    price_as: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Prices and cache of this model, whatever was used.")
    ] = None,
    marks: Annotated[
        Marks | None, typer.Option(help="Cache marks: ideal, system and last message only, or no cache at all.")
    ] = None,
    half: Annotated[
        int | None, typer.Option(metavar="1|2", min=1, max=2, help="Only this half of the sessions.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; as many as processors by default.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep results here, and go on from those it holds.")
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a page with charts here, which needs only a browser."),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="A line for each segment and policy, as CSV.")] = False,
    json: options.Json = False,
) -> None:
    """Replay recorded sessions under several policies, and compare what they cost and what they keep in sight.

    No model is asked: cost follows the prices and cache rules of each model, and what the next recorded action
    used is what must have been in sight. Everything is set against keeping the whole transcript.
    """
    presets = tuple(dict.fromkeys(preset or ["default"]))
    for name in presets:
        preset_of(name)
    chosen = Options(
        presets=presets,
        price_as=price_as,
        marks=marks.value if marks else None,
        half=half,
        models=load().settings.models,
    )
    files = found_files([*(paths or ()), *([bundled()] if example else ())])
    if not (paths or example):
        raise UsageError("nothing to replay: name session files or folders, or add --example")
    with waiting("replaying sessions", len(files)) as step:
        results = run(files, chosen, workers=workers or os.cpu_count() or 1, resume=resume, step=step)
    if html is not None:
        write(page(results).encode("utf-8", "replace"), html)
    if json:
        print_json(to_dict(results))
    elif csv:
        typer.echo(to_csv(results), nl=False)
    else:
        screen().print(Group(*_sections(results)))
    if not results.rows:
        complain("no session with calls was found")
        raise typer.Exit(FINDINGS)


def _sections(results: Results) -> Iterator[RenderableType]:
    yield _head(results)
    for name, rows in results.groups().items():
        if rows and name != "all":
            yield Padding(_table(results, name, rows), (1, 0, 0, 0))
    yield Padding(_footing(results), (1, 0, 0, 0))
    yield Padding(_advice(results), (1, 0, 0, 0))


def _head(results: Results) -> Text:
    rows = results.rows
    calls = sum(next(iter(row.policies.values())).figures.calls for row in rows) if rows else 0
    about = (counted(len(rows), "segment"), counted(calls, "call"))
    return Text(" · ".join((*about, counted(results.files, "file"))), "dim")


TITLES = {
    "long": f"Long sessions, from {LONG:,} tokens",
    "short": "Short sessions",
    "compacted": "After a compaction by the client: their agents saw only what it left",
}


def _table(results: Results, group: str, rows: list[Row]) -> Table:
    columns = (">dollars", ">with misses", ">worst", ">visible", ">intact", ">recoverable", ">cached", ">folds")
    made = table("policy", *columns, ">$", title=f"{TITLES[group]} ({len(rows)})")
    for policy in results.options.policies():
        found = total(rows, policy.name)
        if found is not None:
            made.add_row(Text(policy.name, "dim" if policy.knows_future else "bold"), *_cells(found))
    return made


def _cells(one: Total) -> Iterator[Text]:
    yield _change(one.dollars_change)
    yield _change(one.miss_adjusted_change)
    yield _change(one.worst_session)
    yield from (Text(f"{value:.1%}") for value in (one.visible, one.intact, one.recoverable, one.cached))
    yield number(one.folds)
    yield Text(f"{one.dollars:,.2f}", "dim")


def _change(value: float) -> Text:
    return Text(f"{value:+.1%}", "green" if value < -0.0005 else "red" if value > 0.0005 else "dim")


def _advice(results: Results) -> RenderableType:
    """What would have paid, each with its dollars."""
    made = table(">$", "*what would have paid")
    for one in advice(results):
        made.add_row(Text(f"{one.dollars:+,.2f}" if one.dollars else "", "bold"), Text(one.text))
    made.columns[1].no_wrap = False
    return made if made.row_count else Group()


def _footing(results: Results) -> RenderableType:
    """What the reader must know to believe the figures."""
    lines = []
    held = bills(results.rows)
    if held["sessions"]:
        lines.append(
            f"keep-all as predicted is {held['difference']:+.1%} off what was billed "
            f"in {held['sessions']} segments ({held['predicted']:,.2f} against {held['billed']:,.2f} dollars)"
        )
    lines += [f"{one.name}: {one.remark}" for one in results.options.policies() if one.remark]
    assumed = sum(bool(row.assumed) for row in results.rows)
    if assumed:
        why = next(row.assumed for row in results.rows if row.assumed)
        lines.append(f"{assumed} without known prices: {why}")
    return Group(*(text(line, "dim") for line in lines))
