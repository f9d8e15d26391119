"""The default without its reckoning: folds happen by size alone."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.passes import PASSES
from trimtab.presets.base import DEFAULT_PLACES
from trimtab.reach import Rules


class Triggers(Struct, frozen=True, forbid_unknown_fields=True):
    """What the default does, but old results are folded only when the window, a budget or a count asks for it.

    Keeps word for word what system, user and assistant say, and the newest results. Loses nothing for good:
    what is cut comes back by its handle.
    """

    name: ClassVar[str] = "triggers"
    source: ClassVar[str] = "trimtab"

    def rules(self) -> Rules:
        """The passes of `trimtab.PASSES` over the default places."""
        return Rules(preset=self.name, passes=PASSES, places=DEFAULT_PLACES)
