"""The checks of a note, in the order in which they are made; a check is one function in the file of its name."""

from __future__ import annotations

from trimtab.handoff.checks.assigned import assigned
from trimtab.handoff.checks.attached import attached
from trimtab.handoff.checks.base import ENDS, Check, Ruling, Sentence
from trimtab.handoff.checks.done import done
from trimtab.handoff.checks.exact import exact
from trimtab.handoff.checks.grounded import grounded
from trimtab.handoff.checks.quoted import quoted
from trimtab.handoff.checks.ruled_out import ruled_out
from trimtab.handoff.checks.rules import rules
from trimtab.handoff.checks.stale import stale
from trimtab.handoff.checks.together import together
from trimtab.handoff.checks.voice import voice

CHECKS: tuple[Check, ...] = (
    voice,
    rules,
    quoted,
    exact,
    assigned,
    together,
    attached,
    stale,
    ruled_out,
    done,
    grounded,
)

__all__ = ["CHECKS", "ENDS", "Check", "Ruling", "Sentence"]
