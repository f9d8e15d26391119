"""The report of a compaction, drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trimtab.cli.exits import visible
from trimtab.cli.screen import bar, number, table, text
from trimtab.differences import Change
from trimtab.report import EditLine, Report
from trimtab.transcript import Finding

MOST_FINDINGS = 8

KEEPS, BRINGS = "widened to keep ", "brings back "
"""What the reason of an edit says before the facts that had a say in it (see `gate` and `draft`)."""

STYLES = {"applied": "bold green", "standing": "bold cyan", "nothing": "bold", "failed": "bold red"}


def drawn(report: Report, earlier: Sequence[EditLine] = ()) -> Group:
    """The whole report; `earlier` are edits of earlier calls that still stand."""
    return Group(*_sections(report, earlier))


def _sections(report: Report, earlier: Sequence[EditLine]) -> Iterator[RenderableType]:
    yield _head(report)
    yield _sizes(report)
    for title, edits in (("Cut now", report.edits), ("Cut earlier, still in force", earlier)):
        if edits:
            yield Padding(edit_table(edits, title), (1, 0, 0, 0))
    for word, found in (("refused", report.refused), ("note", report.findings)):
        if found:
            yield Padding(_findings(word, found), (1, 0, 0, 0))
    largest = max((*report.edits, *earlier), key=lambda edit: edit.saved, default=None)
    if largest and largest.handle:
        way = f"What was cut comes back: trimtab recall {largest.handle} --lines 1-40"
        yield Padding(Text(way, "dim"), (1, 0, 0, 0))


def _head(report: Report) -> Text:
    about = (report.wire, report.model or "model not named", f"preset {report.preset}")
    line = Text.assemble("trimtab ", (report.outcome, STYLES.get(report.outcome, "bold")), "  ")
    line.append_text(text(" · ".join(about), "dim"))
    line.append("\n").append_text(text(report.trigger))
    return line


def _sizes(report: Report) -> RenderableType:
    """Before and after as bars, with what that saves."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    share = report.saved / report.tokens_before if report.tokens_before else 0.0
    money = f", ${report.dollars_saved:,.4f} at the uncached input price" if report.dollars_saved else ""
    rows = (
        ("before", report.tokens_before, "bright_black", ""),
        ("after", report.tokens_after, "green", f"{share:.0%} less{money}" if report.saved else "the same"),
    )
    for name, tokens, color, saying in rows:
        grid.add_row(
            name, bar(tokens, report.tokens_before, 40, color), number(tokens, "bold"), Text(saying, "green")
        )
    unit = f"tokens by {report.counter}"
    if report.factor != 1:
        unit += f"; the provider is expected to count {report.factor:.2f} times as many"
    cost = [Text(f"with the prompt cache: {report.cost}", "green")] if report.cost else []
    return Padding(Group(grid, Text(unit, "dim"), *cost), (1, 0, 0, 0))


def edit_table(edits: Sequence[EditLine], title: str = "") -> Group:
    """Edits, the largest saving longest; below them what was kept or brought back for facts."""
    made = table(">saved", "", "where", "*what", "*pass and reason", "handle", title=title)
    made.columns[3].ratio = 2
    most = max((edit.saved for edit in edits), default=1)
    for edit in edits:
        made.add_row(
            number(edit.saved),
            bar(edit.saved, most, 8, "green"),
            text(edit.place.partition(" ")[0]),
            text(edit.what),
            text(f"{edit.by}: {edit.reason.partition(f'; {KEEPS}')[0]}", "dim"),
            text(edit.handle, "cyan"),
        )
    return Group(made, *_for_facts(edits))


def _for_facts(edits: Sequence[EditLine]) -> Iterator[Text]:
    for edit in edits:
        for word, style in ((KEEPS, "green"), (BRINGS, "cyan")):
            _, found, facts = edit.reason.partition(word)
            if found:
                line = Text.assemble((word.strip(), style), f" {visible(facts)}  ")
                yield line.append_text(text(edit.place, "dim"))


def _findings(word: str, found: Sequence[Finding]) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for one in found[:MOST_FINDINGS]:
        said = f"{one.text}; {one.mend}" if one.mend else one.text
        grid.add_row(Text(word, "yellow"), text(one.place, "dim"), Text(text(said).plain))
    if len(found) > MOST_FINDINGS:
        grid.add_row("", "", Text(f"and {len(found) - MOST_FINDINGS} more (--json shows all)", "dim"))
    return grid


def difference(changes: Sequence[Change]) -> Group:
    """Before and after side by side, one table for each message that changed."""
    return Group(*(Padding(_side_by_side(change), (0, 0, 1, 0)) for change in changes))


def _side_by_side(change: Change) -> Table:
    made = table("*before", "*after", title=f"{change.place}  {change.role}")
    for column, style in zip(made.columns, ("red", "green"), strict=True):
        column.no_wrap, column.overflow, column.style = False, "fold", style
    made.add_row(*(visible("\n".join(lines).expandtabs(4)) for lines in (change.before, change.after)))
    return made
