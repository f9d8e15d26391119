"""A segment of a recorded session between two compactions of its client, as every policy meets it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from msgspec import structs

from trimtab import jsonbytes
from trimtab.errors import TrimtabError
from trimtab.prices import Card, Override, adjusted, card
from trimtab.reader import Reader
from trimtab.replay.scale import Scale, scale_of
from trimtab.replay.usage import as_used
from trimtab.request import MESSAGE_TOKENS, Request, countable
from trimtab.sessions.base import Call, Session, Usage
from trimtab.stores import NoStore
from trimtab.tokens import counter_for
from trimtab.transcript import JSON, Media, Part, Reasoning, Role, Text, ToolCall, ToolResult, is_turn
from trimtab.wires import by_name

STAND_IN = "claude-sonnet-4-5"
"""The model whose prices and cache are taken where those of a session's own model are not known."""


BEGINNING = 5
"""Messages, from the first that is no system message, that tell sessions apart: some begin with the same words."""


class ReplayCall(NamedTuple):
    """A call: its request held the messages up to `stop`, its answer took `output` tokens at `at` seconds.

    `output` and `billed` (dollars by the usage in the file, None where there is none) are as the provider counts.
    """

    stop: int
    at: float
    card: Card
    output: int
    billed: float | None = None


class Segment:
    """One segment with the answer to its last call: its messages as parts in a row, from 0, and its calls.

    `first[m]` is the number of the first part of message `m` (one more at the end), `sizes` and `texts` are by
    part, sizes in raw tokens. `compacted` tells a segment that begins with what a compaction left. `unseen` are
    the raw tokens of system and tools that the file lacks. `assumed` names what had to be taken for granted.
    """

    def __init__(
        self,
        session: Session,
        calls: Sequence[Call],
        request: Request,
        scale: Scale,
        model: str | None = None,
        overrides: Mapping[str, Override] = {},
    ) -> None:
        self.payload: JSON = session.request(calls[-1])
        self.name, self.format, self.wire = session.name, session.format, session.wire
        self.request, self.scale = request, scale
        self.compacted = calls[0].start > 0
        self.heads, self.messages = request.heads, request.parsed
        self.first = [0, *accumulate(len(one.message.parts) for one in self.messages)]
        self.parts: list[Part] = [part for one in self.messages for part in one.message.parts]
        self.sizes = [size for one in self.messages for size in one.sizes]
        self.message_of = [m for m, one in enumerate(self.messages) for _ in one.message.parts]
        self.frame = scale.frame if scale.frame is not None else scale.billed(request.frame_size)
        self.unseen = max(int(self.frame / scale.factor) - request.frame_size, 0)
        self.model = model or next((call.model for call in calls if call.model), None) or request.frame.model
        known = adjusted(card(self.model), self.model, overrides)
        self.assumed = "" if _has_prices(known) else f"priced as {STAND_IN}"
        self.calls = list(self._calls(calls, model, overrides))
        self.used = _used(calls)

    def _calls(
        self, calls: Sequence[Call], model: str | None, overrides: Mapping[str, Override]
    ) -> Iterator[ReplayCall]:
        now = 0.0
        for call in calls:
            now = max(now, call.at if call.at is not None else now)
            held = priced(model or call.model or self.model, overrides)
            held = held if model else as_used(held, calls)
            stop = call.stop - call.start
            output = call.usage.output if call.usage and call.usage.output else self._answered(stop)
            yield ReplayCall(stop, now, held, output, _billed(call, held, output))

    def _answered(self, stop: int) -> int:
        """The tokens of the answer that follows, as far as the file has it."""
        return sum(self.scale.billed(self.messages[m].size - MESSAGE_TOKENS) for m in self.answer(stop))

    def answer(self, stop: int) -> range:
        """The messages of the answer to the call whose request ends before `stop`."""
        end = stop
        while end < len(self.messages) and self.messages[end].message.role is Role.ASSISTANT:
            end += 1
        return range(stop, end)

    def parts_of(self, message: int) -> range:
        """The numbers of a message's parts."""
        return range(self.first[message], self.first[message + 1])

    def tokens(self, message: int) -> int:
        """The tokens of a message as it was given."""
        return self.scale.billed(self.messages[message].size - MESSAGE_TOKENS) + MESSAGE_TOKENS

    @cached_property
    def texts(self) -> list[str]:
        """What each part says, of a call its name and its arguments as JSON."""
        return [countable(part) for part in self.parts]

    @cached_property
    def results(self) -> list[int]:
        """The numbers of the parts that are results."""
        return [number for number, part in enumerate(self.parts) if isinstance(part, ToolResult)]

    @cached_property
    def caller(self) -> dict[int, int]:
        """For each result the number of the call it answers: the nearest one before it with its id."""
        asked: dict[str, int] = {}
        found: dict[int, int] = {}
        for number, part in enumerate(self.parts):
            if isinstance(part, ToolCall):
                asked[part.id] = number
            elif isinstance(part, ToolResult) and part.call_id in asked:
                found[number] = asked[part.call_id]
        return found

    def is_turn(self, message: int) -> bool:
        """Whether a message is a real user message."""
        return is_turn(self.messages[message].message)

    @property
    def half(self) -> int:
        """1 or 2: the half of all sessions that this one belongs to, by its first `BEGINNING` messages."""
        names = self.request.names
        return 1 + names[min(self.heads + BEGINNING, len(names)) - 1][0] % 2

    def kinds(self) -> dict[str, int]:
        """The raw tokens of the messages by kind of part."""
        found = dict.fromkeys(("results", "arguments", "assistant", "user", "reasoning", "media", "other"), 0)
        for number, part in enumerate(self.parts):
            if self.message_of[number] >= self.heads:
                role = self.messages[self.message_of[number]].message.role
                found[_kind(part, role)] += self.sizes[number]
        return found

    @property
    def last(self) -> int:
        """The tokens of the request of the last call, when all is kept."""
        return self.frame + sum(self.tokens(m) for m in range(self.heads, self.calls[-1].stop))


def _kind(part: Part, role: Role) -> str:
    if isinstance(part, Text):
        return "user" if role is Role.USER else "assistant" if role is Role.ASSISTANT else "other"
    kinds = {ToolResult: "results", ToolCall: "arguments", Reasoning: "reasoning", Media: "media"}
    return kinds.get(type(part), "other")


def leaves(arguments: str) -> Iterator[tuple[str, str]]:
    """The strings and numbers in arguments, each with the key it stands under; of what is no JSON the whole."""
    try:
        todo: list[tuple[str, JSON]] = [("", jsonbytes.decode(arguments.encode("utf-8", "surrogatepass")))]
    except (ValueError, TrimtabError):
        todo = [("", arguments)]
    while todo:
        key, value = todo.pop()
        if isinstance(value, dict):
            todo += [(str(name), inner) for name, inner in reversed(value.items())]
        elif isinstance(value, list):
            todo += [(key, inner) for inner in reversed(value)]
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            yield key, str(value)


def priced(model: str | None, overrides: Mapping[str, Override] = {}) -> Card:
    """The card of a model, or of its stand-in where it has no prices."""
    held = adjusted(card(model), model, overrides)
    return held if _has_prices(held) else adjusted(card(STAND_IN), STAND_IN, overrides)


def _has_prices(held: Card) -> bool:
    return held.input is not None and held.output is not None


def charge(held: Card, *, read: int, written: int, uncached: int, output: int) -> float:
    """Dollars of a call by a card that has prices."""
    at = held.at(read + written + uncached)
    fresh, answered = at.input or 0.0, at.output or 0.0
    paid = read * _either(at.read, fresh) + written * _either(at.write, fresh) + uncached * fresh
    return (paid + output * answered) / 1e6


def _either(price: float | None, other: float) -> float:
    return other if price is None else price


def _billed(call: Call, held: Card, output: int) -> float | None:
    """What the reported usage of a call cost."""
    used = call.usage
    if used is None or used.input <= 0:
        return None
    uncached = max(used.input - used.read - used.written, 0)
    return charge(held, read=used.read, written=used.written, uncached=uncached, output=output)


def _with_answer(session: Session, last: Call) -> Call:
    """The last call of a segment, to reach over its answer as well."""
    wire, stop = by_name(session.wire), last.stop
    while stop < len(session.messages) and wire.message(session.messages[stop]).role is Role.ASSISTANT:
        stop += 1
    return structs.replace(last, stop=stop)


def _used(calls: Sequence[Call]) -> Usage | None:
    """The usage of all calls together, None where one has none."""
    told = [call.usage for call in calls if call.usage is not None]
    if len(told) < len(calls):
        return None
    return Usage(
        input=sum(one.input for one in told),
        read=sum(one.read for one in told),
        written=sum(one.written for one in told),
        output=sum(one.output for one in told),
    )


def segments(
    session: Session, model: str | None = None, overrides: Mapping[str, Override] = {}
) -> Iterator[Segment]:
    """The segments of a session that have calls; `model` takes the place of the recorded ones.

    `overrides` are what the user's config says of models. Raises WireError for a session whose messages are none.
    """
    reader = Reader(counter_for(model), NoStore(), "replay")
    scale = None
    for start in sorted({call.start for call in session.calls}):
        calls = sorted((call for call in session.calls if call.start == start), key=lambda call: call.stop)
        request = reader.read(session.request(_with_answer(session, calls[-1])), model)
        scale = scale or scale_of(request, calls, model)
        yield Segment(session, calls, request, scale, model, overrides)
