"""The charts of the page. Every mark of a policy bears its class, so that pointing at one dims the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import PurePath

from trimtab.replay.page.plot import LINE, Plot, apart
from trimtab.replay.rows import Course, Row
from trimtab.replay.totals import Total

KINDS = {
    "results": "tool results",
    "arguments": "call arguments",
    "assistant": "assistant",
    "user": "user",
    "reasoning": "reasoning",
    "media": "media",
    "other": "other",
}
"""Kinds of parts in the order of the bar, and their names."""


def course(row: Row, names: Sequence[str], what: str) -> str:
    """How a segment went under each policy: `dollars` until a call, or `tokens` of its request."""
    found = [one for name in names if (one := row.policies[name].course) is not None and one.calls]
    if not found:
        return ""
    rows: list[Sequence[float]] = [one.dollars if what == "dollars" else one.tokens for one in found]
    top = max(max(values) for values in rows) or 1
    height = max(260, LINE * len(found) + 60)
    plot = Plot(height=height, x_range=(1, max(2, found[0].calls[-1] + 1)), y_range=(0, top * 1.04))
    title = "Dollars so far" if what == "dollars" else "Tokens of the request"
    shown = dollars if what == "dollars" else tokens
    marks = [*plot.axes("call", lambda value: f"{value:,.0f}", shown)]
    held = row.policies
    classes = [(number, name) for number, name in enumerate(names) if held[name].course is not None]
    places = apart([plot.y(values[-1]) for values in rows], low=plot.top, high=plot.height - plot.bottom)
    for (number, name), one, values, place in zip(classes, found, rows, places, strict=True):
        marks += _line(plot, number, name, one, values, place, shown(values[-1]))
    return f"<figure><figcaption>{title}</figcaption>{plot.drawn(title, marks)}</figure>"


def _line(
    plot: Plot, number: int, name: str, one: Course, values: Sequence[float], place: float, last: str
) -> Iterator[str]:
    points = " ".join(f"{plot.x(call + 1)},{plot.y(value)}" for call, value in zip(one.calls, values, strict=True))
    end, beside = plot.x(one.calls[-1] + 1), plot.width - plot.right + 14
    about = f"<title>{escape(name)}: {last}</title>"
    yield f'<g class="p{number}">{about}<polyline points="{points}"/>'
    yield f'<path class="lead" d="M{end + 2},{plot.y(values[-1])}L{beside - 3},{place}"/>'
    yield f'<text class="label" x="{beside}" y="{place + 3.5}">{escape(name)} <tspan>{last}</tspan></text></g>'


def pareto(totals: Mapping[str, Total], futures: frozenset[str]) -> str:
    """Dollars against calls that saw all they needed; up and left is better. A line joins what nothing beats."""
    names = list(totals)
    points = [(100 * totals[name].dollars_change, 100 * totals[name].intact) for name in names]
    low, high = min([98.0, *(y for _, y in points)]), 100.0
    plot = Plot(
        width=720,
        height=max(400, LINE * len(points) + 60),
        right=200,
        x_range=_widened([x for x, _ in points]),
        y_range=(low - max(high - low, 1) * 0.08, high + max(high - low, 1) * 0.06),
    )
    marks = [*plot.axes("change of the bill against keeping everything", _signed, lambda value: f"{value:g} %")]
    best = _front([(x, y) for name, (x, y) in zip(names, points, strict=True) if name not in futures])
    marks.append(f'<polyline class="front" points="{" ".join(f"{plot.x(x)},{plot.y(y)}" for x, y in best)}"/>')
    places = apart([plot.y(y) for _, y in points], low=plot.top, high=plot.height - plot.bottom)
    for number, (name, (x, y), place) in enumerate(zip(names, points, places, strict=True)):
        marks += _point(plot, number, name, (x, y), place)
    title = "Dollars against intact calls"
    return f"<figure>{plot.drawn(title, marks)}</figure>"


def _point(plot: Plot, number: int, name: str, at: tuple[float, float], place: float) -> Iterator[str]:
    x, y = plot.x(at[0]), plot.y(at[1])
    beside = plot.width - plot.right + 14
    told = f"{_signed(at[0])}, {at[1]:.1f} % intact"
    yield f'<g class="p{number}"><title>{escape(name)}: {told}</title>'
    yield f'<path class="lead" d="M{x + 7},{y}L{beside - 3},{place}"/><circle cx="{x}" cy="{y}" r="5.5"/>'
    label = f"{escape(name)} <tspan>{_signed(at[0])}</tspan>"
    yield f'<text class="label" x="{beside}" y="{place + 3.5}">{label}</text></g>'


def _front(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points that no other beats in both, from the cheapest on."""
    best: list[tuple[float, float]] = []
    for x, y in sorted(points, key=lambda one: (one[0], -one[1])):
        if not best or y > best[-1][1]:
            best.append((x, y))
    return best


def _widened(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(*values, 0), max(*values, 0)
    room = max(high - low, 1) * 0.06
    return low - room, high + room


def kinds(rows: Sequence[Row]) -> str:
    """Where the tokens are, when all is kept: one bar for all, one for each of the largest segments."""
    largest = sorted(rows, key=lambda row: -row.tokens)[:6]
    whole = {kind: sum(row.kinds[kind] for row in rows) for kind in KINDS}
    bars = [("all segments", whole), *((_short(row), row.kinds) for row in largest)]
    body = "".join(f"<tr><th>{escape(name)}</th><td>{_bar(found)}</td></tr>" for name, found in bars)
    keys = "".join(f'<span><i class="k-{kind}"></i>{name}</span>' for kind, name in KINDS.items() if whole[kind])
    return f'<div class="keys">{keys}</div><table class="bars">{body}</table>'


def _bar(found: Mapping[str, int]) -> str:
    total = sum(found.values()) or 1
    parts = [(kind, count / total) for kind, count in found.items() if count]
    pieces = (
        f'<i class="k-{kind}" style="width:{100 * part:.2f}%" title="{KINDS[kind]}: {found[kind]:,} tokens">'
        f"{f'{part:.0%}' if part >= 0.07 else ''}</i>"
        for kind, part in parts
    )
    return f'<div class="bar">{"".join(pieces)}</div>'


def _short(row: Row) -> str:
    name = named(row)
    name = name if len(name) <= 36 else f"{name[:35]}…"
    return f"{name} · {row.number}" if row.number > 1 else name


def named(row: Row) -> str:
    """What a segment's session is called; by its file where its own name is none to tell it by."""
    return row.session if len(row.session) > 3 else f"{PurePath(row.file).stem} {row.session}".strip()


def dollars(value: float) -> str:
    """A sum of money."""
    return f"${value:,.2f}" if value >= 0.1 or not value else f"${value:.3f}"


def tokens(value: float) -> str:
    """A number of tokens, in thousands where it has them."""
    return f"{value / 1000:,.0f}k" if value >= 1000 else f"{value:,.0f}"


def _signed(value: float) -> str:
    if abs(value) < 0.05:
        return "0 %"
    return f"{value:+.1f} %" if value % 1 and abs(value) < 100 else f"{value:+.0f} %"
