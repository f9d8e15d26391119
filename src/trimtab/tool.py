"""The tool with which a model gets back what was cut from its own conversation."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from trimtab.errors import HandleError, StoreError, WireError
from trimtab.jsonbytes import decode
from trimtab.recall import Recalled
from trimtab.search import MOST_HITS, Hit
from trimtab.stubs import HANDLE, RECALL_TOOL
from trimtab.tool_shapes import definition
from trimtab.transcript import JSON

if TYPE_CHECKING:
    from trimtab.compactor import Compactor

NAME = RECALL_TOOL

DESCRIPTION = (
    "Brings back what was cut from this conversation. A marker such as [trimtab: ... t:0123456789abcdef] stands in"
    " its place. Give the handle (t: and 16 digits) and, where you can, only what you need of it: lines, a pattern"
    " or a JSON path; of a large original you get an outline first. Or search in everything that was cut."
)

PARAMETERS: Mapping[str, str] = {
    "handle": "The handle in the marker, such as t:0123456789abcdef.",
    "lines": "Lines, counted from 1: 40-80, 40- or 40.",
    "bytes": "Bytes, counted from 1: 1-4000. For overlong lines.",
    "grep": "A regular expression: only the lines that match, with their numbers.",
    "path": "Of JSON, the path of a value, such as $.rows[3].name, $.rows[0:10] or $.rows[*].id.",
    "search": "Words: the lines that fit best in everything that was cut or, with a handle, in that original.",
}

_SURROGATES = re.compile("[\ud800-\udfff]")


class RecallTool(Struct, frozen=True):
    """`definition` goes into the request's list of tools; `answer` answers a call of it."""

    definition: dict[str, Any]

    def answer(self, compactor: Compactor, arguments: object, payload: Any = None) -> str:
        """The text of the tool's result. `arguments` are those of the call, an object or its JSON.

        With the payload of the present request only what was cut from it comes back. Whatever a model asks,
        there is an answer: it says what is wrong and what to do. A lone surrogate, which not every client
        can send, comes back as U+FFFD. Raises WireError for a payload that is no request.
        """
        try:
            found = _answer(compactor, _asked(arguments), payload)
        except (HandleError, StoreError) as error:
            found = f"[trimtab: {error}]"
        return _SURROGATES.sub("\ufffd", found)


def recall_tool(wire: str) -> RecallTool:
    """The tool for requests of this wire. Raises ConfigError for an unknown one."""
    return RecallTool(definition(wire, NAME, DESCRIPTION, PARAMETERS))


def _asked(arguments: object) -> dict[str, str]:
    """What a model asks for; what it leaves empty, it does not ask for."""
    if isinstance(arguments, str):
        arguments = _decoded(arguments)
    if not isinstance(arguments, Mapping):
        raise HandleError(f"expected an object with {', '.join(PARAMETERS)}; all are optional texts")
    given = {name: value for name, value in arguments.items() if value not in (None, "")}
    for name, value in given.items():
        if name not in PARAMETERS:
            raise HandleError(f"{str(name)[:40]!r} is unknown; there are {', '.join(PARAMETERS)}")
        if not isinstance(value, str | int):
            raise HandleError(f"{name}: expected a text, such as {PARAMETERS[name]!r}")
    return {name: str(value) for name, value in given.items()}


def _decoded(text: str) -> JSON:
    try:
        return decode(text.encode("utf-8", "surrogatepass")) if text.strip() else {}
    except WireError as error:
        raise HandleError(f"the arguments of this call are {error}") from error


def _answer(compactor: Compactor, asked: dict[str, str], payload: Any) -> str:
    wanted = asked.pop("search", None)
    handle = _handle(asked.pop("handle")) if "handle" in asked else None
    if wanted is not None:
        hits = compactor.search(wanted, payload, limit=MOST_HITS if handle is None else sys.maxsize)
        return _told([hit for hit in hits if handle in (None, hit.handle)], wanted)
    if handle is None:
        raise HandleError("give the handle that a marker names, such as t:0123456789abcdef, or search")
    lines, bytes_, grep, path = map(asked.get, ("lines", "bytes", "grep", "path"))
    found = compactor.recall(handle, lines=lines, bytes=bytes_, grep=grep, path=path, payload=payload)
    return _shown(found, asked)


def _handle(text: str) -> str:
    """The handle in what a model wrote in its place."""
    found = HANDLE.search(text.lower())
    if found is None:
        raise HandleError(f"{text[:40]!r} is no handle; one looks like t:0123456789abcdef, copy it from a marker")
    return found[0]


def _shown(found: Recalled, asked: Mapping[str, str]) -> str:
    """What came back, below a line that says what it is and how large, above lines that say what else there is."""
    if found.media_type and not found.text and found.data:
        return f"[{found.handle}: {found.media_type}, {len(found.data):,} bytes, which cannot be shown as text]"
    what = ", ".join([found.label, *(f"{name} {text}" for name, text in asked.items())])
    notes = [str(version) for version in found.versions]
    more = " ".join(f'{unit} "{text}"' for unit, text in found.next.items())
    if found.outlined:
        notes.append(f"too large to give whole; ask for a part of it: {more}, a pattern or a path")
    elif more:
        notes.append(f"this is a part; to go on ask for {more}")
    text = found.text or ("no line matches\n" if "grep" in asked else "")
    ended = text if text.endswith("\n") or not notes else f"{text}\n"
    return f"[{found.handle}: {what}, about {found.tokens:,} tokens]\n{ended}" + "".join(
        f"[{note}]\n" for note in notes
    )


def _told(hits: Sequence[Hit], wanted: str) -> str:
    """Hits, each with its handle and line."""
    if not hits:
        return f"[nothing that was cut holds {wanted[:80]!r} or its words]"
    lines = [
        f"{hit.handle} {f'bytes {hit.bytes}' if hit.bytes else f'line {hit.line}'} ({hit.label}): {hit.text}"
        for hit in hits[:MOST_HITS]
    ]
    return "\n".join([f"[{len(lines)} lines, best first]", *lines])
