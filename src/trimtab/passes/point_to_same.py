"""A result equal to an earlier one that is still shown: one line that points there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import label
from trimtab.transcript import ToolResult


class PointToSame(Struct, frozen=True):
    """A result that was given before, word for word, becomes one line that names the earlier call.

    Removes: the text. Keeps: the pair of call and result, its ids and error flag. Recovers: the earlier
    result is the text; when a fold cuts that one, this one is sent as it was given. Skips when: no earlier
    result of that text is sent whole.
    """

    name: ClassVar[str] = "point_to_same"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.NONE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result that stands above already."""
        for at in view.open:
            part = view.part(at)
            if isinstance(part, ToolResult) and (twin := view.twin(at)) is not None:
                text = f"[trimtab: the same, word for word, as the result of {label(view.call(twin))} above]"
                edit = msgspec.structs.replace(part, text=text)
                yield Replace(at, edit, "equal to an earlier result", Loss.NONE, twin)
