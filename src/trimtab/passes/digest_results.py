"""Old results to one line with a digest of what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.passes.base import Stage, View
from trimtab.stubs import digest_stub
from trimtab.transcript import ToolResult
from trimtab.words import identifiers

CHARACTERS_A_TOKEN = 2.6
"""Of identifiers, which tokenizers cut into short pieces (measured with o200k on recorded results)."""


class DigestResults(Struct, frozen=True):
    """An old result becomes one line with the paths, ids and numbers in it that nobody has named yet.

    Removes: the text of the result. Keeps: what `fold_results` keeps, and a digest of at most `share` of the
    result and `most` tokens. Recovers: the whole text, or lines of it, by the handle. Skips when: that would not
    be smaller.
    """

    share: float = 0.15
    most: int = 250

    name: ClassVar[str] = "digest_results"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.RECOVERABLE
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        for at in view.open:
            original = view.original(at)
            if isinstance(original, ToolResult):
                tokens = view.original_size(at)
                names = self._digest(original.text, view.said, min(tokens * self.share, self.most))
                stub = digest_stub(view.call(at), original.text, tokens, names, view.handle(at))
                yield Replace(at, msgspec.structs.replace(original, text=stub), "keeping it costs more")

    @staticmethod
    def _digest(text: str, said: frozenset[str], tokens: float) -> list[str]:
        """The names in a text that nobody said, in order, as many as fit."""
        made: list[str] = []
        for name in dict.fromkeys(identifiers(text)):
            if name in said:
                continue
            tokens -= len(name) / CHARACTERS_A_TOKEN + 1
            if tokens < 0:
                break
            made.append(name)
        return made
