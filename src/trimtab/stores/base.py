"""The one shape of a store: artifacts and journal, committed together so that no stub precedes its original."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from trimtab.journal import Artifact, Entry


class Decision(Struct, frozen=True, kw_only=True):
    """All that one decision writes, in one transaction.

    `scope` is the preset; `outputs` maps the identity that an edited message has in the output to
    the identity of the message it came from.
    """

    scope: str
    seq: int
    entry: Entry
    artifacts: tuple[Artifact, ...] = ()
    outputs: tuple[tuple[bytes, bytes], ...] = ()


class Conversation(Struct, frozen=True, kw_only=True):
    """What the store holds of the conversations that begin with one message. Sizes in bytes, times in seconds."""

    namespace: str
    root: str
    created: float
    used: float
    decisions: int
    artifacts: int
    size: int


class Store(Protocol):
    """Thread-safe; every method takes the namespace, and none sees another's rows. Raises StoreError."""

    keeps: bool
    """False when nothing is kept: then only edits of loss NONE are allowed."""

    def decisions(self, namespace: str, scope: str, boundaries: Sequence[bytes]) -> dict[bytes, list[Entry]]:
        """The decisions on record at these boundaries, each list in order of `seq`."""
        ...

    def commit(self, namespace: str, decisions: Iterable[Decision]) -> list[Entry]:
        """Write decisions with their artifacts, atomically; the entry on record wins where there is one.

        Answers with the entry that holds for each decision. Artifacts and outputs of a decision
        that lost are not written. Marks the conversation as used now.
        """
        ...

    def keep(self, namespace: str, root: bytes, artifacts: Sequence[Artifact]) -> None:
        """Store originals of a conversation that belong to no decision: of the frame, of attached files.

        One that is held stays as it is. StoreError when a handle belongs to another original.
        """
        ...

    def origins(self, namespace: str, outputs: Sequence[bytes]) -> dict[bytes, bytes]:
        """For identities of edited messages in outputs: the identities they came from."""
        ...

    def artifact(self, namespace: str, handle: str) -> Artifact | None:
        """The original behind a handle; marks its conversation as used now."""
        ...

    def artifacts(self, namespace: str, origins: Sequence[bytes]) -> list[Artifact]:
        """All originals cut from these messages (for search over one conversation)."""
        ...

    def alike(self, namespace: str, handle: str) -> list[str]:
        """Handles of what the call behind this handle gave at other times, where that differs; newest last.

        Within the conversation, one handle for each content; none where the label does not tell the whole call.
        """
        ...

    def note_usage(self, namespace: str, family: str, raw: int, billed: int, at: float) -> None:
        """Remember what a provider billed (input tokens in all) for a request of `raw` counted tokens."""
        ...

    def usage(self, namespace: str, family: str, limit: int = 20) -> list[tuple[int, int]]:
        """The latest (raw, billed) pairs of a model family, newest first."""
        ...

    def log(self, namespace: str, limit: int) -> list[Entry]:
        """The latest decisions that changed something, newest first."""
        ...

    def conversations(self, namespace: str | None = None) -> list[Conversation]:
        """Everything held, largest first."""
        ...

    def export(self, namespace: str, root: str) -> Iterable[Mapping[str, object]]:
        """Everything held of one conversation as plain JSON objects: decisions, then artifacts."""
        ...

    def delete(self, namespace: str, root: str) -> int:
        """Forget one conversation; bytes freed."""
        ...

    def prune(self, max_age: float, max_size: int, keep_used_within: float = 86_400.0) -> int:
        """Forget conversations unused for `max_age` seconds, then the longest unused until `max_size` bytes hold.

        Never one used within `keep_used_within` seconds. Answers the bytes freed.
        """
        ...

    def close(self) -> None:
        """Release the file."""
        ...
