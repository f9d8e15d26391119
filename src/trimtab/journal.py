"""The journal: what was decided, where, and why; enough to replay it and to undo it."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec import Struct

from trimtab import jsonbytes
from trimtab.edits import At, Loss
from trimtab.observed import Observed
from trimtab.rates import Rates
from trimtab.transcript import Finding, Part

RULES_VERSION = 1
"""Version of the decision rules; what another version wrote is used as it stands."""


SPAN = 0xFFFFFFFF
"""The part number of an artifact that holds whole messages."""


class Kind(StrEnum):
    """What an artifact holds."""

    TEXT = "text"
    ARGUMENTS = "arguments"
    MEDIA = "media"
    MESSAGE = "message"
    SPAN = "span"
    FRAME = "frame"


class Record(Struct, frozen=True):
    """One edit that was carried out on a part. `part` is the new rendition, None when it was dropped.

    `saved` are raw tokens (below 0 where a part is sent whole again), `size` the raw tokens it has now.
    `base` is the part that the new rendition points to.
    """

    message: bytes
    index: int
    part: Part | None
    handle: str
    by: str
    reason: str
    loss: Loss
    saved: int
    size: int
    base: At | None = None

    @property
    def at(self) -> At:
        return At(self.message, self.index)


class Cut(Struct, frozen=True):
    """A span of messages that gave way to one note, by message identities. `saved` and `size` are raw tokens."""

    first: bytes
    last: bytes
    text: str
    handle: str
    by: str
    reason: str
    loss: Loss
    saved: int
    size: int


class Considered(Struct, frozen=True):
    """A fold that was weighed: how many parts, the message of the first, the tokens that would go, the rent that
    they had cost, the price of breaking the cache, in plain input tokens, and whether it was carried out."""

    parts: int
    first: bytes
    freed: int
    rent: float
    price: float
    done: bool


class Entry(Struct, frozen=True, kw_only=True):
    """The decision at one boundary. An entry without records says that nothing was to be done.

    `tokens` and `after` are raw tokens of the whole request before and after, `factor` what raw
    counts were multiplied with to judge budget or window, `trigger` why (or why not) it acted,
    `follows` how many decisions stood at the boundary decided before (-1: whatever there is): later ones
    there do not reach on to here, `spent` the parts that were tried and could not shed enough, so that
    no later fold tries them again, `folded` whether something that was sent before is sent otherwise
    from here on, `summaries` the short texts that were handed over for results, by the ids of their calls: they
    hold for later decisions. `rates` are the prices it was weighed by, `rent` and `price` those of a fold that
    paid, in plain input tokens, `considered` the best fold that was weighed, done or not, `observed` what
    the provider had reported for the call before. `tools` and
    `structured` tell what kind of call it was, so that side calls stand out.
    """

    boundary: bytes
    root: bytes
    at: float
    trigger: str
    tokens: int
    after: int
    factor: float
    preset: str
    records: tuple[Record, ...] = ()
    cuts: tuple[Cut, ...] = ()
    refused: tuple[Finding, ...] = ()
    follows: int = -1
    spent: tuple[At, ...] = ()
    folded: bool = False
    forced: bool = False
    summaries: dict[str, str] = {}
    tools: bool = False
    structured: bool = False
    rates: Rates | None = None
    rent: float = 0.0
    price: float = 0.0
    observed: Observed | None = None
    considered: Considered | None = None
    rules: int = RULES_VERSION


class Artifact(Struct, frozen=True, kw_only=True):
    """A stored original. `origin` is the identity of the message it was cut from, `part` its position
    there (`SPAN` for messages that gave way to a note).

    `data` is text as UTF-8 (of a result, of arguments), or the JSON of a medium, of a message whose
    reasoning was dropped, of the messages of a span, or of a field of the frame; `kind` says which. `raw`
    holds, for undo, the
    very JSON of values that encoding again would write otherwise: pairs of path and JSON, encoded; of a
    medium or messages the places of values that were bytes objects (`Body.binary`).
    `stub` is the text that was issued in its place ("" where there is none).
    """

    handle: str
    data: bytes
    kind: Kind
    media_type: str
    origin: bytes
    part: int
    label: str = ""
    stub: str = ""
    raw: bytes = b""


def encode(entry: Entry) -> bytes:
    """An entry as bytes for the store."""
    try:
        return msgspec.json.encode(entry)
    except UnicodeEncodeError:  # a text with lone surrogates, which real clients send
        return jsonbytes.encode(msgspec.to_builtins(entry))


def decode(data: bytes) -> Entry:
    """The entry of stored bytes; fields of later versions are ignored."""
    try:
        return msgspec.json.decode(data, type=Entry)
    except msgspec.DecodeError:
        return msgspec.convert(jsonbytes.decode(data), Entry)
