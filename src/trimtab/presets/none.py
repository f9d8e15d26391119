"""Nothing at all: every request goes out as it came."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from trimtab.reach import Rules


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """Passes every request through unread. Keeps everything."""

    name: ClassVar[str] = "none"
    source: ClassVar[str] = "trimtab"

    def rules(self) -> Rules:
        """No passes, no places."""
        return Rules(preset=self.name, passes=(), places=frozenset())
