"""A payload in the form the caller gave it: bytes or objects, a whole request or a bare list of messages.

Both forms offer the same: fields, messages, and a copy with some messages edited in which everything
else is as it was, byte for byte or object for object.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol, TypeAlias

from msgspec import Raw

from trimtab import jsonbytes, objects
from trimtab.errors import WireError
from trimtab.identity import digest
from trimtab.jsonbytes import Op
from trimtab.transcript import JSON, Path

MESSAGES = ("messages", "input", "contents")
"""Where requests keep their messages; the first of these that holds a list counts."""

TEXT = "input"
"""Where a request may hold a single text instead (OpenAI Responses): no messages then, it goes out as it came."""

WRAPPERS = ("generateContentRequest", "generate_content_request", "request")
"""Where a whole request may stand inside another object: countTokens of Gemini, Code Assist."""


class Gone:
    """Marks a message that is left out of the output."""


GONE = Gone()
Rendered: TypeAlias = Any
"""A message as it goes out: JSON bytes for a body of bytes, an object for a body of objects, or GONE."""


class Body(Protocol):
    """What the engine needs of a payload."""

    @property
    def payload(self) -> Any:
        """The very object the caller gave."""

    @property
    def size(self) -> int:
        """Number of messages."""

    @property
    def frame_key(self) -> bytes:
        """A digest of everything but the messages; a key for caches only."""

    @property
    def keys(self) -> Sequence[bytes]:
        """A digest of each message as given; keys for caches only."""

    def fields(self) -> dict[str, JSON]:
        """The top-level fields, decoded; the list of messages as an empty one, so that its key is known."""

    def source(self, index: int) -> JSON:
        """A message, decoded. Never the caller's own object."""

    def edited(self, index: int, ops: Sequence[Op]) -> Rendered:
        """The message with value edits applied."""

    def whole(self, message: JSON) -> Rendered:
        """A message of trimtab's own in this form."""

    def comes_back(self, index: int) -> bool:
        """Whether `rendered` gives this message back as it is; one of LangChain may hold what JSON cannot."""

    def plain(self, message: Rendered) -> JSON:
        """A message as it goes out, decoded."""

    def json(self, index: int, path: Path) -> bytes:
        """The JSON of a value in a message, as it stands."""

    def binary(self, index: int, path: Path) -> Sequence[Path]:
        """Where bytes (base64 in `json` and `span`) or messages of LangChain stand in that value."""

    def exact(self, json: str, binary: Sequence[Path] = ()) -> JSON:
        """A value to put into a message, in bytes exactly as its JSON is written here."""

    def span(self, first: int, last: int) -> bytes:
        """The messages from `first` to `last` as they stand, as the inside of a JSON array."""

    def rendered(self, inside: bytes, binary: Sequence[Path] = ()) -> list[Rendered]:
        """The messages that `span` once gave; `binary` are paths from their list."""

    def rewrite(self, changes: Mapping[int, Rendered]) -> Any:
        """A payload of the same kind with some messages changed, left out, or (a list) become several."""

    def field(self, key: str) -> bytes:
        """The JSON of a top-level field as it stands; WireError when there is none."""

    def reframed(self, ops: Sequence[Op]) -> Any:
        """A payload of the same kind with value edits from its top."""


def open_body(payload: Any) -> Body:
    """The body of a payload. Raises WireError if it is nothing trimtab can read."""
    if isinstance(payload, bytes | bytearray | memoryview):
        return BytesBody(payload)
    if isinstance(payload, str):
        raise WireError("payload: a str was given; give the request's bytes, a dict or a list of messages")
    if isinstance(payload, Mapping | Sequence):
        return ObjectBody(payload)
    raise WireError(f"payload: {type(payload).__name__} was given; expected bytes, a dict or a list of messages")


class BytesBody:
    """A request as the bytes of its JSON."""

    def __init__(self, payload: bytes | bytearray | memoryview) -> None:
        self.payload = payload
        self.data = data = bytes(payload)
        self._members: list[jsonbytes.Slice] = []
        self._key = ""
        whole = jsonbytes.at(data, ())
        if whole is None or data[whole.start : whole.start + 1] not in (b"{", b"["):
            jsonbytes.outline(data)
            raise WireError("payload: expected a JSON object or a list of messages")
        self._list = whole
        if data.startswith(b"{", whole.start):
            self._members = jsonbytes.members(data, whole.start, whole.stop)
            lists = {one.key: one for one in self._members if data.startswith(b"[", one.start)}
            words = {one.key: one for one in self._members if data.startswith(b'"', one.start)}
            lists |= {TEXT: words[TEXT]} if TEXT in words else {}
            self._key = _message_key(lists, [one.key or "" for one in self._members])
            self._list = lists[self._key]
        text = data.startswith(b'"', self._list.start)
        self._slices = [] if text else jsonbytes.items(data, self._list.start, self._list.stop)
        view = memoryview(data)
        self.size = len(self._slices)
        self.frame_key = digest(view[: self._list.start], b"\0", view[self._list.stop :])
        self.keys = [digest(view[one.start : one.stop]) for one in self._slices]

    def _message(self, index: int) -> bytes:
        one = self._slices[index]
        return self.data[one.start : one.stop]

    def fields(self) -> dict[str, JSON]:
        return {
            one.key: [] if one.key == self._key else jsonbytes.decode(self.data[one.start : one.stop])
            for one in self._members
            if one.key is not None
        }

    def source(self, index: int) -> JSON:
        try:
            return jsonbytes.decode(self._message(index))
        except WireError as error:
            raise WireError(f"messages[{index}]: {error}") from error

    def edited(self, index: int, ops: Sequence[Op]) -> Rendered:
        return jsonbytes.rewrite(self._message(index), ops)

    def whole(self, message: JSON) -> Rendered:
        return jsonbytes.encode(objects.like(message, self.source(0)))

    def comes_back(self, index: int) -> bool:
        return True

    def plain(self, message: Rendered) -> JSON:
        return jsonbytes.decode(message)

    def json(self, index: int, path: Path) -> bytes:
        return _value(self._message(index), path)

    def binary(self, index: int, path: Path) -> Sequence[Path]:
        return ()

    def exact(self, json: str, binary: Sequence[Path] = ()) -> JSON:
        return Raw(json.encode("utf-8", "surrogatepass"))

    def span(self, first: int, last: int) -> bytes:
        return self.data[self._slices[first].start : self._slices[last].stop]

    def rendered(self, inside: bytes, binary: Sequence[Path] = ()) -> list[Rendered]:
        return [inside]

    def rewrite(self, changes: Mapping[int, Rendered]) -> bytes:
        view, pos, at = memoryview(self.data), 0, self._slices
        kept = next((index for index in range(self.size) if changes.get(index) is not GONE), self.size)
        pieces: list[bytes | memoryview] = []
        for index in sorted(changes):
            change, start, stop = changes[index], at[index].start, at[index].stop
            if change is GONE and index > kept:
                start = at[index - 1].stop
            elif change is GONE and index + 1 < self.size:
                stop = at[index + 1].start
            pieces.append(view[pos:start])
            if change is not GONE:
                pieces += change if isinstance(change, list) else [change]
            pos = stop
        return b"".join([*pieces, view[pos:]])

    def field(self, key: str) -> bytes:
        return _value(self.data, (key,))

    def reframed(self, ops: Sequence[Op]) -> bytes:
        return jsonbytes.rewrite(self.data, ops)


class ObjectBody:
    """A request as a dict, or its messages as a list; objects of provider SDKs may stand in it."""

    def __init__(self, payload: Any) -> None:
        self.payload = payload
        self._messages: Sequence[Any] = payload
        self._key = ""
        if isinstance(payload, Mapping):
            lists = [key for key, value in payload.items() if isinstance(value, list | tuple)]
            lists += [TEXT] if isinstance(payload.get(TEXT), str) else []
            self._key = _message_key(lists, payload)
            self._messages = () if isinstance(payload[self._key], str) else payload[self._key]
        self.size = len(self._messages)
        self._encoded = [objects.encode(message, f"messages[{n}]") for n, message in enumerate(self._messages)]
        self.keys = [digest(b"object", one) for one in self._encoded]
        around = {key: value for key, value in self._top().items() if key != self._key}
        self._around = objects.encode(around, "payload")
        self.frame_key = digest(self._around)

    def _top(self) -> Mapping[str, Any]:
        return self.payload if isinstance(self.payload, Mapping) else {}

    def fields(self) -> dict[str, JSON]:
        fields: dict[str, JSON] = jsonbytes.decode(self._around)
        return fields | ({self._key: []} if self._key else {})

    def source(self, index: int) -> JSON:
        return jsonbytes.decode(self._encoded[index])

    def edited(self, index: int, ops: Sequence[Op]) -> Rendered:
        try:
            return objects.edited(self._messages[index], ops)
        except TypeError:
            return jsonbytes.decode(jsonbytes.rewrite(self._encoded[index], ops))

    def whole(self, message: JSON) -> Rendered:
        return objects.like(message, self._messages[0])

    def comes_back(self, index: int) -> bool:
        return objects.comes_back(self._messages[index])

    def plain(self, message: Rendered) -> JSON:
        return jsonbytes.decode(objects.encode(message, "message"))

    def json(self, index: int, path: Path) -> bytes:
        return _value(self._encoded[index], path)

    def binary(self, index: int, path: Path) -> Sequence[Path]:
        return list(objects.binary(self._messages[index], path))

    def exact(self, json: str, binary: Sequence[Path] = ()) -> JSON:
        return objects.restored(jsonbytes.decode(json.encode("utf-8", "surrogatepass")), binary)

    def span(self, first: int, last: int) -> bytes:
        return b", ".join(self._encoded[first : last + 1])

    def rendered(self, inside: bytes, binary: Sequence[Path] = ()) -> list[Rendered]:
        messages: list[Rendered] = objects.restored(jsonbytes.decode(b"[" + inside + b"]"), binary)
        return messages

    def rewrite(self, changes: Mapping[int, Rendered]) -> Any:
        messages: list[Any] = []
        for index, message in enumerate(self._messages):
            change = changes.get(index, message)
            if change is not GONE:
                messages += change if isinstance(change, list) else [change]
        return {**self.payload, self._key: messages} if isinstance(self.payload, Mapping) else messages

    def field(self, key: str) -> bytes:
        return _value(self._around, (key,))

    def reframed(self, ops: Sequence[Op]) -> Any:
        top = dict(self.payload) if isinstance(self.payload, Mapping) else list(self.payload)
        return objects.edited(top, ops)


def _message_key(lists: Container[str | None], keys: Collection[str]) -> str:
    """The key of the messages among the keys that hold lists."""
    found = next((key for key in MESSAGES if key in lists), None)
    if found is None:
        listed = ", ".join(map(str, islice(keys, 8))) or "nothing"
        inner = "".join(f'; give the request inside "{key}"' for key in WRAPPERS if key in keys)
        raise WireError(f'payload: expected a list under "messages", "input" or "contents"; found {listed}{inner}')
    return found


def _value(message: bytes, path: Path) -> bytes:
    """The JSON of the value at a path, as it stands."""
    where = jsonbytes.at(message, path)
    if where is None:
        raise WireError(f"there is nothing at {path}")
    return message[where.start : where.stop]
