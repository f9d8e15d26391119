"""Old results cleared, whatever they hold, as context editing on the provider's side does."""

from __future__ import annotations

from collections.abc import Iterator, Set
from fnmatch import fnmatchcase
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import At, Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.passes.fold_arguments import FoldArguments
from trimtab.stubs import cleared_stub
from trimtab.transcript import Media, Text, ToolCall, ToolResult

LONGEST = 60
"""Characters of an argument that stays when the inputs are cleared; a shorter one would not pay for its marker."""


class ClearResults(Struct, frozen=True):
    """Every result but the last `keep` becomes one short line that begins with `word`.

    Removes: the text and media of the results; with `inputs` the long strings in the arguments of their calls as
    well. Keeps: the pair of call and result, results of the tools in `exclude` (globs), the last `keep`. Recovers:
    the whole text by the handle. Skips when: fewer than `at_least` raw tokens would be freed in all.
    """

    word: str = "cleared"
    keep: int = 3
    exclude: tuple[str, ...] = ()
    inputs: bool = False
    at_least: int = 0

    name: ClassVar[str] = "clear_results"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE

    @property
    def places(self) -> frozenset[Place]:
        """Results and media in them; arguments only with `inputs`."""
        return frozenset({Place.RESULTS, Place.MEDIA, *([Place.ARGUMENTS] if self.inputs else [])})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first, all or nothing."""
        kept = self._kept(view)
        edits = [edit for at in view.open for edit in self._cleared(view, at, kept)]
        if self.inputs:
            folded = FoldArguments(longest=LONGEST).propose(view)
            edits += [edit for edit in folded if not self._stays(view, edit.at, kept)]
        if not self.at_least or sum(_freed(view, edit) for edit in edits) >= self.at_least:
            yield from edits

    def _kept(self, view: View) -> Set[str]:
        """The ids of the calls that the last `keep` results answer."""
        kept = dict[str, None]()
        for _, message in reversed(view.messages):
            for part in reversed(message.parts):
                if len(kept) >= self.keep:
                    return kept.keys()
                if isinstance(part, ToolResult):
                    kept[part.call_id] = None
        return kept.keys()

    def _cleared(self, view: View, at: At, kept: Set[str]) -> Iterator[Replace]:
        original, text = view.original(at), cleared_stub(self.word, view.handle(at))
        if self._stays(view, at, kept):
            return
        if isinstance(original, ToolResult):
            yield Replace(at, msgspec.structs.replace(original, text=text), "old result")
        elif isinstance(original, Media) and original.call_id is not None and original.data:
            yield Replace(at, Text(text), "old result")

    def _stays(self, view: View, at: At, kept: Set[str]) -> bool:
        part = view.original(at)
        call = part if isinstance(part, ToolCall) else view.call(at)
        if call is None:
            return False
        return call.id in kept or any(fnmatchcase(call.name, glob) for glob in self.exclude)


def _freed(view: View, edit: Replace) -> int:
    """Raw tokens that an edit frees."""
    part = edit.part
    return view.size(edit.at) - view.count(
        part.arguments if isinstance(part, ToolCall) else getattr(part, "text", "")
    )
