"""Tools, system text and options, shaped alike on every call and put back by undo.

The frame names no message, so nothing here is a decision of the journal: the same frame is always shaped
the same way. What a field or a system text was is stored under a handle made from what is sent instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from msgspec import structs

from trimtab.body import MESSAGES
from trimtab.edits import At
from trimtab.facts import patterns
from trimtab.frame_changes import ABSENT, Change, Count, changes, is_compacting, standing
from trimtab.identity import digest, frame_handle, handle
from trimtab.journal import Kind
from trimtab.jsonbytes import Delete, Op, Set
from trimtab.memo import Memo
from trimtab.passes.base import FramePass
from trimtab.report import EditLine
from trimtab.request import Request, countable
from trimtab.stores.base import Store
from trimtab.transcript import Finding, Path

FRAMES = 256
"""Frames whose changes are remembered."""


class Framed(NamedTuple):
    """A payload with its frame shaped (the very one that came in when nothing was to be done), and what was
    done."""

    payload: Any
    lines: tuple[EditLine, ...] = ()
    headers: Mapping[str, str] = {}
    findings: tuple[Finding, ...] = ()


class Frames:
    """The frame passes of a preset at work in one namespace. Thread-safe: it holds nothing but a memo."""

    def __init__(self, passes: Sequence[FramePass], count: Count, store: Store, namespace: str) -> None:
        self._passes, self._count, self._store, self._namespace = passes, count, store, namespace
        self._known: Memo[tuple[list[Change], list[Finding]]] = Memo(FRAMES)

    def shaped(self, request: Request, keeping: Sequence[str] = (), *, decides: bool = True) -> Framed:
        """Let each pass shape the frame, and store what is cut; without a store nothing is shaped.

        Unless it `decides`, only what is stored already goes out shaped.

        A system text that would no longer show one of the texts and patterns in `keeping` stays as it is. What
        fails is told, and the frame goes out as it came.
        """
        if not self._passes:
            return Framed(request.body.payload)
        made, findings = list[Change](), list[Finding]()
        try:
            if self._store.keeps:
                found, findings = self._changes(request, keeping)
                made = self._stored(request, found, decides)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            made, findings = [], [Finding("failed", "frame", text, "the frame goes out as it came")]
        ops = [deepcopy(op) for one in made for op in one.ops]
        sent = request.body.fields() | {one.field: one.value for one in made if one.field}
        headers = {k: v for one in self._passes for k, v in one.headers(request.wire.name, sent).items()}
        payload = request.body.reframed(ops) if ops else request.body.payload
        return Framed(payload, tuple(one.line for one in made), headers, tuple(findings))

    def unshaped(self, request: Request) -> Any:
        """The payload with every field and system text as it was before it was shaped. Raises StoreError."""
        fields = request.body.fields().keys() - set(MESSAGES)
        sent: list[tuple[Path, str, bytes]] = [((key,), key, request.body.field(key)) for key in sorted(fields)]
        texts = standing(request).items()
        sent += [(path, one.key, one.text.encode("utf-8", "surrogatepass")) for path, one in texts]
        ops: list[Op] = []
        for path, key, data in sent:
            held = self._store.artifact(self._namespace, frame_handle(request.root, key, digest(data)))
            if held is not None and held.kind is Kind.FRAME:
                exact = request.body.exact(held.data.decode("utf-8", "surrogatepass"))
                ops.append(Delete(path) if held.data == ABSENT else Set(path, exact))
        return request.body.reframed(ops) if ops else request.body.payload

    def _changes(self, request: Request, keeping: Sequence[str]) -> tuple[list[Change], list[Finding]]:
        """What the passes make of this frame, remembered."""
        heads = request.body.keys[: request.heads]
        about = "\0".join((request.wire.name, str(is_compacting(request)), *keeping))
        key = digest(request.body.frame_key, *heads, request.root, about.encode("utf-8", "surrogatepass"))
        known = self._known.get(key)
        if known is None:
            task = "\n".join(self._task(request))
            known = changes(request, self._passes, task, patterns(keeping), self._count)
            self._known.put(key, known)
        return known

    def _stored(self, request: Request, made: Sequence[Change], decides: bool) -> list[Change]:
        """The changes that undo can put back, their originals stored.

        What trimtab itself has sent is not shaped again; nothing is sent that already stands for something else.
        """
        kept, missing = list[Change](), list[Change]()
        for one in made:
            held = self._store.artifact(self._namespace, one.artifact.handle)
            sent = self._store.artifact(self._namespace, one.former)
            if sent is None and (decides if held is None else held.data == one.artifact.data):
                kept.append(one)
                missing += [one] if held is None else []
        if missing:
            files = (file for one in missing for file in one.originals)
            originals = [structs.replace(file, origin=request.root) for file in files]
            self._store.keep(self._namespace, request.root, [*originals, *(one.artifact for one in missing)])
        return kept

    def _task(self, request: Request) -> Iterator[str]:
        """What the first turn says, as the client once gave it; it is the same on every call."""
        for one in request.parsed[request.heads : request.heads + 1]:
            for number, part in enumerate(one.message.parts):
                is_known = request.root in request.fed_back
                own = handle(At(request.root, number))
                held = self._store.artifact(self._namespace, own) if is_known else None
                if held is not None and held.kind is Kind.TEXT:
                    yield held.data.decode("utf-8", "surrogatepass")
                else:
                    yield countable(part)
