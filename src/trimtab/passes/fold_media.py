"""Old images and documents in results give way to one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import media_stub
from trimtab.transcript import Media, Text


class FoldMedia(Struct, frozen=True):
    """An image or document that a tool returned earlier becomes a stub; the cheapest edit of all (A13).

    Removes: media in results. Keeps: media in user messages, and those of the newest exchange.
    Recovers: the payload as base64 by its handle. Skips when: it is a URL or a file reference.
    """

    name: ClassVar[str] = "fold_media"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.MEDIA})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        for at in view.open:
            part = view.part(at)
            if isinstance(part, Media) and part.call_id is not None and part.data:
                stub = media_stub(part.media_type, len(part.data) * 3 // 4, view.handle(at))
                yield Replace(at, Text(stub), "seen before")
