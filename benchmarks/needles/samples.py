"""`content`: a sample of any kind, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import count

from benchmarks.needles import code, documents, logs, places, records, tables
from benchmarks.needles.base import Maker, Needle, Plan, Sample

SIZES = (6_000, 20_000, 60_000, 200_000, 600_000)
"""Characters, about three for a token: seed n takes entry n modulo their number."""

MAKERS: Mapping[str, tuple[str, Callable[[Plan, int], str]]] = {
    "json array": ("fetch_orders", records.array),
    "json minified": ("fetch_orders", records.minified),
    "json lines": ("fetch_events", records.lines),
    "json nested": ("get_services", records.nested),
    "csv": ("query", tables.comma),
    "table": ("run_command", tables.columns),
    "log": ("read_log", logs.service),
    "tests": ("run_tests", logs.tests),
    "terminal": ("run_command", logs.terminal),
    "search": ("search", places.search),
    "listing": ("list_files", places.listing),
    "code": ("read_file", code.source),
    "code numbered": ("read_file", code.numbered),
    "diff": ("run_command", code.diff),
    "html": ("fetch_page", documents.html),
    "markdown": ("read_file", documents.markdown),
    "prose": ("read_file", documents.prose),
}
"""By kind: the tool that answers so, and what writes the answer."""


def content(kind: str, seed: int) -> Sample:
    """The sample of a kind for a seed; needles that a small one has no room for are left out."""
    made = (_made(kind, seed, attempt) for attempt in count())
    return next(one for one in made if all(map(partial(_alone, one), one.needles)))


def _made(kind: str, seed: int, attempt: int) -> Sample:
    tool, make = MAKERS[kind]
    plan = Plan(Maker(f"{kind}/{seed}/{attempt}"), kind)
    text = make(plan, SIZES[seed % len(SIZES)])
    there = tuple(one for one in plan.needles if one.text in text)
    question = " ".join(["Something is wrong since this morning. Look at it first.", *plan.questions])
    said = f"Before I go on I have to look at {' and '.join(plan.mentions)}." if plan.mentions else "I look on."
    return Sample(kind, seed, text, there, question, said, tool)


def _alone(sample: Sample, needle: Needle) -> bool:
    """Whether a needle stands in one place of the result, and nowhere in what is said around it."""
    first, last = sample.text.find(needle.text), sample.text.rfind(needle.text)
    return last - first < 300 and needle.text not in sample.question + sample.said


def samples(kinds: list[str], seeds: int) -> list[Sample]:
    """All samples of some kinds."""
    return [content(kind, seed) for kind in kinds for seed in range(seeds)]


__all__ = ["MAKERS", "SIZES", "Needle", "content", "samples"]
