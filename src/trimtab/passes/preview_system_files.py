"""Files between declared tags in the system text: large ones become previews, chosen by the first turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from msgspec import Struct

from trimtab.attachments import TAGS, Attachment, attachments, original
from trimtab.edits import Loss, Place
from trimtab.journal import Artifact
from trimtab.jsonbytes import Op, Set
from trimtab.passes.base import Stage
from trimtab.previews import DEFAULT, Attached, Sizes, previews
from trimtab.transcript import JSON, Path
from trimtab.wildcards import matches

_GEMINI = tuple(
    f"{where}{name}{text}"
    for where in ("", "config/")
    for name in ("systemInstruction", "system_instruction")
    for text in ("", "/*/text", "/parts/*/text")
)
PLACES: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("system", "system/*/text"),
    "bedrock": ("system/*/text",),
    "openai_responses": ("instructions",),
    "gemini": _GEMINI,
    "langchain": ("system", "system/*/text"),
}
"""Where each wire has system texts beside the messages (see `wildcards`)."""


class Held(NamedTuple):
    """A system text with files in it."""

    path: Path
    text: str
    files: list[Attachment]

    def attached(self) -> list[Attached]:
        """Its files with their handles."""
        cut = ((one.name, self.text[one.start : one.stop]) for one in self.files)
        return [Attached(name, text, original(name, text).handle) for name, text in cut]


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

    def shape(self, wire: str, fields: Mapping[str, JSON], task: str) -> Iterator[tuple[Op, str]]:
        """One text for each that holds files."""
        held = self._held(wire, fields)
        shown = iter(previews([one for text in held for one in text.attached()], task, self.sizes))
        for path, text, files in held:
            pieces, done = list[str](), 0
            for one in files:
                pieces += text[done : one.start], next(shown)
                done = one.stop
            if (made := "".join([*pieces, text[done:]])) != text:
                yield Set(path, made), "attached files are large"

    def originals(self, wire: str, fields: Mapping[str, JSON], task: str) -> Iterator[Artifact]:
        """The files that the edits name by their handles; they must be stored first."""
        for held in self._held(wire, fields):
            for one in held.files:
                yield original(one.name, held.text[one.start : one.stop])

    def headers(self, wire: str) -> Mapping[str, str]:
        """None."""
        return {}

    def _held(self, wire: str, fields: Mapping[str, JSON]) -> list[Held]:
        texts = ((path, text) for place in PLACES.get(wire, ()) for path, text in matches(fields, place))
        found = (Held(path, text, attachments(text, self.tags)) for path, text in texts if isinstance(text, str))
        return [one for one in found if one.files]
