"""Base64 out of results where the name of a field says that it is some: what decoding alone does not show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import media_stub
from trimtab.transcript import ToolResult

KEYS = ("screenshot", "image", "image_data", "base64", "data")
"""Fields in which tools hand over base64."""

LONGER_THAN = 1000
"""Characters of base64 from which it goes."""

_BREAKS = r"\\{1,8}[rn]"
_QUOTE, _RUN = r"(\\{0,8}[\"'])", rf"((?:[A-Za-z0-9+/_-]|{_BREAKS}){{{LONGER_THAN + 1},}}+={{0,2}}(?:{_BREAKS})*+)"
_BLOB = re.compile(rf"{_QUOTE}(?:{'|'.join(KEYS)})\1\s*:\s*\1{_RUN}\1", re.IGNORECASE)
"""A field and its value, in JSON, in JSON within a JSON string, or as Python prints it."""


class CutNamedMedia(Struct, frozen=True):
    """The value of a field named like base64 gives way to a stub before it is ever sent, whatever it encodes.

    Removes: more than 1,000 characters of valid base64 in the fields of `KEYS`. Keeps: every other character.
    Recovers: the whole original text by its handle. Skips when: nothing is found.
    """

    name: ClassVar[str] = "cut_named_media"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new result that holds such a field."""
        for at in view.open:
            part = view.part(at)
            if isinstance(part, ToolResult):
                text = without_named(part.text, view.handle(at))
                if text != part.text:
                    yield Replace(at, msgspec.structs.replace(part, text=text), "base64 says nothing as text")


def without_named(text: str, handle: str) -> str:
    """The text with the base64 in every field that is named for it replaced by a stub."""
    pieces, done = list[str](), 0
    for match in _BLOB.finditer(text):
        digits = len(re.sub(_BREAKS, "", match[2]).rstrip("="))
        if digits > LONGER_THAN and digits % 4 != 1:
            pieces += [text[done : match.start(2)], media_stub("base64", digits * 3 // 4, handle)]
            done = match.end(2)
    return "".join([*pieces, text[done:]]) if pieces else text
