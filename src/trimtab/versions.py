"""What has become of a result since: other results of the same call, and later calls that name the same file."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trimtab.errors import WireError
from trimtab.files import PATHS
from trimtab.invariants import Pairing, Position, place
from trimtab.journal import Artifact
from trimtab.jsonbytes import decode
from trimtab.request import Request
from trimtab.stores.base import Store
from trimtab.stubs import label
from trimtab.transcript import Part, ToolCall, ToolResult

MOST_TOUCHED = 3
"""Later calls on the same file that are told of, the latest ones."""


class Version(Struct, frozen=True):
    """Something that an original is to be read beside.

    `order` is "earlier" or "later" for another result of the same call that differs, "other" where its place
    is not known, "touched" for a later call that names the same file. `handle` brings it back ("" where it
    stands in the request as it was), `place` is where it stands ("" when not known), `what` the call.
    """

    order: str
    handle: str
    place: str = ""
    what: str = ""

    def __str__(self) -> str:
        found = " in ".join(filter(None, (self.handle or "in full", self.place)))
        match self.order:
            case "later":
                return f"changed since: later the same call gave another result, {found}"
            case "earlier":
                return f"an earlier result of the same call differs: {found}"
            case "touched":
                return f"a later call names the same file: {self.what} in {self.place}"
        return f"at another time the same call gave another result: {found}"


def versions(store: Store, namespace: str, artifact: Artifact, request: Request) -> Iterator[Version]:
    """What else a request, as it was given, holds: the newest result of that call, the one before, later calls
    that name its file.

    Raises StoreError.
    """
    calls, results = _exchanges(request)
    here = (request.index[artifact.origin], artifact.part)
    own = here if here in calls else next((at for at, found in results.items() if here in found), None)
    if own is None:
        return
    if own != here:
        yield from _results(store, namespace, request, here, _alike(calls, results, own, here))
    files = set(_files(calls[own]))
    named = [at for at, call in calls.items() if at > own and not _same(call, calls[own])]
    touched = [at for at in named if not files.isdisjoint(_files(calls[at]))]
    for at in touched[-MOST_TOUCHED:]:
        yield Version("touched", "", place(at[0]), label(calls[at]))


def _alike(
    calls: dict[Position[int], ToolCall],
    results: dict[Position[int], list[Position[int]]],
    own: Position[int],
    here: Position[int],
) -> list[Position[int]]:
    """The texts that the same call gave, whenever it was made; `here` is among them."""
    number = results[own].index(here)
    alike = (found for at, found in results.items() if _same(calls[at], calls[own]))
    return [found[number] for found in alike if number < len(found)]


def _results(
    store: Store, namespace: str, request: Request, here: Position[int], alike: list[Position[int]]
) -> Iterator[Version]:
    """The newest of these results and the last one before `here`, where they differ from it."""
    text, middle = _text(request, here), alike.index(here)
    later = [at for at in alike[-1:] if _text(request, at) != text]
    earlier = [at for at in alike[:middle] if _text(request, at) != text][-1:]
    names = [request.names[index] for index, _ in later + earlier]
    cut = {(one.origin, one.part): one.handle for one in store.artifacts(namespace, names)}
    for order, found in (("later", later), ("earlier", earlier)):
        for index, part in found:
            yield Version(order, cut.get((request.names[index], part), ""), place(index))


def _exchanges(request: Request) -> tuple[dict[Position[int], ToolCall], dict[Position[int], list[Position[int]]]]:
    """The calls of a request, and the texts that answered each, in order."""
    pairing: Pairing[int] = Pairing()
    calls: dict[Position[int], ToolCall] = {}
    for index, parsed in enumerate(request.parsed):
        pairing.feed(index, index, parsed.message)
        for number, part in enumerate(parsed.message.parts):
            if isinstance(part, ToolCall):
                calls[index, number] = part
    results: dict[Position[int], list[Position[int]]] = {at: [] for at in calls}
    for at, call in pairing.answers.items():
        if isinstance(_part(request, at), ToolResult):
            results[call].append(at)
    return calls, results


def _part(request: Request, at: Position[int]) -> Part:
    return request.parsed[at[0]].message.parts[at[1]]


def _same(one: ToolCall, other: ToolCall) -> bool:
    return (one.name, one.arguments) == (other.name, other.arguments)


def _text(request: Request, at: Position[int]) -> str:
    part = _part(request, at)
    return part.text if isinstance(part, ToolResult) else ""


def _files(call: ToolCall) -> Iterator[str]:
    """The paths that a call's arguments name."""
    try:
        arguments = decode(call.arguments.encode()) if call.arguments.strip() else {}
    except (WireError, UnicodeEncodeError):
        return
    if isinstance(arguments, dict):
        yield from (
            value for key, value in arguments.items() if key.lower() in PATHS and isinstance(value, str) and value
        )
