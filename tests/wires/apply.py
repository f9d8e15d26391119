"""Carries out value edits on plain JSON objects, leaving the given ones alone."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from trimtab.jsonbytes import Op, Set


def apply(source: Any, ops: Sequence[Op]) -> Any:
    """A copy of `source` after `ops`; paths mean places in `source` as given."""
    result = deepcopy(source)
    for op in sorted(ops, key=lambda op: [str(step).zfill(9) for step in op.path], reverse=True):
        *way, last = op.path
        held = result
        for step in way:
            held = held[step]
        if isinstance(op, Set):
            held[last] = op.value
        else:
            del held[last]
    return result
