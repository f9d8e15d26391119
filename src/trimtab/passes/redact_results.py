"""Results to the short text handed over for them, or to a notice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec import Struct

from trimtab.edits import Edit, Loss, Place, Replace
from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.passes.base import Stage, View
from trimtab.stubs import cleared_stub, referred_stub
from trimtab.transcript import ToolResult

FIELD = "compact_summary"
"""The field of a JSON result by which a tool hands over a short text for it."""

NOTICE = "redacted to make room"
"""What stands in the place of a redacted result."""


class RedactResults(Struct, frozen=True):
    """With `summarize` a result becomes the short text that was handed over for it; without, a notice.

    The text comes from the caller, by the id of the call, else from the result itself: the string under
    `compact_summary` of a JSON object.
    Removes: the text. Keeps: with `summarize`, every result for which no short text was handed over. Recovers:
    the whole text by the handle. Skips when: nothing is gained.
    """

    summarize: bool = True

    name: ClassVar[str] = "redact_results"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.LOSSY
    places: ClassVar[frozenset[Place]] = frozenset({Place.RESULTS})

    def propose(self, view: View) -> Iterator[Edit]:
        """Oldest first."""
        for at in view.open:
            original = view.original(at)
            if not isinstance(original, ToolResult):
                continue
            if not self.summarize:
                text = cleared_stub(NOTICE, view.handle(at))
                yield Replace(at, msgspec.structs.replace(original, text=text), "redacted")
            elif summary := view.summary(original.call_id) or _own_summary(original.text):
                text = referred_stub(summary, view.handle(at))
                yield Replace(at, msgspec.structs.replace(original, text=text), "summarized", Loss.LOSSY)


def _own_summary(text: str) -> str:
    """The short text that a tool put into its own result, or ""."""
    if FIELD not in text or not text.lstrip().startswith("{"):
        return ""
    try:
        values = decode(text.encode())
    except (WireError, UnicodeEncodeError, RecursionError):
        return ""
    summary = values.get(FIELD) if isinstance(values, dict) else None
    return summary if isinstance(summary, str) else ""
