"""The one shape of a pass, and all that a pass can see.

A pass is a small pure object over frozen values that yields edits. It cannot reach the store, the
model or the clock: guarantees live in the engine, once. The engine stops pulling edits as soon as
enough has been shed, so yield the cheapest loss first and yield lazily.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import ClassVar, Protocol

from trimtab.edits import At, Edit, Loss, Place, Span
from trimtab.transcript import Message, Part, ToolCall


class Stage(StrEnum):
    """When a pass runs: on what arrives and was never sent, or on what was sent before."""

    INGEST = "ingest"
    FOLD = "fold"


class View(Protocol):
    """What a pass may look at: parts as they would be sent now. Read-only."""

    @property
    def open(self) -> Sequence[At]:
        """The parts that may be edited, oldest first: neither protected, pinned nor opaque."""
        ...

    @property
    def excess(self) -> int:
        """Tokens still to shed before the target is met (raw counts); 0 or less at ingest."""
        ...

    def part(self, at: At) -> Part:
        """The part as it would be sent now."""
        ...

    def original(self, at: At) -> Part:
        """The part as the client gave it."""
        ...

    def message(self, at: At) -> Message:
        """The message of a part, as the client gave it."""
        ...

    def call(self, at: At) -> ToolCall | None:
        """The call that a result or its medium answers, or None when it cannot be told."""
        ...

    def size(self, at: At) -> int:
        """Raw tokens of the part as it would be sent now."""
        ...

    def original_size(self, at: At) -> int:
        """Raw tokens of the part as the client gave it."""
        ...

    def count(self, text: str) -> int:
        """Raw tokens of a text by the exact tokenizer."""
        ...

    def handle(self, at: At | Span) -> str:
        """The handle under which a part, or the messages of a span, come back; every marker must name it."""
        ...


class Pass(Protocol):
    """Yields edits over a view. `name` equals the file name and stands in journal and report.

    `loss` is the greatest loss of its edits, `places` what it touches; a preset that does not
    declare these places does not run it.
    """

    name: ClassVar[str]
    stage: ClassVar[Stage]
    loss: ClassVar[Loss]
    places: ClassVar[frozenset[Place]]

    def propose(self, view: View) -> Iterator[Edit]:
        """Edits over parts of `view.open`, cheapest loss first, at most one a part."""
        ...
