"""The page: what it says, in which order. No script, no font and no image comes from elsewhere, or at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources

from trimtab.replay.advice import advice, counted
from trimtab.replay.page.charts import course, dollars, kinds, named, pareto, tokens
from trimtab.replay.page.palette import futures, palette, rules
from trimtab.replay.rows import LONG, Row
from trimtab.replay.totals import Results, Total, bills, kept, total

TITLES = {
    "long": f"Long sessions, from {LONG:,} tokens",
    "short": "Short sessions",
    "compacted": "After a compaction by the client",
}
COLUMNS = ("dollars", "with misses", "worst", "visible", "intact", "recoverable", "cached", "folds", "$")


def page(results: Results) -> str:
    """The results as one HTML page."""
    style = resources.files(__package__).joinpath("style.css").read_text(encoding="utf-8")
    body = "".join(_sections(results))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>trimtab replay</title><style>{style}{rules(results)}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _sections(results: Results) -> Iterator[str]:
    groups = results.groups()
    main = groups["long"] or groups["all"] or results.rows
    yield _head(results, main)
    if main:
        totals = {name: one for name in results.names if (one := total(main, name)) is not None}
        yield "<h2>What it costs, and what stays in sight</h2><p>Intact: calls that still saw all that their next "
        yield "recorded action used. Further left is cheaper, higher is safer; a dashed line joins the policies "
        yield f"that no other beats in both.</p>{pareto(totals, futures(results))}"
    for group, title in TITLES.items():
        if groups[group]:
            yield f"<h2>{title}</h2>{_table(results, groups[group])}"
    if results.rows:
        yield f"<h2>Where the tokens are</h2><p>When all is kept, by kind of part.</p>{kinds(results.rows)}"
        yield "<h2>Session by session</h2><p>The dearest ones. Point at a line to follow it.</p>"
        yield from _courses(results)
    yield from _advice(results)
    yield _notes(results)


def _head(results: Results, main: Sequence[Row]) -> str:
    calls = sum(row.policies[results.names[0]].figures.calls for row in results.rows)
    about = f"{counted(results.rows)} of recorded sessions, {calls:,} calls. No model was asked."
    return f"<h1>trimtab replay</h1><p>{about}</p><div class='tiles'>{''.join(_tiles(results, main))}</div>"


def _tiles(results: Results, main: Sequence[Row]) -> Iterator[str]:
    if not main:
        return
    yield _tile(dollars(kept(main)), "to keep everything")
    known = [(name, total(main, name)) for name in results.options.presets]
    ranked = sorted((one.miss_adjusted_change, name, one) for name, one in known if one is not None)
    for _, name, one in ranked[:1]:
        yield _tile(f"{one.dollars_change:+.1%}", f"with preset {name}")
        yield _tile(f"{one.visible:.1%}", "of what was needed visible")
        yield _tile(f"{one.intact:.1%}", "of calls intact")
        yield _tile(f"{one.recoverable:.1%}", "recoverable")
        yield _tile(f"{one.worst_session:+.1%}", "the worst session")


def _tile(value: str, about: str) -> str:
    return f'<div class="tile"><b>{escape(value)}</b><span>{escape(about)}</span></div>'


def _table(results: Results, rows: Sequence[Row]) -> str:
    heads = "".join(f"<th>{name}</th>" for name in ("policy", *COLUMNS))
    known = futures(results)
    lines = []
    for number, name in enumerate(results.names):
        found = total(rows, name)
        if found is not None:
            dot = f'<i class="dot" style="background:{palette(results)[number]}"></i>'
            row = "".join(f"<td>{cell}</td>" for cell in (f"{dot}{escape(name)}", *_cells(found)))
            kind = "future" if name in known else "own"
            lines.append(f'<tr class="{kind}">{row}</tr>')
    table = f'<table class="figures"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
    return f'<p>{counted(rows)}.</p><div class="wide">{table}</div>'


def _cells(one: Total) -> Iterator[str]:
    for value in (one.dollars_change, one.miss_adjusted_change, one.worst_session):
        side = "down" if value < -0.0005 else "up" if value > 0.0005 else ""
        yield f'<span class="{side}">{value:+.1%}</span>'
    yield from (f"{value:.1%}" for value in (one.visible, one.intact, one.recoverable, one.cached))
    yield f"{one.folds:,}"
    yield f"{one.dollars:,.2f}"


def _courses(results: Results) -> Iterator[str]:
    shown = [row for row in results.rows if any(one.course for one in row.policies.values())]
    for number, row in enumerate(sorted(shown, key=lambda one: -kept([one]))):
        where = f"{row.model or 'unknown model'} · {tokens(row.tokens)} tokens at the end · {dollars(kept([row]))}"
        part = f", segment {row.number}, after a compaction" if row.compacted else ""
        head = f"{escape(named(row))}{part}<span>{escape(where)}</span>"
        both = "".join(course(row, results.names, what) for what in ("dollars", "tokens"))
        opened = " open" if number == 0 else ""
        yield f'<details{opened}><summary>{head}</summary><div class="pair">{both}</div></details>'


def _advice(results: Results) -> Iterator[str]:
    found = advice(results)
    if found:
        items = (
            f"<li><b>{f'{one.dollars:+,.2f} $' if one.dollars else ''}</b><span>{escape(one.text)}</span></li>"
            for one in found
        )
        yield f'<h2>What would have paid</h2><ol class="advice">{"".join(items)}</ol>'


def _notes(results: Results) -> str:
    held, notes = bills(results.rows), []
    if held["sessions"]:
        notes.append(
            f"Keep-all as predicted is {held['difference']:+.1%} off what was billed in {held['sessions']:,} of "
            f"them ({dollars(held['predicted'])} against {dollars(held['billed'])})."
        )
    notes += [f"{one.name}: {one.remark}." for one in results.options.policies() if one.remark]
    notes.append(
        "The recorded agent saw everything, and its actions are taken as given. Literal text is an upper bound of "
        "what a model finds."
    )
    return "<h2>To read this well</h2>" + "".join(f"<p>{escape(note)}</p>" for note in notes)
