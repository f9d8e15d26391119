"""What would have paid, in sentences: a preset, a longer cache lifetime, keeping warm, cache marks, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from trimtab.replay.rows import Row
from trimtab.replay.totals import TOLERATED, Results, change, kept, total

WORTH = 0.01
"""Share of the bill below which a change is not worth a word."""

MISSED = 0.15
"""Share by which a bill must exceed what good marks would cost before the marks are doubted."""


class Advice(Struct, frozen=True, kw_only=True):
    """One piece of advice. `dollars` is how the bill would have changed (below 0 saves), over `segments`."""

    kind: str
    text: str
    dollars: float
    segments: int


def advice(results: Results) -> list[Advice]:
    """What would have paid on these sessions, most first; what should be left alone comes last."""
    rows = results.uncompacted
    if not rows:
        return []
    found = [*_preset(results, rows), *_longer(rows), *_warm(rows), *_marks(rows)]
    return [*sorted(found, key=lambda one: one.dollars), *_nothing(results, rows)]


def _preset(results: Results, rows: Sequence[Row]) -> Iterator[Advice]:
    """The preset that would have saved most with its misses charged, where one would have."""
    whole = kept(rows)
    totals = {name: total(rows, name) for name in results.options.presets}
    known = {name: one for name, one in totals.items() if one is not None}
    best = min(known, key=lambda name: known[name].miss_adjusted_change, default=None)
    if best is None:
        return
    one = known[best]
    if one.miss_adjusted_change > -WORTH:
        text = f"no preset that was replayed pays: the best, {best}, changes the bill by {one.dollars_change:+.1%}"
        yield Advice(kind="preset", text=text, dollars=0.0, segments=len(rows))
        return
    text = (
        f"preset {best} would have changed the bill by {one.dollars_change:+.1%} "
        f"({one.miss_adjusted_change:+.1%} with a call for each miss), {one.visible:.1%} of what was needed in "
        f"sight, {one.recoverable:.1%} recoverable; the worst session by {one.worst_session:+.1%}"
    )
    yield Advice(kind="preset", text=text, dollars=one.dollars_change * whole, segments=len(rows))


def _longer(rows: Sequence[Row]) -> Iterator[Advice]:
    text = "the longer cache lifetime would have changed the bill of {} that can have it by {:+.1%}"
    yield from _changed("lifetime", text, rows, lambda row: row.what_if.longer)


def _warm(rows: Sequence[Row]) -> Iterator[Advice]:
    text = (
        "keeping the cache warm in pauses, by a request before each expiry and at most eleven in a row, would "
        "have changed the bill of {} by {:+.1%} (computed; trimtab sends no such requests)"
    )
    yield from _changed("warm", text, rows, lambda row: row.what_if.warm)


def _changed(kind: str, text: str, rows: Sequence[Row], of: Callable[[Row], float | None]) -> Iterator[Advice]:
    """A change that would have saved, over all segments in which it could be had."""
    able = [(row, by) for row in rows if (by := of(row)) is not None]
    whole, changed = kept(row for row, _ in able), sum(by for _, by in able)
    if whole and changed < -WORTH * whole:
        yield Advice(
            kind=kind, text=text.format(counted(able), changed / whole), dollars=changed, segments=len(able)
        )


def _marks(rows: Sequence[Row]) -> Iterator[Advice]:
    """Segments whose bill good cache marks would have made smaller."""
    dear = [row for row in rows if row.predicted and row.billed and row.billed > row.predicted * (1 + MISSED)]
    if not dear:
        return
    unread = sum(row.what_if.used is not None and row.what_if.used.read == 0 for row in dear)
    over = sum((row.predicted or 0.0) - (row.billed or 0.0) for row in dear)
    text = (
        f"{counted(dear)} billed more than well placed cache marks would have cost"
        f"{f', {unread:,} of which read nothing from a cache' if unread else ''}: look for missing or badly "
        "placed marks, tools or models that change on the way, and answers that void the cache"
    )
    yield Advice(kind="marks", text=text, dollars=over, segments=len(dear))


def _nothing(results: Results, rows: Sequence[Row]) -> Iterator[Advice]:
    """Segments that are best left alone."""
    alone = [row for row in rows if not any(_saves(row, name) for name in results.options.presets)]
    if alone:
        text = f"{len(alone):,} of {counted(rows)} best left alone: no preset replayed saves {WORTH:.0%} there"
        yield Advice(kind="nothing", text=text, dollars=0.0, segments=len(alone))


def counted(things: Sequence[object]) -> str:
    """How many segments there are, in words."""
    return f"{len(things):,} segment{'' if len(things) == 1 else 's'}"


def _saves(row: Row, name: str) -> bool:
    return change(row.policies[name].figures.dollars, kept([row])) <= -TOLERATED
