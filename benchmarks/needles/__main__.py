"""The needle suite: `python -m benchmarks.needles [--seeds 5] [--peers] [--json FILE] [kind …]`."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from benchmarks.needles import show
from benchmarks.needles.base import Sample
from benchmarks.needles.samples import MAKERS, SIZES, samples
from benchmarks.needles.trials import Trial, budgets, peers
from benchmarks.peers.peer import PACKAGES, PeerError, running


def main() -> None:
    """Try all kinds, or those asked for."""
    parser = argparse.ArgumentParser(description="Count the needles that are left of made-up tool results.")
    parser.add_argument("kinds", nargs="*", metavar="kind", help=f"of {', '.join(MAKERS)}; all by default")
    parser.add_argument(
        "--seeds", type=int, default=2 * len(SIZES), help="samples of each kind (default: %(default)s)"
    )
    parser.add_argument(
        "--peers", action="store_true", help="ask other tools too, each in an environment of its own"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all trials there")
    options = parser.parse_args()
    if unknown := [kind for kind in options.kinds if kind not in MAKERS]:
        parser.error(f"there is no kind {unknown[0]!r}; there are {', '.join(MAKERS)}")
    logging.disable(logging.WARNING)
    made = samples(options.kinds or list(MAKERS), options.seeds)
    trials = [trial for sample in made for trial in budgets(sample)]
    show.printed(
        show.by_budget(trials),
        show.by_budget(trials, lambda one: f"{one.seed % len(SIZES)}"),
        show.by_sort(trials),
    )
    if options.peers:
        asked = [trial for name in PACKAGES for trial in _asked(made, name)]
        show.printed(show.by_peer(asked, list(PACKAGES)))
        trials += asked
    if options.json:
        options.json.write_text(show.as_json(trials), encoding="utf-8")
    for times, what in show.losses(trials):
        print(f"{times:4d}  {what}")


def _asked(made: list[Sample], name: str) -> list[Trial]:
    """A peer's trials, as many as it answered; why there are no more goes to stderr."""
    found = list[Trial]()
    try:
        with running(name) as peer:
            found.extend(peers(made, peer))
    except PeerError as error:
        print(f"{name}: {error}", file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    main()
