"""Trials as tables: needles kept by kind and budget, beside the peers, and what was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks.needles.trials import ENDS, SHARES, TRIMTAB, Trial

ALL = "all"


def by_budget(trials: Sequence[Trial], of: Callable[[Trial], str] = lambda one: one.kind) -> Table:
    """Needles kept in percent, a row for each kind (or what `of` says), two columns for each budget."""
    table = Table("", title="needles kept, % (trimtab / head and tail of the same size)")
    for share in SHARES:
        table.add_column(f"{share:.0%}", justify="right")
    for name in [*dict.fromkeys(map(of, trials)), ALL]:
        row = [one for one in trials if name in (ALL, of(one))]
        cells = [f"{_rate(row, TRIMTAB, share)} / {_rate(row, ENDS, share)}" for share in SHARES]
        table.add_row(name, *cells, end_section=name == ALL)
    return table


def by_sort(trials: Sequence[Trial]) -> Table:
    """Needles that trimtab kept, by what they hang on."""
    table = Table("sort", title="by what the needle hangs on, % (trimtab)")
    for share in SHARES:
        table.add_column(f"{share:.0%}", justify="right")
    ours = [one for one in trials if one.way == TRIMTAB]
    for sort in ("anomaly", "asked", "identifier", "structure"):
        cells = list[str]()
        for share in SHARES:
            held = [one for one in ours if one.room == share]
            kept = sum(needle.sort == sort for one in held for needle in one.kept)
            lost = sum(needle.sort == sort for one in held for needle in one.lost)
            cells.append(_percent(kept, kept + lost))
        table.add_row(sort, *cells)
    return table


def by_peer(trials: Sequence[Trial], names: Sequence[str]) -> Table:
    """What each peer kept and how much of the result it sent, and what trimtab keeps in as many tokens."""
    table = Table("kind", title="needles kept, % \\[of the result sent, %] → trimtab in as many tokens")
    for name in names:
        table.add_column(name, justify="right")
    for kind in [*dict.fromkeys(one.kind for one in trials), ALL]:
        cells = list[str]()
        for name in names:
            theirs = [one for one in trials if one.way == name and kind in (ALL, one.kind)]
            ours = [one for one in trials if one.way == f"{TRIMTAB} in {name}'s size" and kind in (ALL, one.kind)]
            sent = _percent(sum(one.used for one in theirs), sum(one.tokens for one in theirs))
            cells.append(f"{_kept(theirs)} [{sent}] → {_kept(ours)}" if theirs else "")
        table.add_row(kind, *(cell.replace("[", "\\[") for cell in cells))
    return table


def losses(trials: Iterable[Trial]) -> list[tuple[int, str]]:
    """What trimtab lost, most often first: how often and what, from the smallest budget it was lost in."""
    counted = Counter(
        f"{one.kind}: {needle.sort}, {_shapeless(needle.how)}, at {one.room:.0%}"
        for one in trials
        if one.way == TRIMTAB
        for needle in one.lost
    )
    return [(times, what) for what, times in counted.most_common()]


def printed(*tables: Table) -> None:
    """Print tables as wide as they are where that is no terminal."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    for table in tables:
        console.print(table)


def as_json(trials: Sequence[Trial]) -> str:
    """All trials, each with the needles it kept and lost."""
    return msgspec.json.format(msgspec.json.encode(trials)).decode()


def _shapeless(how: str) -> str:
    return " ".join("n" if word.strip(",").replace(",", "").isdigit() else word for word in how.split())


def _rate(trials: Sequence[Trial], way: str, share: float) -> str:
    return _kept([one for one in trials if one.way == way and one.room == share])


def _kept(trials: Sequence[Trial]) -> str:
    unmet = sum(not one.met for one in trials)
    kept, lost = sum(len(one.kept) for one in trials), sum(len(one.lost) for one in trials)
    return _percent(kept, kept + lost) + (f" ({unmet} unmet)" if unmet else "")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}" if whole else "-"
