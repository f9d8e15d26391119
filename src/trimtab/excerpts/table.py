"""Tables: CSV and its like, tables drawn with bars, columns aligned under a header in capitals."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import ClassVar

from trimtab.excerpts.base import ODD, STRUCTURE, VERDICT, Outline, Unit
from trimtab.excerpts.columns import Column, odd, summary
from trimtab.excerpts.numbered import behind
from trimtab.excerpts.parts import in_parts
from trimtab.excerpts.table_grids import Grid, aligned, barred, separated
from trimtab.selection import rows

FEWEST_ROWS = 3
"""Rows under a header below which nothing is taken for a table."""


class Table:
    """A header and rows that all have as many cells; a row is a unit and needs the header."""

    name: ClassVar[str] = "table"

    def read(self, text: str) -> Outline | None:
        """The outline of a text that is one table from beginning to end; None for anything else."""
        lines = rows(text)
        bare = behind(lines)
        grid = barred(bare) or separated(bare) or aligned(bare)
        if grid is None or len(grid.rows) < FEWEST_ROWS:
            return None
        edges = list(accumulate(map(len, lines), initial=0))
        starts = [edges[first] for first in grid.firsts]
        columns = _columns(grid, starts)
        units = list(in_parts(text, _units(text, grid, starts, _weights(grid, columns, starts))))
        return Outline(self.name, units, summary(f"{len(grid.rows):,} rows", columns))


def _columns(grid: Grid, starts: list[int]) -> list[Column]:
    at = [starts[record] for record, _ in grid.rows]
    values = zip(*(cells for _, cells in grid.rows), strict=True)
    return [Column(name, at, column) for name, column in zip(grid.names, values, strict=True)]


def _weights(grid: Grid, columns: list[Column], starts: list[int]) -> dict[int, tuple[float, str]]:
    """The header, the count beneath the table, and the oddest rows, a tenth of all at most."""
    found = sorted(one for column in columns for one in odd(column))[: max(3, len(grid.rows) // 10)]
    weights = {bisect_right(starts, one.at) - 1: (ODD, one.why) for one in reversed(found)}
    weights[grid.header] = (STRUCTURE, "header")
    weights.update(dict.fromkeys(grid.verdicts, (VERDICT, "count")))
    return weights


def _units(text: str, grid: Grid, starts: list[int], weights: dict[int, tuple[float, str]]) -> Iterator[Unit]:
    bodies = {record for record, _ in grid.rows}
    for record, (start, stop) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True)):
        weight, why = weights.get(record, (0.0, ""))
        yield Unit(start, stop, weight, why, grid.header if record in bodies else -1)
