"""Runs the measures and prints one table: `python -m benchmarks.run [--json] [measure …]`."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Iterable, Mapping

from benchmarks.measures import (
    excerpts,
    first_call,
    hostile,
    install,
    memory,
    next_call,
    policy,
    replay,
    startup,
    store,
)
from benchmarks.table import Row, as_json, show

MEASURES: Mapping[str, Callable[[], Iterable[Row]]] = {
    "install": install.measure,
    "first_call": first_call.measure,
    "next_call": next_call.measure,
    "memory": memory.measure,
    "startup": startup.measure,
    "hostile": hostile.measure,
    "excerpts": excerpts.measure,
    "store": store.measure,
    "policy": policy.measure,
    "replay": replay.measure,
}


def main() -> None:
    """Measure what is asked for, or everything."""
    parser = argparse.ArgumentParser(description="Measure speed, memory and size, as ratios.")
    parser.add_argument("measures", nargs="*", metavar="measure", help=f"of {', '.join(MEASURES)}; all by default")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    if unknown := [name for name in options.measures if name not in MEASURES]:
        parser.error(f"there is no measure {unknown[0]!r}; there are {', '.join(MEASURES)}")
    logging.disable(logging.WARNING)
    rows: list[Row] = []
    for name in options.measures or MEASURES:
        print(f"{name} …", file=sys.stderr, flush=True)
        rows += MEASURES[name]()
    print(as_json(rows)) if options.json else show(rows)


if __name__ == "__main__":
    main()
