"""`trimtab log` and `trimtab explain`: what was decided, when and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer
from rich.padding import Padding
from rich.text import Text

from trimtab.cli import options
from trimtab.cli.exits import FINDINGS, complain
from trimtab.cli.files import named, print_json, read
from trimtab.cli.opening import compactor_for, settings_for, store_for
from trimtab.cli.report import edit_table
from trimtab.cli.screen import number, screen, table, text, waiting, when
from trimtab.history import Step, history
from trimtab.journal import Cut, Entry, Record


def log(
    count: Annotated[int, typer.Option("--count", "-n", min=1, metavar="N", help="How many.")] = 10,
    json: options.Json = False,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Show the latest compactions, newest first: when, tokens before and after, what was cut and why."""
    settings = settings_for(store, namespace)
    place = store_for(settings, reads=True)
    try:
        entries = place.log(settings.namespace, count)
    finally:
        place.close()
    if json:
        print_json([_told(entry) for entry in entries])
    elif not entries:
        complain(f"nothing was compacted in namespace {settings.namespace!r} of this store yet")
    else:
        made = table("when", ">before", ">after", ">less", "cut", "*why")
        for entry in entries:
            less = Text(f"{1 - entry.after / entry.tokens if entry.tokens else 0:.0%}", "green")
            size = (number(entry.tokens), number(entry.after, "bold"), less)
            made.add_row(when(entry.at), *size, text(_cuts(entry)), text(entry.trigger, "dim"))
        screen().print(made)
    if not entries:
        raise typer.Exit(FINDINGS)


def _told(entry: Entry) -> dict[str, Any]:
    edits = [
        {"by": one.by, "reason": one.reason, "saved": one.saved, "handle": one.handle} for one in _edits(entry)
    ]
    return {
        "at": entry.at,
        "conversation": entry.root.hex(),
        "before": entry.tokens,
        "after": entry.after,
        "trigger": entry.trigger,
        "preset": entry.preset,
        "edits": edits,
    }


def _edits(entry: Entry) -> Iterator[Record | Cut]:
    yield from entry.records
    yield from entry.cuts


def _cuts(entry: Entry) -> str:
    counts = Counter(one.by for one in _edits(entry))
    return ", ".join(f"{name} ×{count}" for name, count in counts.items())


def explain(
    file: options.File,
    call: options.Call = None,
    json: options.Json = False,
    model: options.Model = None,
    preset: options.Preset = None,
    store: options.Store = None,
    namespace: options.Namespace = None,
) -> None:
    """Show each decision on record for this conversation, call by call, and the folds that were weighed."""
    payload = read(file, call)
    compactor = compactor_for(model=model, preset=preset, store=store, namespace=namespace, reads=True)
    try:
        with waiting("reading the journal"), named(file, payload):
            steps = history(compactor, payload)
    finally:
        compactor.store.close()
    if json:
        print_json([msgspec.to_builtins(step) for step in steps])
    elif not steps:
        complain("nothing is on record for this conversation in this store")
    for place, step in enumerate(steps if not json else (), 1):
        _draw(place, step)
    if not steps:
        raise typer.Exit(FINDINGS)


def _draw(place: int, step: Step) -> None:
    console = screen()
    change = f"{step.before:,}" if step.before == step.after else f"{step.before:,} → {step.after:,}"
    head = Text.assemble((f"decision {place}", "bold"), f"  after message {step.messages - 1}, ")
    head.append_text(when(step.at)).append(f"  {change} tokens  ", "green" if step.edits else "")
    console.print(head.append_text(text(step.trigger, "dim")))
    if (fold := step.weighed) is not None:
        parts = f"{fold.parts} part{'s' * (fold.parts != 1)} from messages[{fold.first}] on"
        about, sums = f"{parts}, {fold.freed:,} tokens", f"rent {fold.rent:,.0f}, price {fold.price:,.0f}"
        console.print(
            Text.assemble(
                f"  weighed {about}: {sums}: ", ("folded", "green") if fold.done else ("not folded", "dim")
            )
        )
    if step.edits:
        console.print(Padding(edit_table(step.edits), (0, 0, 0, 2)))
    for one in step.refused:
        console.print(
            Text.assemble("  refused ", style="yellow").append_text(text(f"{one.place}: {one.text}", "dim"))
        )
