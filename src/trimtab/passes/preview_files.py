"""Files that the user attaches between declared tags: large ones become previews before they are ever sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.attachments import TAGS, attachments, without
from trimtab.edits import At, Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.previews import DEFAULT, Attached, Sizes, previews
from trimtab.transcript import Role, Text


class PreviewFiles(Struct, frozen=True):
    """Files between `tags` in what the user says: above a size over all, the parts that fit the question.

    The question is what stands around the files, else what the first turn says. Removes: the rest of each file.
    Keeps: the tags, the sections of each file by their lines. Recovers: by the handle of the whole text, whose
    lines are those named. Skips when: all files of the conversation together are below the threshold.
    """

    sizes: Sizes = DEFAULT
    tags: tuple[str, ...] = TAGS

    name: ClassVar[str] = "preview_files"
    stage: ClassVar[Stage] = Stage.INGEST
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.USER_TEXT})

    def propose(self, view: View) -> Iterator[Edit]:
        """One edit for each new message of the user, chosen once and for all."""
        for at in view.open:
            part, message = view.part(at), view.message(at)
            if isinstance(part, Text) and message.role is Role.USER and attachments(part.text, self.tags):
                texts = [one.text for one in message.parts if isinstance(one, Text)]
                text = self._shown(view, at, part.text, self._question(view, texts))
                if text != part.text:
                    yield Replace(at, msgspec.structs.replace(part, text=text), "attached files are large")

    def _shown(self, view: View, at: At, text: str, question: str) -> str:
        """The text with what is to be sent of each of its files."""
        found = attachments(text, self.tags)
        files = [
            Attached(one.name, text[one.start : one.stop], view.handle(at), text.count("\n", 0, one.start) + 1)
            for one in found
        ]
        others = self._attached(view) - sum(len(one.text) for one in files)
        threshold = max(self.sizes.full_context_threshold - others, 0)
        sizes = msgspec.structs.replace(self.sizes, full_context_threshold=threshold)
        pieces, done = list[str](), 0
        for one, shown in zip(found, previews(files, question, sizes), strict=True):
            pieces += text[done : one.start], shown
            done = one.stop
        return "".join([*pieces, text[done:]])

    def _attached(self, view: View) -> int:
        """Characters of all files that the user has attached so far."""
        said = (text for texts in self._turns(view) for text in texts)
        return sum(one.stop - one.start for text in said for one in attachments(text, self.tags))

    def _question(self, view: View, texts: Sequence[str]) -> str:
        """What the message says beside its files, else what the first one of the user says beside its own."""
        for said in (texts, *self._turns(view)):
            asked = " ".join(without(text, attachments(text, self.tags)) for text in said).strip()
            if asked:
                return asked
        return ""

    def _turns(self, view: View) -> Iterator[Sequence[str]]:
        for _, message in view.messages:
            if message.role is Role.USER:
                yield [part.text for part in message.parts if isinstance(part, Text)]
