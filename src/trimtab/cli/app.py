"""The commands as typer sees them; each is thin over the library."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer

import trimtab
from trimtab.cli import options
from trimtab.cli.check import check
from trimtab.cli.compact import compact
from trimtab.cli.config import config
from trimtab.cli.exits import FINDINGS, FINE, MEANINGS, USAGE, complain
from trimtab.cli.experiment import experiment
from trimtab.cli.handoff import handoff
from trimtab.cli.inspect import inspect
from trimtab.cli.journal import explain, log
from trimtab.cli.models import models
from trimtab.cli.presets import presets
from trimtab.cli.recall import show
from trimtab.cli.replay import replay
from trimtab.cli.requests import undo, validate
from trimtab.cli.search import search
from trimtab.cli.store import store
from trimtab.cli.where import where

EXITS = "\n\n".join(("Exit codes:", *(f"{code}  {meaning}" for code, meaning in MEANINGS.items())))

app = typer.Typer(
    name="trimtab",
    help="Make the request of an agent smaller before it is sent, and lose nothing.",
    epilog=EXITS,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def command(arguments: list[str]) -> int:
    """Run one command line. Raises the errors of the library; what is wrong with the line is told here."""
    logging.getLogger("trimtab").addHandler(logging.NullHandler())
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = app(arguments, prog_name="trimtab", standalone_mode=False)
    except typer.TyperException as error:
        if error.format_message():
            complain(_usage(error))
        return USAGE
    except typer.Abort:
        return FINDINGS
    except SystemExit as error:  # how typer takes a closed pipe
        raise BrokenPipeError from error
    return code if isinstance(code, int) else FINE


def _usage(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    hint = f" (see {context.command_path} --help)" if context else ""
    return f"{error.format_message().rstrip('.')}{hint}"


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"trimtab {trimtab.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Make the request of an agent smaller before it is sent, and lose nothing."""


def recall(
    handle: Annotated[str, typer.Argument(metavar="HANDLE", help="As a marker names it: t:0123456789abcdef.")],
    lines: Annotated[str | None, typer.Option(metavar="A-B", help="Only these lines, counted from 1.")] = None,
    items: Annotated[str | None, typer.Option(metavar="A-B", help="Only these items of a JSON array.")] = None,
    byte_range: Annotated[str | None, typer.Option("--bytes", metavar="A-B", help="Only these bytes.")] = None,
    path: Annotated[str | None, typer.Option(metavar="PATH", help="Only the value at this JSON path.")] = None,
    grep: Annotated[str | None, typer.Option(metavar="PATTERN", help="Only lines that match, numbered.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All at once, however large.")] = False,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Print what was cut, as it was; of a medium the bytes.

    At most 40,000 characters come at once; of what is larger the outline comes first, unless a part is asked for.
    Standard error then says how to go on. A file that the output is redirected to gets all.
    """
    asked = {"lines": lines, "items": items, "bytes": byte_range, "path": path, "grep": grep}
    raise typer.Exit(show(handle, asked, store, namespace, whole=everything))


for function in (
    compact,
    inspect,
    check,
    where,
    recall,
    search,
    handoff,
    log,
    explain,
    undo,
    validate,
    presets,
    config,
    models,
    experiment,
    replay,
):
    app.command()(function)
app.add_typer(store, name="store")
