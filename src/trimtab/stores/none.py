"""The store that keeps nothing: decisions hold for one call, and only edits of loss NONE are allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trimtab.journal import Artifact, Entry
from trimtab.stores.base import Conversation, Decision


class NoStore:
    """Forgets at once; every look-up answers with nothing."""

    keeps = False

    def decisions(self, namespace: str, scope: str, boundaries: Sequence[bytes]) -> dict[bytes, list[Entry]]:
        return {}

    def commit(self, namespace: str, decisions: Iterable[Decision]) -> list[Entry]:
        return [decision.entry for decision in decisions]

    def keep(self, namespace: str, root: bytes, artifacts: Sequence[Artifact]) -> None:
        return None

    def origins(self, namespace: str, outputs: Sequence[bytes]) -> dict[bytes, bytes]:
        return {}

    def artifact(self, namespace: str, handle: str) -> Artifact | None:
        return None

    def artifacts(self, namespace: str, origins: Sequence[bytes]) -> list[Artifact]:
        return []

    def alike(self, namespace: str, handle: str) -> list[str]:
        return []

    def note_usage(self, namespace: str, family: str, raw: int, billed: int, at: float) -> None:
        return None

    def usage(self, namespace: str, family: str, limit: int = 20) -> list[tuple[int, int]]:
        return []

    def log(self, namespace: str, limit: int) -> list[Entry]:
        return []

    def conversations(self, namespace: str | None = None) -> list[Conversation]:
        return []

    def export(self, namespace: str, root: str) -> Iterable[Mapping[str, object]]:
        return ()

    def delete(self, namespace: str, root: str) -> int:
        return 0

    def prune(self, max_age: float, max_size: int, keep_used_within: float = 86_400.0) -> int:
        return 0

    def close(self) -> None:
        return None
