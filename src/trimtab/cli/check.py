"""`trimtab check`: what a compaction would leave in sight; facts are visible, recoverable or lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.text import Text

from trimtab.checks import Checked, Standing, check_facts, read_facts
from trimtab.cli import options
from trimtab.cli.check_note import check_a_note
from trimtab.cli.exits import FINDINGS, UsageError, visible
from trimtab.cli.files import named, print_json, read
from trimtab.cli.opening import compactor_for
from trimtab.cli.screen import screen, table, text, waiting
from trimtab.compactor import Compactor
from trimtab.hidden import Survival, survival
from trimtab.provenance import Provenance

STYLES = {
    Standing.VISIBLE: "green",
    Standing.RECOVERABLE: "yellow",
    Standing.LOST: "bold red",
    Standing.ABSENT: "dim",
}


LONGEST_NAME = 48
"""Columns for the name of a fact, which may be its whole text."""


class Case(Struct, frozen=True):
    """One compaction that is looked at: raw tokens before and after, and how the facts stand or what survived."""

    preset: str
    before: int
    after: int
    facts: tuple[Checked, ...] = ()
    survival: Survival | None = None


def check(
    file: options.File,
    call: options.Call = None,
    original: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="ORIGINAL", help="FILE was compacted from this request; nothing is compacted now."
        ),
    ] = None,
    note: Annotated[
        str | None,
        typer.Option(
            metavar="NOTE", help="Hold this note against FILE, sentence by sentence; nothing is compacted."
        ),
    ] = None,
    facts: Annotated[
        str | None, typer.Option(metavar="FILE", help='Facts by name: a TOML file with [facts] name = "text".')
    ] = None,
    fact: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A fact: text, re:PATTERN or find:NAME; repeatable.")
    ] = None,
    budget: Annotated[int | None, typer.Option(metavar="TOKENS", help="Fold above so many tokens.")] = None,
    target: Annotated[int | None, typer.Option(metavar="TOKENS", help="Fold down to so many.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Fold now, whatever the size.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit code 1 unless every fact is visible.")] = False,
    json: options.Json = False,
    model: options.Model = None,
    preset: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="The preset; several are compared.", rich_help_panel="Settings"),
    ] = None,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Say of each fact whether a compaction leaves it visible, recoverable (with the handle), or lost.

    Without facts: which identifiers and failing lines go out of sight, by part. FILE is compacted for this and
    nothing is written; the facts asked about are not told to it. Exit code 1 when a fact is lost. With --note:
    what in a note is wrong, and the facts that it does not show; exit code 1 when there is any of either.
    """
    wanted = {**(read_facts(facts) if facts else {}), **{one: one for one in fact or ()}}
    if note is not None:
        if original is not None or preset or budget or target or force:
            raise UsageError("--note goes with FILE and facts alone")
        payload, text = read(file, call), read(note).decode(errors="replace")
        compactor = compactor_for(model=model, store=store, namespace=namespace, reads=True)
        raise typer.Exit(check_a_note(file, payload, text, wanted, compactor, json))
    if original is not None:
        if preset or budget or target or force:
            raise UsageError(
                "--against compacts nothing: --preset, --budget, --target and --force do not go with it"
            )
        cases = [_against(file, call, original, wanted, store, namespace)]
    else:
        payload = read(file, call)
        names: Sequence[str | None] = preset or (None,)
        cases = []
        for name in names:
            compactor = compactor_for(
                model=model, preset=name, budget=budget, target=target, store="memory:", namespace=namespace
            )
            cases.append(_compacted(file, payload, wanted, compactor, force=force))
    _tell(cases, wanted, json)
    bad = [one for case in cases for one in case.facts if _fails(one, strict)]
    if bad or (strict and any(case.survival and case.survival.lost for case in cases)):
        raise typer.Exit(FINDINGS)


def _fails(one: Checked, strict: bool) -> bool:
    return one.standing is not Standing.VISIBLE if strict else one.standing is Standing.LOST


def _compacted(file: str, payload: bytes, facts: Mapping[str, str], compactor: Compactor, *, force: bool) -> Case:
    """What a compaction leaves; the compactor is closed."""
    try:
        with waiting("compacting"), named(file, payload):
            return _case(compactor.compact(payload, force=force).payload, payload, facts, compactor)
    finally:
        compactor.store.close()


def _against(
    file: str, call: int | None, original: str, facts: Mapping[str, str], store: str | None, namespace: str | None
) -> Case:
    """What a request shows that was compacted before; the store tells what comes back."""
    payload, given = read(file), read(original, call)
    compactor = compactor_for(store=store, namespace=namespace, reads=True)
    try:
        with waiting("comparing"):
            with named(original, given):
                Provenance(given, given, compactor)
            with named(file, payload):
                return _case(payload, given, facts, compactor)
    finally:
        compactor.store.close()


def _case(payload: bytes, given: bytes, facts: Mapping[str, str], compactor: Compactor) -> Case:
    known = Provenance(payload, given, compactor)
    return Case(
        preset=compactor.settings.preset,
        before=known.given.size,
        after=known.sent.size,
        facts=tuple(check_facts(facts, payload, given, compactor)),
        survival=None if facts else survival(payload, given, compactor),
    )


def _tell(cases: Sequence[Case], facts: Mapping[str, str], json: bool) -> None:
    if json:
        shown = [msgspec.to_builtins(case) for case in cases]
        print_json(shown if len(shown) > 1 else shown[0])
        return
    console = screen()
    for case in cases:
        head = Text.assemble((f"{case.before:,} → {case.after:,} tokens", "bold"))
        head.append(f"  preset {visible(case.preset)}", "dim")
        head.append("  nothing was cut (see --budget and --force)" if case.before == case.after else "", "yellow")
        console.print(head)
        if case.survival is not None:
            console.print(visible(str(case.survival)), soft_wrap=True)
    if facts:
        _draw(console, cases)


def _draw(console: Console, cases: Sequence[Case]) -> None:
    """The facts as rows; where several presets are compared, each has a column."""
    several = len(cases) > 1
    rows = [*zip(*(case.facts for case in cases), strict=True)]
    made = table(*(case.preset if several else "" for case in cases), "fact", "*where")
    for column, case in zip(made.columns, cases, strict=False):
        column.min_width = max((len(one.standing) for one in case.facts), default=0)
    made.columns[len(cases)].max_width = LONGEST_NAME
    for row in rows:
        worst = max(row, key=lambda one: list(Standing).index(one.standing))
        standings = (Text(one.standing, STYLES[one.standing]) for one in row)
        said = "" if worst.name == worst.fact else worst.fact
        found = text(worst.where).append("  ").append_text(text(said, "dim"))
        made.add_row(*standings, text(worst.name), found)
    console.print(made)
