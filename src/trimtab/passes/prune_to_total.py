"""Old results to one line each, whatever gave them, until all results together are below a cap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import At, Edit, Loss, Place, Replace
from trimtab.outcomes import pruned
from trimtab.passes.base import Stage, View
from trimtab.transcript import ToolResult


class PruneToTotal(Struct, frozen=True):
    """Above `max_total_tool_chars` in all results together, old ones become one line each, data and errors too.

    Removes: the text of results, oldest first, until the cap is met. Keeps: what came of each call. Recovers: the
    whole text by the handle. Skips when: the results are below the cap.
    """

    max_total_tool_chars: int = 400_000
    use_meaningful_summaries: bool = True

    name: ClassVar[str] = "prune_to_total"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        over = sum(_characters(view)) - self.max_total_tool_chars
        for at in view.open:
            if over <= 0:
                return
            part, call = view.part(at), view.call(at)
            if isinstance(part, ToolResult):
                tool = call.name if call else ""
                text = pruned(tool, part.text, view.handle(at), meaningful=self.use_meaningful_summaries)
                if len(text) < len(part.text):
                    over -= len(part.text) - len(text)
                    yield Replace(at, msgspec.structs.replace(part, text=text), "all results are over the cap")


def _characters(view: View) -> Iterator[int]:
    """The length of every result as it is sent now."""
    for name, message in view.messages:
        for number, given in enumerate(message.parts):
            if isinstance(given, ToolResult) and isinstance(part := view.part(At(name, number)), ToolResult):
                yield len(part.text)
