"""Long results to their first characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.ledger import beginning, made_again
from trimtab.passes.base import Stage, View
from trimtab.transcript import ToolResult


class KeepBeginnings(Struct, frozen=True):
    """A result of more than `keep` characters is cut to its first ones, with how much was cut and two ways back.

    Removes: the rest. Keeps: the result of a call that was made before with the same arguments. Recovers: the
    rest by the handle, or by the call itself. Skips when: the result is short.
    """

    keep: int = 2000

    name: ClassVar[str] = "keep_beginnings"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        again = made_again(view.messages)
        for at in view.open:
            original = view.original(at)
            if isinstance(original, ToolResult) and len(original.text) > self.keep and at not in again:
                text = beginning(original.text, self.keep, view.handle(at))
                yield Replace(at, msgspec.structs.replace(original, text=text), f"over {self.keep:,} characters")
