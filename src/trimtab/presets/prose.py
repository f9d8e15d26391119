"""For prose and for chats without tools: what users and assistants say may be cut as well."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Place
from trimtab.finders import FINDERS
from trimtab.passes import PASSES
from trimtab.passes.fit_budget import FitBudget
from trimtab.passes.gather_messages import GatherMessages
from trimtab.presets.base import DEFAULT_PLACES
from trimtab.reach import Rules

PLACES = frozenset({Place.RESULTS, Place.ARGUMENTS, Place.ASSISTANT_TEXT, Place.USER_TEXT})


class Prose(Struct, frozen=True, forbid_unknown_fields=True):
    """Under a budget, sentences of all messages are chosen by what they say; runs of old messages become one note.

    Keeps the first and the newest turn whole, and elsewhere rules, decisions, corrections and identifiers first; a
    statement that a later one replaces goes first. Loses nothing for good: what is cut comes back by its handle.
    """

    name: ClassVar[str] = "prose"
    source: ClassVar[str] = "trimtab"

    def rules(self) -> Rules:
        """The default passes, and under a budget those that reach into user and assistant text."""
        passes = (*(one for one in PASSES if one.name != FitBudget.name), GatherMessages(), FitBudget(PLACES))
        finders = tuple(one for one in FINDERS if one.name != "rules")  # they compete; one replaced since must go
        return Rules(preset=self.name, passes=passes, places=DEFAULT_PLACES | PLACES, finders=finders)
