"""`trimtab replay`: what each way to compact would have cost on recorded sessions, and what it would hide."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, UsageError, complain
from trimtab.cli.files import print_json, write
from trimtab.cli.opening import set_here
from trimtab.cli.replayed import drawn
from trimtab.cli.screen import screen, waiting
from trimtab.cli.survey import found_files
from trimtab.example import bundled
from trimtab.presets import preset as preset_of
from trimtab.replay.page import page
from trimtab.replay.report import to_csv, to_dict
from trimtab.replay.rows import Options
from trimtab.replay.runner import replay as run


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
    keep_notes: Annotated[
        list[float] | None,
        typer.Option(metavar="SHARE", min=0, max=1, help="Suppose the agent notes so much of what it will need."),
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
        keep_notes=tuple(keep_notes or ()),
        config=set_here(),
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
        screen().print(drawn(results))
    if not results.rows:
        complain("no session with calls was found")
        raise typer.Exit(FINDINGS)
