"""Handoff notes that cannot lie: a model writes, a program checks each sentence and adds what no model touches."""

from __future__ import annotations

from trimtab.handoff.ground import Ground
from trimtab.handoff.note import Note, read
from trimtab.handoff.verify import STRUCK, Fault, verified
from trimtab.handoff.writing import Noted, noted, written

__all__ = ["STRUCK", "Fault", "Ground", "Note", "Noted", "noted", "read", "verified", "written"]
