"""Tool schemas without the prose on their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Loss, Place
from trimtab.jsonbytes import Delete
from trimtab.passes.base import FrameEdit, FrameView, Stage
from trimtab.schemas import Level, compacted, schemas
from trimtab.transcript import JSON


class CompactSchemas(Struct, frozen=True):
    """The schemas of all tools lose what only explains them; the array is the same bytes on every call.

    Removes: descriptions of parameters at any depth, and at the level `annotations` titles, examples and
    comments. Keeps: names, types, enums, required, defaults, references; what a tool says of itself. Recovers: by
    undo; nothing in a schema tells the model that something is gone. Skips when: the level is `off`.
    """

    level: Level = Level.DESCRIPTIONS

    name: ClassVar[str] = "compact_schemas"
    stage: ClassVar[Stage] = Stage.FRAME
    loss: ClassVar[Loss] = Loss.LOSSY
    places: ClassVar[frozenset[Place]] = frozenset({Place.TOOLS})

    def shape(self, view: FrameView) -> Iterator[FrameEdit]:
        """A deletion for each annotation, tool by tool; what the task is makes no difference."""
        for path, schema in schemas(view.wire, view.fields):
            for one in compacted(schema, self.level):
                yield FrameEdit(Delete((*path, *one.path)), f"{one.path[-1]} of a parameter")

    def headers(self, wire: str, fields: Mapping[str, JSON]) -> Mapping[str, str]:
        """None."""
        return {}
