"""Reading payloads: messages as values with their token counts, and identities. What is known costs little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from trimtab import identity, wires
from trimtab.body import MESSAGES, Body, open_body
from trimtab.errors import StoreError
from trimtab.jsonbytes import encode
from trimtab.marks import Mark, of_fields, of_message
from trimtab.memo import Memo
from trimtab.request import MISSING, NOTE, Parsed, Request, countable, stands_for
from trimtab.stores.base import Store
from trimtab.tokens import Counter
from trimtab.transcript import (
    JSON,
    Frame,
    Media,
    Message,
    Part,
    Role,
)
from trimtab.wires.base import Wire

MEMO_CHARACTERS = 128_000_000
LOOK_UP = 64
"""Messages whose identities are looked up in one query."""


class _Read(Struct, frozen=True):
    """The messages of a request that was read: a later request most often begins with all of them."""

    keys: Sequence[bytes]
    parsed: Sequence[Parsed]
    names: Sequence[bytes]
    sizes: Sequence[int]
    fed_back: frozenset[bytes]
    notes: frozenset[bytes]
    heads: int

    def shared(self, keys: Sequence[bytes]) -> int:
        """How many messages a request with these keys has in common from the start."""
        low, high = 0, min(len(keys), len(self.keys))
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if keys[low:middle] == self.keys[low:middle] else (low, middle - 1)
        return low


NOTHING_READ = _Read((), (), (), (), frozenset(), frozenset(), 0)


class Reader:
    """Reads payloads; remembers messages by the digest of their bytes. Thread-safe."""

    def __init__(self, counter: Counter, store: Store, namespace: str) -> None:
        self._counter = counter
        self._store = store
        self._namespace = namespace
        self._parsed: Memo[Parsed] = Memo(MEMO_CHARACTERS)
        self._frames: Memo[tuple[Frame, int]] = Memo(256)
        self._names: Memo[bytes] = Memo(1_000_000)
        self._latest: Memo[_Read] = Memo(1_000_000)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Raw tokens of each text."""
        return self._counter.count(texts)

    def read(self, payload: Any, model: str | None = None, tools: JSON = None, system: JSON = None) -> Request:
        """The payload as a request. `tools` and `system` are counted if the payload does not hold them.

        Raises WireError.
        """
        body = open_body(payload)
        fields = body.fields()
        wire = wires.sniff({"model": model, **fields}, _Sources(body))
        frame, frame_size = self._frame(wire, body, fields, tools, system)
        read = self._messages(wire, body)
        return Request(
            body=body,
            wire=wire,
            frame=frame,
            frame_size=frame_size + sum(read.sizes[: read.heads]),
            parsed=read.parsed,
            names=read.names,
            index={name: n for n, name in enumerate(read.names)},
            fed_back=read.fed_back,
            notes=read.notes,
            heads=read.heads,
            size=frame_size + sum(read.sizes),
            mark=of_fields(fields),
            bare=not fields.keys() - set(MESSAGES),
        )

    def _messages(self, wire: Wire, body: Body) -> _Read:
        """All messages, of which those that a known request begins with cost next to nothing."""
        if not body.keys:
            return NOTHING_READ
        start = identity.digest(wire.name.encode(), body.keys[0])
        known = self._latest.get(start) or NOTHING_READ
        shared = known.shared(body.keys)
        parsed = [*known.parsed[:shared], *self._parse(wire, body, range(shared, body.size))]
        heads = _heads(parsed) if shared <= known.heads else known.heads
        names = list(known.names[:shared])
        fed_back, notes = self._name(wire, parsed, names, heads)
        sizes = [*known.sizes[:shared], *(one.size for one in parsed[shared:])]
        if known.fed_back:
            fed_back |= known.fed_back.intersection(names[:shared])
            notes |= known.notes.intersection(names[:shared])
        read = _Read(body.keys, parsed, names, sizes, frozenset(fed_back), frozenset(notes), heads)
        self._latest.put(start, read, len(names))
        return read

    def _frame(
        self, wire: Wire, body: Body, fields: dict[str, JSON], tools: JSON, system: JSON
    ) -> tuple[Frame, int]:
        extra = {name: value for name, value in (("tools", tools), ("system", system)) if value is not None}
        key = identity.digest(wire.name.encode(), body.frame_key, encode(extra) if extra else b"")
        known = self._frames.get(key)
        if known is None:
            frame = wire.frame({**extra, **fields})
            known = (frame, sum(self.count([*frame.system, *frame.tools])))
            self._frames.put(key, known)
        return known

    def _parse(self, wire: Wire, body: Body, wanted: range) -> list[Parsed]:
        keys = {index: wire.name.encode() + body.keys[index] for index in wanted}
        known = {key: found for key in keys.values() if (found := self._parsed.get(key)) is not None}
        fresh: dict[bytes, tuple[Message, bytes, Mark]] = {}
        for index, key in keys.items():
            if key not in known and key not in fresh:
                source = body.source(index)
                fresh[key] = (wire.message(source), identity.content(wire.canonical(source)), of_message(source))
        counts = iter(self.count([countable(part) for message, *_ in fresh.values() for part in message.parts]))
        for key, (message, content, mark) in fresh.items():
            sizes = tuple(_size(part, next(counts)) for part in message.parts)
            known[key] = Parsed(message, content, sizes, mark)
            self._parsed.put(key, known[key], 500 + sum(len(countable(part)) for part in message.parts))
        return [known[key] for key in keys.values()]

    def _name(
        self, wire: Wire, parsed: list[Parsed], names: list[bytes], heads: int
    ) -> tuple[set[bytes], set[bytes]]:
        """Complete `names`; what trimtab itself sent keeps its original's name. Those, and which are notes."""
        start, fed_back, notes = identity.start(wire.name), set[bytes](), set[bytes]()
        while len(names) < len(parsed):
            given, link = list[bytes](), names[-1] if len(names) > heads else start
            for here, one in enumerate(parsed[len(names) : len(names) + LOOK_UP], len(names)):
                given.append(identity.chain(link, one.content))
                link = given[-1] if here >= heads else start
            known = self._known(given)
            for own in given:
                name, missing = stands_for(known[own])
                names.append(name)
                if known[own] != own:
                    fed_back.add(name)
                    notes.update([name] if missing == [NOTE] else [])
                    parsed[len(names) - 1] = _with_gaps(parsed[len(names) - 1], missing)
                    break
        return fed_back, notes

    def _known(self, given: list[bytes]) -> dict[bytes, bytes]:
        """What each identity stands for: itself, or the message whose rendition it names."""
        known = {own: name for own in given if (name := self._names.get(own)) is not None}
        missing = [own for own in given if own not in known]
        if missing:
            try:
                found = self._store.origins(self._namespace, missing)
            except StoreError:  # the request is read all the same; whoever needs the store will report it
                return {**{own: own for own in missing}, **known}
            for own in missing:
                known[own] = found.get(own, own)
                self._names.put(own, known[own])
        return known

    def learn(self, outputs: Sequence[tuple[bytes, bytes]]) -> None:
        """Take note of renditions that were just committed to the journal."""
        for own, name in outputs:
            self._names.put(own, name)


def _heads(parsed: Sequence[Parsed]) -> int:
    """How many system messages the request begins with."""
    return next((n for n, one in enumerate(parsed) if one.message.role is not Role.SYSTEM), len(parsed))


def _with_gaps(parsed: Parsed, missing: Sequence[int]) -> Parsed:
    """A message with placeholders where parts are missing."""
    parts, sizes = list(parsed.message.parts), list(parsed.sizes)
    for number in missing if missing != [NOTE] else ():
        parts.insert(number, MISSING)
        sizes.insert(number, 0)
    return Parsed(Message(parsed.message.role, tuple(parts)), parsed.content, tuple(sizes), parsed.mark)


def _size(part: Part, counted: int) -> int:
    return part.tokens if isinstance(part, Media) else counted


class _Sources(Sequence[JSON]):
    """The decoded messages of a body, decoded only when looked at."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def __len__(self) -> int:
        return self._body.size

    def __getitem__(self, index: Any) -> JSON:
        if isinstance(index, slice):
            return [self._body.source(n) for n in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._body.source(index)
