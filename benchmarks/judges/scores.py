"""The figures that judges give, and how they are printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from benchmarks.judges.compacting import SUBJECTS, Subject


class Score(Struct, frozen=True):
    """One figure of a judge. Without a goal it is for information; `most` says that the goal is an upper bound.

    `value` is None where there is none: `note` says why, and with a goal that is a failure.
    """

    judge: str
    case: str
    value: float | None
    unit: str = "%"
    goal: float | None = None
    most: bool = False
    note: str = ""
    subject: str = "trimtab"

    @property
    def verdict(self) -> str:
        """Whether the goal is reached."""
        if self.value is None:
            return "skipped" if self.goal is None else "failed"
        if self.goal is None or self.subject != "trimtab":
            return ""
        return "ok" if (self.value <= self.goal if self.most else self.value >= self.goal) else "short"


STYLES = {"ok": "green", "short": "bold red", "failed": "bold red", "skipped": "yellow"}
FAILURES = ("short", "failed")


def answer(measure: Callable[[Subject], Iterable[Score]]) -> None:
    """Run a judge on the subject that the command line names, and write the scores as JSON to standard output."""
    name = sys.argv[1]
    scores = [msgspec.structs.replace(score, subject=name) for score in measure(SUBJECTS[name])]
    print(msgspec.json.encode(scores).decode())


def show(scores: Sequence[Score]) -> None:
    """Print the scores as one table, a column for each subject."""
    subjects = list(dict.fromkeys(score.subject for score in scores))
    table = Table("judge", "case", title="what outside judges say")
    for heading in (*subjects, "goal"):
        table.add_column(heading, justify="right")
    table.add_column("")
    table.add_column("note")
    rows: dict[tuple[str, str], dict[str, Score]] = {}
    for score in scores:
        rows.setdefault((score.judge, score.case), {})[score.subject] = score
    before = ""
    for (judge, case), row in rows.items():
        if before and judge != before:
            table.add_section()
        own = row.get("trimtab") or next(iter(row.values()))
        verdict = f"[{STYLES[own.verdict]}]{own.verdict}[/]" if own.verdict else ""
        figures = [_figure(row[name]) if name in row else "" for name in subjects]
        table.add_row("" if judge == before else judge, case, *figures, _goal(own), verdict, own.note)
        before = judge
    console = Console()
    (console if console.is_terminal else Console(width=150)).print(table)


def as_json(scores: Sequence[Score]) -> str:
    """The scores as a JSON list, each with its verdict."""
    listed = [{**msgspec.to_builtins(score), "verdict": score.verdict} for score in scores]
    return msgspec.json.format(msgspec.json.encode(listed)).decode()


def _figure(score: Score) -> str:
    return "" if score.value is None else f"{score.value:.4g} {score.unit}".rstrip()


def _goal(score: Score) -> str:
    return "" if score.goal is None else f"{'≤' if score.most else '≥'} {score.goal:.4g} {score.unit}".rstrip()
