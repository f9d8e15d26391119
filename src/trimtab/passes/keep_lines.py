"""Results of which the agent said what it keeps: to the lines it named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.keep import kept
from trimtab.passes.base import Stage, View
from trimtab.stubs import result_stub
from trimtab.transcript import ToolResult


class KeepLines(Struct, frozen=True):
    """A result of which a call of the keep tool named lines or names is cut to these lines.

    Removes: what was not named. Keeps: named lines word for word, with a marker in each gap. Recovers: the whole
    text, or lines of it, by the handle. Skips when: nobody said what to keep, or nearly all was named.
    """

    name: ClassVar[str] = "keep_lines"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        for at in view.open:
            now, notes = view.part(at), view.kept(at)
            if notes and isinstance(now, ToolResult):
                handle, original = view.handle(at), view.original(at)
                text = kept(now.text, notes, handle)
                if not text and isinstance(original, ToolResult):
                    text = result_stub(view.call(at), original.text, view.original_size(at), handle)
                yield Replace(at, msgspec.structs.replace(now, text=text), "the agent named what it keeps")
