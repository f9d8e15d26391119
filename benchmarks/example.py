"""The bundled example, cut after its fifth result, at three budgets: `python -m benchmarks.example`.

A budget is the target as well: raw o200k tokens of the whole request, tools included. A fact is lost when it
is in no string of what would be sent.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table

from trimtab import Compactor, example
from trimtab.errors import BudgetError
from trimtab.example import record
from trimtab.transcript import JSON

VARIANTS = range(1, 21)
BUDGETS = (800, 1200, 2000)
FACTS = tuple(example.facts())
WINDOW = 100_000_000


class Run(Struct, frozen=True):
    """A variant at a budget: what was sent, in raw tokens, and the facts that are gone.

    `smallest` is set where the budget is below the smallest valid request; nothing is sent then.
    """

    wire: str
    variant: int
    budget: int
    after: int = 0
    lost: tuple[str, ...] = ()
    smallest: int | None = None


def run(wire: str, variant: int, budget: int) -> Run:
    """One of them. The model is one whose provider counts o200k, so that the budget is raw tokens."""
    request = example.cut(5, record.build(wire, variant))
    body = msgspec.json.encode({**msgspec.json.decode(request), "model": "gpt-4o"})
    compactor = Compactor(store="memory:", budget=budget, target=budget, config={"window": WINDOW})
    try:
        result = compactor.compact(body)
    except BudgetError as error:
        return Run(wire, variant, budget, smallest=error.smallest)
    seen = "\n".join(_texts(json.loads(result.payload)))
    lost = tuple(name for name, fact in record.facts(variant).items() if fact not in seen)
    return Run(wire, variant, budget, result.report.tokens_after, lost)


def table(runs: list[Run]) -> Table:
    """How many variants lost each fact, a row for each wire and budget."""
    made = Table(
        "wire", "budget", "tokens sent", *FACTS, "all kept", title=f"facts lost, of {len(VARIANTS)} variants"
    )
    for wire in example.WIRES:
        for budget in BUDGETS:
            held = [one for one in runs if (one.wire, one.budget) == (wire, budget)]
            met = [one for one in held if one.smallest is None]
            lost = Counter(name for one in met for name in one.lost)
            sent = f"{min(one.after for one in met):,}-{max(one.after for one in met):,}" if met else ""
            whole = f"{sum(not one.lost for one in met)} of {len(met)}" if met else ""
            made.add_row(wire, f"{budget:,}", sent, *(str(lost[name]) if met else "" for name in FACTS), whole)
            if unmet := [one.smallest for one in held if one.smallest is not None]:
                made.add_row("", "", f"{len(unmet)} cannot be met (smallest {min(unmet):,}-{max(unmet):,})")
    return made


def main() -> None:
    """Run all and print."""
    parser = argparse.ArgumentParser(description="Count the facts of the bundled example that small budgets lose.")
    parser.add_argument("--json", action="store_true", help="print all runs as JSON")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    runs = [run(wire, variant, budget) for wire in example.WIRES for variant in VARIANTS for budget in BUDGETS]
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(runs)).decode())
    else:
        console = Console()
        (console if console.is_terminal else Console(width=140)).print(table(runs))


def _texts(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


if __name__ == "__main__":
    main()
