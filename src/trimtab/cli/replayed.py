"""A replay for a terminal: tables of groups of segments, of models and of the dearest segments, then advice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trimtab.cli.screen import counted, number, table, text
from trimtab.replay.advice import advice
from trimtab.replay.page.charts import named
from trimtab.replay.rows import FAULT, LONG, Row
from trimtab.replay.totals import Results, Total, bills, kept, total

MOST_MODELS, MOST_SEGMENTS, MOST_FAULTS = 8, 10, 3
"""Rows of models, of segments, the dearest ones, and of faults; JSON has all."""


def drawn(results: Results) -> Group:
    """The results for a terminal."""
    return Group(*_sections(results))


def _sections(results: Results) -> Iterator[RenderableType]:
    yield _head(results)
    for name, rows in results.groups().items():
        if rows and name != "all":
            yield Padding(_table(results, name, rows), (1, 0, 0, 0))
    if len(results.models()) > 1:
        yield Padding(_shares(results, "model", results.models(), MOST_MODELS), (1, 0, 0, 0))
    if len(results.rows) > 1:
        yield Padding(_shares(results, "segment", _by_segment(results.rows), MOST_SEGMENTS), (1, 0, 0, 0))
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


def _by_segment(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Each segment by its name, the dearest first."""
    found: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: -kept([row])):
        found.setdefault(f"{named(row)}{f' · {row.number}' if row.number > 1 else ''}", []).append(row)
    return found


def _shares(results: Results, what: str, groups: Mapping[str, Sequence[Row]], most: int) -> Table:
    """What each preset would have changed, by model or by segment."""
    presets = results.options.presets
    columns = [column for name in presets for column in (f">{name}", ">visible", ">intact")]
    made = table(">$ kept", ">tokens", *columns, f"*{what}")
    for name, rows in [*groups.items()][:most]:
        cells: list[Text] = []
        for preset in presets:
            found = total(rows, preset)
            if found is not None:
                cells += [_change(found.dollars_change), Text(f"{found.visible:.1%}"), Text(f"{found.intact:.1%}")]
        size = number(max(row.tokens for row in rows), "dim")
        made.add_row(Text(f"{kept(rows):,.2f}", "bold"), size, *cells, text(name))
    if len(groups) > most:
        made.add_row(*[""] * (len(made.columns) - 1), Text(f"and {len(groups) - most:,} more", "dim"))
    return made


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
    faults = [one for one in results.failed if one.failed.startswith(FAULT)]
    lines += [f"{one.path}: {one.failed}; please report it" for one in faults[:MOST_FAULTS]]
    if others := len(results.failed) - len(faults):
        lines.append(f"{counted(others, 'file')} no session, or not read to its end (--json says why)")
    lines += [f"{one.name}: {one.remark}" for one in results.options.policies() if one.remark]
    assumed = sum(bool(row.assumed) for row in results.rows)
    if assumed:
        why = next(row.assumed for row in results.rows if row.assumed)
        lines.append(f"{assumed} without known prices: {why}")
    return Group(*(text(line, "dim") for line in lines))
