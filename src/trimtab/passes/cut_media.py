"""Base64 out of the text of results: any field, nested JSON, data URLs; recognised by decoding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.blobs import find_blobs
from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import media_stub
from trimtab.transcript import ToolResult


class CutMedia(Struct, frozen=True):
    """Base64 inside the text of a result gives way to a short stub before it is ever sent.

    Removes: data URLs and base64 payloads of 240 characters or more that decode to something binary.
    Keeps: every other character; hashes, ids, keys and tokens that merely look like base64.
    Recovers: the whole original text by its handle.
    Skips when: nothing is found.
    """

    name: ClassVar[str] = "cut_media"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result that holds base64."""
        for at in view.open:
            part = view.part(at)
            if isinstance(part, ToolResult):
                text = without_blobs(part.text, view.handle(at))
                if text != part.text:
                    yield Replace(at, msgspec.structs.replace(part, text=text), "base64 says nothing as text")


def without_blobs(text: str, handle: str) -> str:
    """The text with every base64 payload in it replaced by a stub."""
    pieces, done = [], 0
    for blob in find_blobs(text):
        pieces += [text[done : blob.start], media_stub(blob.media_type, len(blob.data), handle)]
        done = blob.stop
    return "".join([*pieces, text[done:]]) if pieces else text
