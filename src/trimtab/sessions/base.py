"""The one shape of a session reader, and what it yields: recorded conversations with their calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Protocol

from msgspec import Struct

from trimtab.transcript import JSON


class Usage(Struct, frozen=True, kw_only=True):
    """Tokens a provider reported for one call. `input` counts everything sent, cached or not.

    `read` and `written` are the parts of it that were read from and written to the prompt cache.
    """

    input: int
    read: int = 0
    written: int = 0
    output: int = 0


class Call(Struct, frozen=True, kw_only=True):
    """One request to the model: it held `messages[start:stop]`, and the answer follows at `stop`.

    `start` is above 0 only after a compaction. `at` is the time in seconds since 1970, None if unknown.
    """

    start: int
    stop: int
    at: float | None = None
    model: str | None = None
    usage: Usage | None = None


class Damage(Struct, frozen=True):
    """A line of the file (from 1) that could not be read and was skipped, or a loss worth telling."""

    line: int
    text: str


class Session(Struct, frozen=True, kw_only=True):
    """A recorded conversation as messages of a wire, ready to be compacted and replayed.

    `format` is the reader's name, `name` tells sessions of one file apart. `messages` are JSON objects in
    the shape of `wire`; `fields` the rest of a request as far as the file knows it (`model`, system,
    tools). `compactions` are positions in `messages` where the client's own compaction took place: what
    a call sends starts there anew. `partial` says what the file does not hold ("" when it holds all
    that was sent), such as tools or the system prompt.
    """

    format: str
    name: str
    wire: str
    messages: tuple[JSON, ...]
    calls: tuple[Call, ...]
    fields: dict[str, JSON] = {}
    compactions: tuple[int, ...] = ()
    damage: tuple[Damage, ...] = ()
    partial: str = ""

    def request(self, call: Call) -> JSON:
        """The request of a call as the payload of its wire."""
        key = {"openai_responses": "input", "gemini": "contents"}.get(self.wire, "messages")
        return {**self.fields, key: list(self.messages[call.start : call.stop])}


class Reader(Protocol):
    """Reads one session format. Implementations hold no state."""

    name: ClassVar[str]
    """What users call the format, such as `claude-code`."""

    def sniff(self, data: bytes) -> bool:
        """Whether the content is of this format; never by file name. Looks at the beginning only where it can."""
        ...

    def read(self, data: bytes) -> Iterator[Session]:
        """The sessions in a file. A damaged line is skipped and reported; a half-written last line is normal."""
        ...
