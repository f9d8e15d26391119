"""The transcript as frozen values: what every wire parses to and every pass looks at.

A message is a flat row of *leaf* parts: each part is one value of the provider's JSON, found at
`path` inside its message, so that one edit replaces one value and nothing beside it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct

Path: TypeAlias = tuple[str | int, ...]
"""Where a value stands inside its message: object keys and list positions."""


class Role(StrEnum):
    """Who speaks. A developer message is a system message; a result of its own message is a tool's."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Text(Struct, frozen=True, tag="text"):
    """Words of the system, the user or the assistant."""

    text: str
    path: Path = ()


class Reasoning(Struct, frozen=True, tag="reasoning"):
    """Thinking sent back to the provider; kept whole or dropped whole, never edited.

    `bound` is true when the provider checks it (a signature or encrypted data stands beside it).
    """

    text: str
    bound: bool = False
    path: Path = ()


class ToolCall(Struct, frozen=True, tag="tool_call"):
    """One call of a tool. `arguments` is JSON text, as the model wrote it or as re-encoded from an object."""

    id: str
    name: str
    arguments: str
    path: Path = ()


class ToolResult(Struct, frozen=True, tag="tool_result"):
    """One text of a tool's result; a result given as a list of texts is several of these."""

    call_id: str
    text: str
    is_error: bool = False
    path: Path = ()


class Media(Struct, frozen=True, tag="media"):
    """An image, document or sound. `data` is its base64, or "" when it is a URL or file reference.

    `call_id` names the call when the medium stands inside a tool result, else it is None.
    `tokens` is what the provider is assumed to charge for it, by its published rule.
    """

    media_type: str
    data: str
    tokens: int
    call_id: str | None = None
    path: Path = ()


class Opaque(Struct, frozen=True, tag="opaque"):
    """A part trimtab does not understand or may never touch; `text` serves counting only."""

    kind: str
    text: str = ""
    path: Path = ()


Part: TypeAlias = Text | Reasoning | ToolCall | ToolResult | Media | Opaque

COMPACT = "compaction_trigger"
"""The kind of the opaque part that ends a request to the provider to compact: a side call."""


class Message(Struct, frozen=True):
    """One message: its role and its leaf parts in order."""

    role: Role
    parts: tuple[Part, ...]


class Frame(Struct, frozen=True):
    """What stands around the messages and names no message: model, system, tools, options.

    `system` and `tools` are the texts to count, `max_output` the reserved output tokens or None.
    """

    model: str | None = None
    system: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    max_output: int | None = None
    structured: bool = False
    """The request asks for a JSON answer (a sign of a side call)."""
    hands_off: str = ""
    """Why nothing in this request may be edited (the provider holds what precedes it), else ""."""


class Transcript(Struct, frozen=True):
    """A request as values. `wire` is the name of the wire it was parsed from."""

    wire: str
    frame: Frame
    messages: tuple[Message, ...]


class Finding(Struct, frozen=True):
    """Something worth telling: what was refused, assumed, missing or broken.

    `rule` is a stable id (a provider rule such as `A2`, or a word such as `refused`), `place` says
    where, `mend` the way out ("" when there is none).
    """

    rule: str
    place: str
    text: str
    mend: str = ""


JSON: TypeAlias = Any
"""A decoded JSON value."""


def is_turn(message: Message) -> bool:
    """Whether a message is a real user message: one that holds no results, be they images only."""
    return message.role is Role.USER and all(getattr(part, "call_id", None) is None for part in message.parts)
