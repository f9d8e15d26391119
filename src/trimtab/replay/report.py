"""The results of a replay as plain JSON; docs/replay.md says what each field means."""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec

from trimtab.replay.advice import advice
from trimtab.replay.rows import Row, Under
from trimtab.replay.totals import Results, bills, total

Json = dict[str, Any]


def to_dict(results: Results) -> Json:
    """All of it: policies with their totals, models, sessions, the check against bills, what was assumed."""
    groups = results.groups()
    policies = {
        policy.name: {
            "remark": policy.remark,
            "knows_future": policy.knows_future,
            **{group: msgspec.to_builtins(total(rows, policy.name)) for group, rows in groups.items()},
        }
        for policy in results.options.policies()
    }
    return {
        "options": msgspec.to_builtins(results.options),
        "files": results.files,
        "policies": policies,
        "models": {
            model: {name: msgspec.to_builtins(total(rows, name)) for name in results.names}
            for model, rows in results.models().items()
        },
        "bills": bills(results.rows),
        "advice": msgspec.to_builtins(advice(results)),
        "sessions": [_session(row) for row in results.rows],
        "failed": [{"file": one.path, "reason": one.failed} for one in results.failed],
    }


FIGURES = (
    "dollars dollars_change miss_adjusted_change visible quote intact old_visible recoverable rerunnable cached "
    "calls tokens peak folds over_window failed"
).split()
"""What of a total stands in a line of CSV."""

ABOUT = ("file", "session", "number", "format", "model", "compacted", "long", "tokens", "billed")
"""What of a segment stands before it; its `tokens` bear the name `last`."""


def to_csv(results: Results) -> str:
    """A line for each segment and policy."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*(name.replace("tokens", "last") for name in ABOUT), "policy", *FIGURES])
    for row in results.rows:
        for name in results.names:
            found = total([row], name)
            about = [getattr(row, field) for field in ABOUT]
            writer.writerow([*about, name, *(getattr(found, field) for field in FIGURES)])
    return out.getvalue()


def _session(row: Row) -> Json:
    found: Json = msgspec.to_builtins(row)
    found["long"] = row.long
    found["policies"] = {name: _under(row, name, one) for name, one in row.policies.items()}
    return found


def _under(row: Row, name: str, one: Under) -> Json:
    return {
        **msgspec.to_builtins(total([row], name)),
        "first_changed": [list(pair) for pair in one.first_changed],
    }
