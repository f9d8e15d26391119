"""The one shape of a pass, and all that a pass can see.

A pass is a small pure object over frozen values that yields edits. It cannot reach the store, the
model or the clock: guarantees live in the engine, once. The engine stops pulling edits as soon as
enough has been shed, so yield the cheapest loss first and yield lazily.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol

from msgspec import Struct

from trimtab.edits import At, Edit, Loss, Place, Span
from trimtab.interest import Interest
from trimtab.journal import Artifact
from trimtab.jsonbytes import Op
from trimtab.keep import Note
from trimtab.transcript import JSON, Finding, Message, Part, Path, ToolCall


class Stage(StrEnum):
    """When a pass runs: on what arrives and was never sent; on what was sent before; or there, for a caller's
    budget.

    Under a caller's budget the passes of the stage BUDGET run in the place of the folds whose places they share.
    """

    INGEST = "ingest"
    FOLD = "fold"
    BUDGET = "budget"
    FRAME = "frame"


class View(Protocol):
    """What a pass may look at: parts as they would be sent now. Read-only."""

    @property
    def open(self) -> Sequence[At]:
        """The parts that may be edited, oldest first: neither protected, pinned nor opaque."""
        ...

    @property
    def foldable(self) -> Sequence[Sequence[tuple[bytes, Message]]]:
        """The messages that may give way to notes, as the client gave them, in runs that tear nothing apart."""
        ...

    @property
    def messages(self) -> Sequence[tuple[bytes, Message]]:
        """All messages up to here, by name and as the client gave them."""
        ...

    @property
    def sent(self) -> Sequence[tuple[bytes, Message]]:
        """The messages as they were sent before this decision, by name; of a note its first message, with its
        text."""
        ...

    @property
    def alternates(self) -> bool:
        """Whether messages of users and models must take turns: a note then stands between two of the model."""
        ...

    @property
    def tokens(self) -> int:
        """Raw tokens of the whole request as it would be sent now."""
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

    @property
    def interest(self) -> Interest:
        """What the conversation is about: for judging what of a text is worth showing."""
        ...

    @property
    def said(self) -> frozenset[str]:
        """The identifiers that user, assistant or a call named; `interest` has them too, and takes longer."""
        ...

    def call(self, at: At) -> ToolCall | None:
        """The call that a result or its medium answers, or None when it cannot be told."""
        ...

    def size(self, at: At | Span) -> int:
        """Raw tokens of the part, or of the messages of a span, as they would be sent now."""
        ...

    def original_size(self, at: At) -> int:
        """Raw tokens of the part as the client gave it."""
        ...

    def count(self, text: str) -> int:
        """Raw tokens of a text by the exact tokenizer."""
        ...

    def twin(self, at: At) -> At | None:
        """The latest earlier result that is sent whole with the very same text as this one would be, or None."""
        ...

    def former(self, at: At) -> At | None:
        """The latest earlier result of the same call (tool and arguments) that is sent whole, or None."""
        ...

    def summary(self, call_id: str) -> str | None:
        """A short text that the caller handed over for the result of a call, or None."""
        ...

    def kept(self, at: At) -> Sequence[Note]:
        """What the agent said it keeps of a result; nothing when it did not say."""
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

    @property
    def places(self) -> frozenset[Place]:
        """The places its edits touch."""
        ...

    def propose(self, view: View) -> Iterator[Edit]:
        """Edits over parts of `view.open`, cheapest loss first, at most one a part."""
        ...


class FrameView(Struct, frozen=True):
    """What a frame pass may look at.

    `fields` are the top-level fields without the messages, `texts` the system texts by their paths from the top:
    those of fields, and of the system messages that the request begins with. `task` is what the first turn says,
    `root` the name of the conversation, `compacting` tells that the request itself asks the provider to compact.
    """

    wire: str
    fields: Mapping[str, JSON]
    texts: Mapping[Path, str]
    task: str
    root: bytes
    compacting: bool = False


class FrameEdit(NamedTuple):
    """A value edit from the top of the request, its reason, and what it cuts that its value names by a handle."""

    op: Op
    reason: str
    originals: tuple[Artifact, ...] = ()


class FramePass(Protocol):
    """Shapes what stands around the messages: tools, system, options. Its stage is FRAME.

    It must say the same for the same frame on every call, or the provider's cache is lost.
    """

    name: ClassVar[str]
    stage: ClassVar[Stage]
    loss: ClassVar[Loss]

    @property
    def places(self) -> frozenset[Place]:
        """The places its edits touch."""
        ...

    def shape(self, view: FrameView) -> Iterator[FrameEdit | Finding]:
        """The edits, and what there is to tell where none is made."""
        ...

    def headers(self, wire: str, fields: Mapping[str, JSON]) -> Mapping[str, str]:
        """HTTP headers that a request with these fields needs."""
        ...
