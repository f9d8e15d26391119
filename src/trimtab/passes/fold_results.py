"""Old results to one line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import result_stub
from trimtab.tool_levels import Level, level
from trimtab.transcript import ToolResult


class FoldResults(Struct, frozen=True):
    """An old result becomes one line that names the call, the size, the first line and the handle.

    Removes: the text of the result. Keeps: the pair of call and result, its ids and error flag.
    Recovers: the whole text, or lines of it, by the handle. Skips when: the line would not be smaller, or `tools`
    (levels by globs on names of tools) leave more of it.
    """

    tools: Mapping[str, Level] = {}

    name: ClassVar[str] = "fold_results"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        for at in view.open:
            original = view.original(at)
            if isinstance(original, ToolResult) and level(self.tools, view.call(at)) is Level.FOLD:
                stub = result_stub(view.call(at), original.text, view.original_size(at), view.handle(at))
                yield Replace(at, msgspec.structs.replace(original, text=stub), "old result")
