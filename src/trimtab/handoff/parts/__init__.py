"""What the program writes into a note and no model touches, in the order in which it has its room."""

from __future__ import annotations

from trimtab.handoff.parts.base import Part
from trimtab.handoff.parts.executed import TITLE as EXECUTED, executed
from trimtab.handoff.parts.failed import TITLE as FAILED, failed
from trimtab.handoff.parts.files import TITLE as FILES, files
from trimtab.handoff.parts.lines import TITLE as LINES, lines
from trimtab.handoff.parts.refuted import TITLE as REFUTED, refuted
from trimtab.handoff.parts.running import TITLE as RUNNING, running
from trimtab.handoff.parts.settled import TITLE as SETTLED, settled
from trimtab.handoff.parts.state import TITLE as STATE, state
from trimtab.handoff.parts.user import TITLE as USER, user

PARTS: dict[str, Part] = {
    USER: user,
    STATE: state,
    EXECUTED: executed,
    FAILED: failed,
    REFUTED: refuted,
    SETTLED: settled,
    RUNNING: running,
    FILES: files,
    LINES: lines,
}
"""The parts by the titles of their sections."""

REQUIRED = (USER, EXECUTED, FAILED, REFUTED, SETTLED)
"""What a note may not lack: without room for these there is none."""

__all__ = ["LINES", "PARTS", "REQUIRED", "USER", "Part"]
