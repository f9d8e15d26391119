"""Files between declared tags in the system text: large ones become previews, chosen by the first turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import ClassVar

from msgspec import Struct

from trimtab.attachments import TAGS, attachments, original
from trimtab.edits import Loss, Place
from trimtab.jsonbytes import Set
from trimtab.passes.base import FrameEdit, FrameView, Stage
from trimtab.previews import DEFAULT, Attached, Sizes, previews
from trimtab.transcript import JSON


class PreviewSystemFiles(Struct, frozen=True):
    """Files between `tags` in the system text: above a size over all, the parts that fit what the first turn says.

    Removes: the rest of each file. Keeps: the tags, the sections of each file by their lines; the previews,
    whatever later turns ask. Recovers: each file by its own handle. Skips when: all are below the threshold.
    """

    sizes: Sizes = DEFAULT
    tags: tuple[str, ...] = TAGS

    name: ClassVar[str] = "preview_system_files"
    stage: ClassVar[Stage] = Stage.FRAME
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.SYSTEM_TEXT})

    def shape(self, view: FrameView) -> Iterator[FrameEdit]:
        """One text for each that holds files."""
        held = [(path, text, attachments(text, self.tags)) for path, text in view.texts.items()]
        cut = [(one.name, text[one.start : one.stop]) for _, text, files in held for one in files]
        originals = [original(name, text, view.root) for name, text in cut]
        attached = [Attached(*one, stored.handle) for one, stored in zip(cut, originals, strict=True)]
        shown, stored = iter(previews(attached, view.task, self.sizes)), iter(originals)
        for path, text, files in held:
            pieces, done = list[str](), 0
            for one in files:
                pieces += text[done : one.start], next(shown)
                done = one.stop
            its = tuple(islice(stored, len(files)))
            if (made := "".join([*pieces, text[done:]])) != text:
                yield FrameEdit(Set(path, made), "attached files are large", its)

    def headers(self, wire: str, fields: Mapping[str, JSON]) -> Mapping[str, str]:
        """None."""
        return {}
