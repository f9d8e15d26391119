"""The one shape of a wire: a provider's request format, read into parts and written back as value edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol

from trimtab.jsonbytes import Op
from trimtab.transcript import JSON, Finding, Frame, Message, Part, Transcript


class Fate(StrEnum):
    """What becomes of something in a request, in the words of the page on wires."""

    EDITED = "overlaid"
    """Its text, or the strings in it, may change where they stand, and nothing beside them."""
    REPLACED = "overlaid by a text"
    """A text that names its handle may stand in its place."""
    DROPPED = "kept or dropped"
    """Never edited; it may go as a whole."""
    KEPT = "kept"
    """Never edited, never dropped by itself."""
    ALONE = "refused"
    """Nothing in the request is edited."""
    SAME = "not in the identity"
    """Whether or how it stands there says nothing of who a message is."""
    COUNTS = "in the identity"
    """It is part of who a message is; it passes through untouched."""


class Row(NamedTuple):
    """What becomes of one thing in a request: the thing in the provider's words, its leaf part, a remark."""

    what: str
    fate: Fate
    part: type[Part] | None = None
    remark: str = ""


class Wire(Protocol):
    """Everything trimtab must know about a request format. Implementations hold no state.

    Messages are handed over as decoded JSON objects; `path`s in the parts lead into those objects.
    """

    name: ClassVar[str]
    alternates: ClassVar[bool]
    """Whether messages of users and models must take turns: a note then stands between two of the model."""
    rows: ClassVar[tuple[Row, ...]]
    """What is edited, kept and left alone, and what names a message."""
    rules: ClassVar[Mapping[str, str]]
    """What each finding of `check` and `check_source` demands, by the id of the provider's rule."""
    unchecked: ClassVar[Mapping[str, str]]
    """Rules that no request shows to be broken, and why."""

    def sniff(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> int:
        """How sure this wire is that the request is its own: 0 no, 1 could be, 2 shows a mark of its own."""
        ...

    def frame(self, fields: Mapping[str, JSON]) -> Frame:
        """Model, system, tools and options from the top-level fields (all but the messages)."""
        ...

    def message(self, source: JSON) -> Message:
        """One message as parts. Whatever is not understood becomes `Opaque`. Raises WireError."""
        ...

    def canonical(self, source: JSON) -> JSON:
        """The content that names a message: without cache marks, a string as one text part."""
        ...

    def overlay(self, source: JSON, old: Part, new: Part) -> list[Op]:
        """The value edits that turn `old`, as it stands in `source`, into `new`; siblings stay."""
        ...

    def drop(self, source: JSON, part: Part) -> list[Op]:
        """The value edits that take a reasoning part out of `source`."""
        ...

    def note(self, text: str) -> JSON:
        """A user message holding `text`, in the shape of this wire."""
        ...

    def check(self, transcript: Transcript) -> Iterable[Finding]:
        """Structural rules of the provider that the request breaks, each with rule id, place and mend."""
        ...

    def check_source(self, fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterable[Finding]:
        """The rules that need the request as it stands: cache marks, options, encodings. Raises WireError."""
        ...
