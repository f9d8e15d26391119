"""Many segments together: the figures of each policy as shares of what keeping all would have cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean
from typing import Any

from msgspec import Struct

from trimtab.replay.baselines import KEEP_ALL
from trimtab.replay.figures import Figures, Sight, added
from trimtab.replay.rows import File, Options, Row

TOLERATED = 0.01
"""Share by which a session may be dearer and still count as no dearer."""


class Total(Struct, frozen=True, kw_only=True):
    """A policy over some segments. Changes and shares are fractions; changes are against keeping all.

    `dollars_change` is that of the sums, `mean_change` the mean over segments, `worst_session` the largest of
    one. `miss_adjusted_change` charges an extra call for each that did not see all it needed. `dearer` counts
    segments whose cost grew by more than `TOLERATED`. What is in sight (`visible` and so on) is grounded;
    `literal` and `grounded` have both metrics.
    """

    sessions: int
    calls: int
    tokens: int
    cached: float
    peak: int
    dollars: float
    dollars_change: float
    miss_adjusted_change: float
    mean_change: float
    worst_session: float
    dearer: int
    folds: int
    rewritten: int
    over_window: int
    failed: int
    visible: float
    quote: float
    intact: float
    old_visible: float
    recoverable: float
    rerunnable: float
    literal: dict[str, float]
    grounded: dict[str, float]


def total(rows: Sequence[Row], policy: str) -> Total | None:
    """A policy over segments; None when there are none."""
    if not rows:
        return None
    kept = [row.policies[KEEP_ALL.name].figures.dollars for row in rows]
    own = [row.policies[policy].figures for row in rows]
    found = added(own)
    whole = sum(kept)
    changes = [change(one.dollars, before) for one, before in zip(own, kept, strict=True)]
    grounded, literal = shares(found.grounded, found, whole), shares(found.literal, found, whole)
    return Total(
        sessions=len(rows),
        calls=found.calls,
        tokens=found.input,
        cached=_share(found.read, found.input, 0.0),
        peak=found.peak,
        dollars=found.dollars,
        dollars_change=change(found.dollars, whole),
        miss_adjusted_change=grounded["miss_adjusted_change"],
        mean_change=mean(changes),
        worst_session=max(changes),
        dearer=sum(one > TOLERATED for one in changes),
        folds=found.folds,
        rewritten=found.rewritten,
        over_window=found.over,
        failed=found.failed,
        visible=grounded["visible"],
        quote=grounded["quote"],
        intact=grounded["intact"],
        old_visible=grounded["old_visible"],
        recoverable=grounded["recoverable"],
        rerunnable=grounded["rerunnable"],
        literal=literal,
        grounded=grounded,
    )


def shares(sight: Sight, figures: Figures, kept: float) -> dict[str, float]:
    """What is in sight, as shares, and the change of the bill when every miss is charged."""
    return {
        "atoms": sight.atoms,
        "visible": _share(sight.visible, sight.atoms),
        "quote": _share(sight.quotes_visible, sight.quotes),
        "intact": _share(sight.intact, sight.needing),
        "old_visible": _share(sight.old_visible, sight.old),
        "old_recoverable": _share(sight.old_recoverable, sight.old),
        "recoverable": _share(sight.recoverable, sight.atoms),
        "rerunnable": _share(sight.rerunnable, sight.atoms),
        "misses": sight.needing - sight.intact,
        "miss_adjusted_change": change(figures.dollars + sight.misses, kept),
    }


def change(after: float, before: float) -> float:
    """A cost against another, as a fraction of it; 0 where nothing costs anything."""
    return after / before - 1 if before else 0.0


def _share(part: int, whole: int, none: float = 1.0) -> float:
    return part / whole if whole else none


class Results(Struct, frozen=True, kw_only=True):
    """All that was replayed. Policies stand in the order of the table."""

    options: Options
    rows: tuple[Row, ...]
    failed: tuple[File, ...]
    files: int

    @property
    def names(self) -> list[str]:
        """The policies by name."""
        return [policy.name for policy in self.options.policies()]

    @property
    def uncompacted(self) -> list[Row]:
        """The segments of which claims can be made: their agents saw everything."""
        return [row for row in self.rows if not row.compacted]

    def groups(self) -> dict[str, list[Row]]:
        """The segments by what the totals are about; those that follow a compaction stand apart."""
        first = self.uncompacted
        return {
            "long": [row for row in first if row.long],
            "short": [row for row in first if not row.long],
            "all": first,
            "compacted": [row for row in self.rows if row.compacted],
        }

    def models(self) -> dict[str, list[Row]]:
        """The uncompacted segments by model, the dearest first."""
        found: dict[str, list[Row]] = {}
        for row in self.uncompacted:
            found.setdefault(row.model or "unknown", []).append(row)
        return dict(sorted(found.items(), key=lambda one: -kept(one[1])))


def kept(rows: Iterable[Row]) -> float:
    """Dollars that segments cost when all is kept."""
    return sum(row.policies[KEEP_ALL.name].figures.dollars for row in rows)


def bills(rows: Iterable[Row]) -> dict[str, Any]:
    """What keep-all is predicted to cost against what was billed, over the segments that report it."""
    pairs = [(row.predicted, row.billed) for row in rows if row.predicted is not None and row.billed]
    predicted, billed = sum(one for one, _ in pairs), sum(one for _, one in pairs)
    return {
        "sessions": len(pairs),
        "predicted": predicted,
        "billed": billed,
        "difference": change(predicted, billed) if pairs else None,
    }
