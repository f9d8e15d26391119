"""Long outputs to excerpts of one size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.excerpt import excerpts, sheet
from trimtab.passes.base import Stage, View
from trimtab.transcript import ToolResult


class ShortenOutputs(Struct, frozen=True):
    """A result of more than twice `keep` tokens is cut to an excerpt of at most `keep` tokens.

    Removes: what is worth least by the score (`score.py`). Keeps: lines word for word, with a marker in each
    gap. Recovers: any lines by the handle. Skips when: the result is short.
    """

    keep: int = 1000

    name: ClassVar[str] = "shorten_outputs"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        for at in view.open:
            if view.size(at) > 2 * self.keep and isinstance(original := view.original(at), ToolResult):
                one = sheet(original.text, view.original_size(at), view.interest, at)
                [made] = excerpts([one], [view.handle(at)], self.keep, view.count)
                part = msgspec.structs.replace(original, text=made.text)
                yield Replace(at, part, f"over {2 * self.keep:,} tokens; {made.why}")
