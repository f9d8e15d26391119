"""What a policy sends: every message as it goes out now, with its tokens, and what of it still shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from trimtab.cache import Block
from trimtab.replay.segment import Segment
from trimtab.request import MESSAGE_TOKENS


class Shown(NamedTuple):
    """A part, by its number, is sent so from now on. `size` are raw tokens; `handle`: it can be recalled."""

    part: int
    text: str
    size: int
    handle: bool = False


class Noted(NamedTuple):
    """The messages from `first` to `last` give way to one note; without text to nothing. `size` as in `Shown`."""

    first: int
    last: int
    text: str
    size: int
    handle: bool = False


class Asked(NamedTuple):
    """A model of the policy's own was asked: tokens of its input and of its answer, at the call's prices."""

    input: int
    output: int


Change: TypeAlias = Shown | Noted | Asked


class Rendition(NamedTuple):
    """What stands in the place of a part."""

    text: str
    handle: bool


class Sent:
    """The request as a policy sends it. It grows by `arrive`, `change` edits what has arrived.

    `over` holds what stands in the place of a part, by its number. `total` are the tokens of the request.
    """

    def __init__(self, segment: Segment) -> None:
        self.segment, self.stop = segment, segment.heads
        self.over: dict[int, Rendition] = {}
        self.total = segment.frame
        self.frame = Block("frame", segment.frame)
        self._blocks: list[Block | None] = [None] * len(segment.messages)
        self._sizes: dict[int, int] = {}
        self._gone: dict[int, int] = {}
        self._edits = len(segment.messages)

    def arrive(self, stop: int) -> None:
        """Take in the messages up to `stop`, as they were given."""
        for message in range(self.stop, stop):
            self._put(message, message, self.segment.tokens(message))
        self.stop = max(self.stop, stop)

    def change(self, changes: Iterable[Change]) -> int | None:
        """Edit what has arrived; the first message that goes out otherwise, None when none does."""
        first: int | None = None
        touched: dict[int, None] = {}
        for one in changes:
            if isinstance(one, Shown):
                message = self.segment.message_of[one.part]
                self.over[one.part] = Rendition(one.text, one.handle)
                self._sizes[one.part] = one.size
                if message not in self._gone:
                    touched[message] = None
            elif isinstance(one, Noted):
                self._note(one)
                touched = {message: None for message in touched if not one.first <= message <= one.last}
                first = one.first if first is None else min(first, one.first)
        for message in touched:
            self._put(message, self._key(), self._tokens(message))
        return min([*touched, *([] if first is None else [first])], default=None)

    def blocks(self) -> Sequence[Block]:
        """The request as the cache sees it: a block for system and tools, then one for each message."""
        held = self._blocks[self.segment.heads : self.stop]
        return [self.frame, *filter(None, held)]

    def message_tokens(self, message: int) -> int:
        """The tokens of a message as it is sent now."""
        block = self._blocks[message]
        return 0 if block is None else block.tokens

    def size(self, part: int) -> int:
        """The raw tokens of a part as it is sent now; 0 where a note took its place."""
        if self.segment.message_of[part] in self._gone:
            return 0
        return self._sizes.get(part, self.segment.sizes[part])

    def gone(self, message: int) -> bool:
        """Whether a note, or nothing, took the place of a message."""
        return message in self._gone

    def shows(self, text: str, holders: Sequence[int]) -> bool:
        """Whether one of the parts that held a text still shows it, or what took its place does."""
        over = self.over
        return any(part not in over or text in over[part].text for part in reversed(holders))

    def _note(self, one: Noted) -> None:
        for message in range(one.first, one.last + 1):
            self._take(message)
            self._gone[message] = one.first
            for part in self.segment.parts_of(message):
                self.over[part] = Rendition(one.text, one.handle)
        if one.text:
            self._put(
                one.first, self._key(), self.segment.scale.billed(one.size - MESSAGE_TOKENS) + MESSAGE_TOKENS
            )

    def _tokens(self, message: int) -> int:
        raw = sum(self.size(part) for part in self.segment.parts_of(message))
        return self.segment.scale.billed(raw) + MESSAGE_TOKENS

    def _put(self, message: int, key: int, tokens: int) -> None:
        self._take(message)
        self._blocks[message] = Block(key, tokens)
        self.total += tokens

    def _take(self, message: int) -> None:
        held = self._blocks[message]
        if held is not None:
            self.total -= held.tokens
        self._blocks[message] = None

    def _key(self) -> int:
        self._edits += 1
        return self._edits
