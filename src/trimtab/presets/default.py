"""The default: results, call arguments, media in results, and reasoning that is bound to what was cut."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from trimtab.passes import PASSES, FoldResults
from trimtab.presets.base import DEFAULT_PLACES
from trimtab.reach import Rules
from trimtab.tool_levels import Level


class Default(Struct, frozen=True, forbid_unknown_fields=True):
    """Tidies results on arrival, folds old ones when the window, a budget or a count asks for it.

    `tools` says by globs on the names of tools how far their old results may be cut, the first glob that fits
    decides: `keep` leaves them whole, `shorten` makes excerpts of long ones, `fold` (what holds for all others)
    one line each. A budget of the caller that cannot be met otherwise goes over it.

    Keeps word for word what system, user and assistant say, and the newest results. Loses nothing for good:
    what is cut comes back by its handle.
    """

    tools: dict[str, Level] = {}

    name: ClassVar[str] = "default"
    source: ClassVar[str] = "trimtab"

    def rules(self) -> Rules:
        """The passes of `trimtab.PASSES` over the default places."""
        passes = (replace(one, tools=self.tools) if isinstance(one, FoldResults) else one for one in PASSES)
        return Rules(preset=self.name, passes=tuple(passes), places=DEFAULT_PLACES, tools=self.tools)
