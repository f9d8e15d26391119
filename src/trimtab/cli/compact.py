"""`trimtab compact`: the smaller request to standard output, the report to standard error."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from trimtab import example as recorded
from trimtab.cli import options
from trimtab.cli.exits import UsageError, complain, visible
from trimtab.cli.files import named, print_json, read, tell_where, write
from trimtab.cli.opening import compactor_for
from trimtab.cli.report import difference, drawn
from trimtab.cli.screen import screen, waiting
from trimtab.compactor import Compactor, Result
from trimtab.differences import changes
from trimtab.history import history, standing


def compact(
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="A request, or - for standard input; with --example, its wire."),
    ] = None,
    call: options.Call = None,
    budget: Annotated[int | None, typer.Option(metavar="TOKENS", help="Fold above so many tokens.")] = None,
    target: Annotated[int | None, typer.Option(metavar="TOKENS", help="Fold down to so many.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Fold now, whatever the size.")] = False,
    facts: Annotated[list[str] | None, typer.Option(metavar="TEXT", help="Must stay visible; repeatable.")] = None,
    pins: Annotated[list[str] | None, typer.Option(metavar="TEXT", help="Stays as it is; repeatable.")] = None,
    output: options.Output = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Report only; nothing is written or stored.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show each changed message before and after.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The report as JSON.")] = False,
    example: Annotated[
        bool, typer.Option("--example", help="Compact the bundled session: anthropic or openai_chat.")
    ] = False,
    model: options.Model = None,
    preset: options.Preset = None,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Make a request smaller: it goes to standard output, the report to standard error.

    What is cut is kept in the store first, and leaves a marker with a handle for `trimtab recall`.
    With --json the report goes to standard output when the request does not (--dry-run, --output).
    """
    name, payload = _request(file, call, example)
    if example and budget is None and not force:
        budget = _half(payload, model)
        complain(f"no --budget given: half of what the example has, {budget:,} tokens")
    compactor = compactor_for(
        model=model,
        preset=preset,
        budget=budget,
        target=target,
        facts=facts or (),
        pins=pins or (),
        store="memory:" if dry_run else store,
        namespace=namespace,
    )
    try:
        with waiting("compacting"), named(name, payload):
            result = compactor.compact(payload, force=force)
        if not dry_run:
            write(result.payload, output)
        aside = not dry_run and output in (None, "-")
        if json:
            print_json(result.report.to_dict(), stderr=aside)
        if diff:
            screen(stderr=aside or json).print(difference(changes(payload, result.payload)))
        if not json:
            _tell(compactor, payload, result)
        for header, value in result.headers.items():
            complain(f"send it with the header {header}: {value}")
        if not dry_run:
            tell_where(result.payload, output)
    finally:
        compactor.store.close()


def _request(file: str | None, call: int | None, example: bool) -> tuple[str, bytes]:
    if example and call is not None:
        raise UsageError("--call is for session files; the example is a request")
    if example:
        return "the example", recorded.session(file or recorded.WIRES[0])
    if file is None:
        raise UsageError("name a FILE, - for standard input, or --example (see trimtab compact --help)")
    return file, read(file, call)


def _half(payload: bytes, model: str | None) -> int:
    """Half the size of a request as its provider counts."""
    report = Compactor(model, store="memory:", config={}).compact(payload).report
    return int(report.tokens_before * report.factor / 2)


def _tell(compactor: Compactor, payload: bytes, result: Result) -> None:
    """The report: drawn for a terminal, plain elsewhere."""
    console = screen(stderr=True)
    if not console.is_terminal:
        print(visible(str(result.report)), file=sys.stderr)  # noqa: T201
        return
    now = {edit.place for edit in result.report.edits}
    earlier = standing(history(compactor, payload)) if result.report.standing else ()
    console.print(drawn(result.report, [edit for edit in earlier if edit.place not in now]))
