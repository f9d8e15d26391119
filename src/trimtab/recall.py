"""What was cut comes back: by handle, whole or what is asked for of it, in pages; of a huge one first the outline.

The command line has a shorter way of its own (`originals`, `selection`): it must start fast.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TypedDict

from msgspec import Struct, convert

from trimtab.errors import HandleError
from trimtab.excerpts import read
from trimtab.excerpts.base import STRUCTURE
from trimtab.journal import Artifact, Kind
from trimtab.request import Request
from trimtab.selection import PAGE, medium, of_medium, rows, select, tokens
from trimtab.stores.base import Store
from trimtab.stubs import clip
from trimtab.versions import Version, versions

MOST_ENTRIES = 60
"""Lines in the middle of an outline; of more, so many evenly spaced ones."""

ENDS = 5
"""Lines from the beginning, and from the end, that an outline holds."""

ENTRY_CHARACTERS = 120

MOST_OTHERS = 3
"""Other results of the same call that are told of, the newest ones."""


class Asked(TypedDict, total=False):
    """What is asked of an original. Ranges are "A-B", "A-" or "A", counted from 1; of these, one.

    `path` is a JSON path such as `$.rows[3].name` (see `jsonpath`), `grep` a regular expression (see `patterns`).
    How they go together `selection.select` tells.
    """

    lines: str | None
    items: str | None
    bytes: str | None
    path: str | None
    grep: str | None


class Recalled(Struct, frozen=True, kw_only=True):
    """An original, or what was asked for of it.

    `text` is one page of it, or its outline where `outlined` says so; `data` the same as UTF-8, of a medium
    its bytes. `tokens` is about how many all that was asked for has (whatever the page holds of it). `next`
    is the range to ask for next, such as `{"lines": "401-800"}`, empty when all is there. `versions` tells
    what else there is of the file or the call.
    """

    handle: str
    label: str
    media_type: str
    text: str
    data: bytes
    tokens: int = 0
    outlined: bool = False
    next: dict[str, str] = {}
    versions: tuple[Version, ...] = ()


def recall(
    store: Store,
    namespace: str,
    handle: str,
    asked: Asked,
    *,
    whole: bool = False,
    request: Request | None = None,
) -> Recalled:
    """The original behind a handle, or what is asked of it.

    Without `whole` at most a page of 40,000 characters comes at once, and of what is larger the outline
    when nothing is asked. With a request only what was cut from its messages comes back, and its versions
    there are told. Raises HandleError naming what is wrong, and StoreError.
    """
    artifact = held(store, namespace, handle, request)
    wanted = {option: str(value) for option, value in asked.items() if value is not None}
    if artifact.kind is Kind.MEDIA:
        data = of_medium(medium(artifact.data), artifact.media_type, wanted)
        return Recalled(handle=handle, label=artifact.label, media_type=artifact.media_type, text="", data=data)
    text = artifact.data.decode("utf-8", "surrogatepass")
    outlined = not whole and not wanted and len(text) > PAGE
    selected = select(text, page=None if whole else PAGE, **wanted)
    shown = outline(text) if outlined else selected.text
    return Recalled(
        handle=handle,
        label=artifact.label,
        media_type=artifact.media_type,
        text=shown,
        data=shown.encode("utf-8", "surrogatepass"),
        tokens=selected.tokens,
        outlined=outlined,
        next=first_page(selected.rest) if outlined else selected.rest,
        versions=_versions(store, namespace, artifact, request),
    )


def held(store: Store, namespace: str, handle: str, request: Request | None = None) -> Artifact:
    """The artifact behind a handle. Raises HandleError when there is none here, and StoreError."""
    artifact = store.artifact(namespace, handle)
    if artifact is None:
        raise HandleError(
            f"{handle[:40]!r}: nothing is stored under this handle in namespace {namespace!r};"
            " a handle looks like t:0123456789abcdef, and comes back only where it was issued"
        )
    if request is not None and artifact.origin not in request.index:
        raise HandleError(f"{handle[:40]!r}: this handle belongs to another conversation")
    return artifact


def conversation(store: Store, namespace: str, request: Request | None) -> list[Artifact]:
    """All that was cut from a request's messages, in their order; without one, from the conversation used last.

    Fields of the frame are left out: they are JSON for `undo`, and files in them are here by themselves.
    """
    if request is not None:
        return [one for one in store.artifacts(namespace, request.names) if one.kind is not Kind.FRAME]
    latest = max(store.conversations(namespace), key=lambda one: one.used, default=None)
    if latest is None:
        return []
    found = store.export(namespace, latest.root)
    artifacts = (convert(row, Artifact) for row in found if row["type"] == "artifact")
    return [one for one in artifacts if one.kind is not Kind.FRAME]


def outline(text: str) -> str:
    """What a text is and how it is built: lines with their numbers, or values with their JSON paths."""
    found, starts = read(text), list(accumulate(map(len, rows(text)), initial=0))
    size = f"{len(starts) - 1:,} lines, {len(text.encode('utf-8', 'surrogatepass')):,} bytes"
    kind = f"{found.kind}: {found.sums}" if found.sums else found.kind
    places = dict.fromkeys((*starts[:ENDS], *starts[-ENDS - 1 : -1]), "")
    weighty = [unit for unit in found.units if unit.weight >= STRUCTURE]
    places |= {unit.start: unit.path for unit in weighty[:: len(weighty) // MOST_ENTRIES + 1]}
    entries = (f"{places[at] or bisect_right(starts, at)}: {_entry(text, at)}" for at in sorted(places))
    return "\n".join([f"outline of {size}, about {tokens(text):,} tokens ({kind})", *entries, ""])


def _entry(text: str, start: int) -> str:
    line = text[start : start + 2 * ENTRY_CHARACTERS].split("\n", 1)[0].rstrip()
    return line if len(line) <= ENTRY_CHARACTERS else clip(line, ENTRY_CHARACTERS) + "…"


def first_page(rest: dict[str, str]) -> dict[str, str]:
    """The range of the first page by that of what comes after it."""
    return {unit: f"1-{int(asked.partition('-')[0]) - 1}" for unit, asked in rest.items()}


def _versions(store: Store, namespace: str, artifact: Artifact, request: Request | None) -> tuple[Version, ...]:
    if request is not None:
        return tuple(versions(store, namespace, artifact, request))
    return tuple(Version("other", other) for other in store.alike(namespace, artifact.handle)[-MOST_OTHERS:])
