"""What was cut comes back: by handle, whole, by lines or by pattern.

The command line has a shorter way of its own (`originals`, `selection`): it must start fast.
"""

from __future__ import annotations

from msgspec import Struct

from trimtab.errors import HandleError
from trimtab.journal import Kind
from trimtab.selection import medium, select
from trimtab.stores.base import Store


class Recalled(Struct, frozen=True):
    """An original, or the part of it that was asked for. `data` is a medium decoded, else the text as UTF-8."""

    handle: str
    label: str
    media_type: str
    text: str
    data: bytes


def recall(
    store: Store, namespace: str, handle: str, lines: str | None = None, grep: str | None = None
) -> Recalled:
    """The original behind a handle.

    `lines` is "A-B", "A-" or "A", counted from 1; `grep` a regular expression: matching lines come back
    with their numbers. Raises HandleError naming what is wrong and StoreError.
    """
    artifact = store.artifact(namespace, handle)
    if artifact is None:
        raise HandleError(
            f"{handle[:40]!r}: nothing is stored under this handle in namespace {namespace!r};"
            " a handle looks like t:0123456789abcdef, and comes back only where it was issued"
        )
    if artifact.kind is Kind.MEDIA:
        return Recalled(handle, artifact.label, artifact.media_type, "", medium(artifact.data))
    text = select(artifact.data.decode("utf-8", "surrogatepass"), lines, grep)
    data = text.encode("utf-8", "surrogatepass")
    return Recalled(handle, artifact.label, artifact.media_type, text, data)
