"""Asks the judges and prints one table: `python -m benchmarks.judges [--json] [--subject …] [judge …]`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from benchmarks.judges.compacting import SUBJECTS
from benchmarks.judges.environments import ROOT, NotToBeHadError, environment
from benchmarks.judges.scores import FAILURES, Score, as_json, show

JUDGES: Mapping[str, str] = {
    "conformance": "compaction-conformance-kit==0.8.0",
    "compint": "conpact==0.1.0",
    "jev": "jev-harness-sdk==1.2.0",
    "decisions": "distil-llm==1.58.0",
    "guard": "compaction-guard==0.1.0",
}
"""The module that puts trimtab before a judge, and where the judge is to be had on PyPI."""


def main() -> int:
    """Ask the judges named, or all of them. 1 if trimtab falls short of a goal or a judge breaks off."""
    parser = argparse.ArgumentParser(description="Ask outside judges what is kept.")
    parser.add_argument("judges", nargs="*", metavar="judge", help=f"of {', '.join(JUDGES)}; all by default")
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")
    parser.add_argument("--subject", action="append", choices=SUBJECTS, help="trimtab and ends by default")
    options = parser.parse_args()
    if unknown := [name for name in options.judges if name not in JUDGES]:
        parser.error(f"there is no judge {unknown[0]!r}; there are {', '.join(JUDGES)}")
    scores: list[Score] = []
    for judge in options.judges or JUDGES:
        scores += _asked(judge, options.subject or ("trimtab", "ends"))
    print(as_json(scores)) if options.json else show(scores)
    return 1 if any(score.verdict in FAILURES for score in scores) else 0


def _asked(judge: str, subjects: Sequence[str]) -> list[Score]:
    """What a judge says of each subject; one row that says why where it cannot be had."""
    try:
        python = environment(JUDGES[judge])
    except NotToBeHadError as error:
        return [Score(JUDGES[judge], "", None, note=str(error))]
    return [score for subject in subjects for score in _answered(python, judge, subject)]


def _answered(python: Path, judge: str, subject: str) -> list[Score]:
    print(f"{judge}: {subject} …", file=sys.stderr, flush=True)
    command = [str(python), "-m", f"benchmarks.judges.{judge}", subject]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        note = f"broke off with {done.returncode}, see above"
        return [Score(JUDGES[judge], "", None, goal=100, note=note, subject=subject)]
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=list[Score])


if __name__ == "__main__":
    sys.exit(main())
