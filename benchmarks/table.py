"""The rows that measures yield, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table


class Row(Struct, frozen=True):
    """One figure: a ratio, unless `unit` says what else. Without a limit it is for information.

    `value` is None where it could not be measured; `note` then says why.
    """

    measure: str
    case: str
    value: float | None
    limit: float | None = None
    aim: float | None = None
    unit: str = "×"
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the figure is within its limit."""
        if self.value is None:
            return "skipped"
        if self.limit is None:
            return ""
        return "ok" if self.value <= self.limit else "over"


STYLES = {"ok": "green", "over": "bold red", "skipped": "yellow"}


def show(rows: Sequence[Row]) -> None:
    """Print the rows as one table."""
    table = Table("measure", "case", title="trimtab bench: ratios of one run")
    for heading in ("figure", "limit", "aim"):
        table.add_column(heading, justify="right")
    table.add_column("")
    table.add_column("note")
    for before, row in zip([None, *rows], rows, strict=False):
        if before is not None and before.measure != row.measure:
            table.add_section()
        name = "" if before is not None and before.measure == row.measure else row.measure
        verdict = f"[{STYLES[row.verdict]}]{row.verdict}[/]" if row.verdict else ""
        figures = (_number(value, row.unit) for value in (row.value, row.limit, row.aim))
        table.add_row(name, row.case, *figures, verdict, row.note)
    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    console.print(table)


def as_json(rows: Sequence[Row]) -> str:
    """The rows as a JSON list, each with its verdict."""
    listed = [{**msgspec.to_builtins(row), "verdict": row.verdict} for row in rows]
    return msgspec.json.format(msgspec.json.encode(listed)).decode()


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    digits = f"{value:.0f}" if float(value).is_integer() or value >= 100 else f"{value:.2f}"
    return f"{digits}{unit}" if unit == "×" else f"{digits} {unit}"
