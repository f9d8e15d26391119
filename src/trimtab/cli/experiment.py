"""`trimtab experiment`: what each way to compact keeps of the bundled example."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trimtab.cli import options
from trimtab.cli.files import print_json
from trimtab.cli.screen import counted, number, screen, table, waiting
from trimtab.example.experiment import FACTS, PUBLISHED, VARIANTS, WAYS, Row, rows


def experiment(
    variants: Annotated[int, typer.Option(metavar="N", min=1, max=VARIANTS, help="How many variants.")] = VARIANTS,
    json: options.Json = False,
) -> None:
    """Compact the bundled example, cut after its fifth result, in several ways, and check six facts in each.

    Then the same for variants of it, which are built from seeds. Tokens are raw o200k tokens of the whole
    request. Nothing is written, and no setting of yours has a say in it.
    """
    found = list[Row]()
    with waiting("compacting", total=len(WAYS)) as done:
        for row in rows(variants):
            found.append(row)
            done()
    if json:
        print_json([msgspec.to_builtins(row) for row in found])
        return
    console = screen()
    console.print(_bundled(found))
    console.print(Padding(_variants(found, variants), (1, 0)))
    console.print(Text(PUBLISHED, "dim"), soft_wrap=True)


def _bundled(found: Sequence[Row]) -> Table:
    made = table("way", ">tokens", *FACTS, title="The example after five results")
    for row in found:
        standings = (Text("lost", "red") if fact in row.bundled.lost else Text("kept", "green") for fact in FACTS)
        made.add_row(Text(row.way), number(row.bundled.tokens, "bold"), *standings)
    return made


def _variants(found: Sequence[Row], variants: int) -> Table:
    """How many variants lost each fact; a dot where none did."""
    titles = (f">{fact}" for fact in FACTS)
    made = table("way", ">mean", *titles, ">lose nothing", title=f"Losses in {counted(variants, 'variant')} of it")
    for row in found:
        losses = (Text(f"{row.losses[fact]}", "red") if row.losses[fact] else Text("·", "dim") for fact in FACTS)
        made.add_row(Text(row.way), number(round(row.mean), "bold"), *losses, number(row.whole, "green"))
    return made
