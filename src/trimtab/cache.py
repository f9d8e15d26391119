"""The prompt cache as a bill: which beginning of a request a provider reads, which it writes, by its rules.

A request is a row of blocks, the first of which is what stands before the messages: system and tools.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from enum import StrEnum
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct, field

LOOK_BACK = 20
"""Blocks before a mark among which a hit is looked for (Anthropic, prompt caching, read 2025-11)."""

STEP = 128
"""Tokens in whose multiples an automatic cache hits (OpenAI, prompt caching, read 2025-11)."""

MOST_HELD = 8
"""Requests whose beginnings are remembered: the newest of as many branches of a conversation."""


_TOKENS = itemgetter(1)
"""The tokens of a block; looked up by place, which is several times as quick as by name."""


class Rule(StrEnum):
    """What makes a beginning of a request an entry of the cache."""

    GOOD = "good marks"
    """Every beginning is: as if marks always stood where they serve best."""
    MARKS = "marks"
    """Those that end at a mark in the request; a hit is looked for `LOOK_BACK` blocks back from a mark."""
    AUTOMATIC = "automatic"
    """Every one, without a mark, in steps of `STEP` tokens."""
    NONE = "none"
    """None: every token is charged as input."""


class Block(NamedTuple):
    """A piece of a request: what tells it from any other, and its tokens as the provider counts them."""

    key: Hashable
    tokens: int


class Billed(NamedTuple):
    """The tokens of a request by how they are charged."""

    read: int
    written: int
    uncached: int

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.read + self.written + self.uncached


class _Held(Struct):
    """A request that was sent. `entries`: how many of its blocks an entry holds, and when that expires."""

    blocks: Sequence[Block]
    entries: dict[int, float]


class Cache(Struct):
    """The cache of one model for one conversation. `least` are the tokens below which nothing is cached.

    `lifetime` are seconds from the last use of an entry. Time never runs backwards here: an earlier time
    than the last one counts as that.
    """

    rule: Rule = Rule.GOOD
    least: int = 1024
    lifetime: float = 300.0
    now: float = float("-inf")
    held: list[_Held] = field(default_factory=list)

    def bill(self, blocks: Sequence[Block], at: float, marks: Sequence[int] = ()) -> Billed:
        """How a request is charged that is sent `at` seconds, and what the cache holds after it.

        `marks` say after how many blocks each mark stands; only the rule `MARKS` looks at them.
        """
        self._pass(at)
        tokens = _size(blocks, len(blocks))
        if self.rule is Rule.NONE or tokens < self.least:
            return Billed(0, 0, tokens)
        ends = sorted({min(mark, len(blocks)) for mark in marks if mark > 0})
        if self.rule is not Rule.MARKS:
            ends = [len(blocks)]
        hit = self._hit(blocks, ends)
        read = _size(blocks, hit)
        if self.rule is Rule.AUTOMATIC:
            read -= read % STEP
        if read < self.least:
            read = hit = 0
        reach = tokens if self.rule is not Rule.MARKS else _size(blocks, ends[-1] if ends else 0)
        self._keep(blocks, [*ends, *([hit] if hit else [])])
        written = max(reach - read, 0) if reach >= self.least else 0
        return Billed(read, written, tokens - read - written)

    def cold(self, at: float) -> bool:
        """Whether nothing that was sent is cached any more at this time."""
        return not any(expires >= max(at, self.now) for one in self.held for expires in one.entries.values())

    def warm(self, blocks: Sequence[Block], at: float) -> int:
        """The tokens that sending these blocks would find cached, if it was sent with good marks."""
        alive = [one for one in self.held if any(expires >= at for expires in one.entries.values())]
        return _size(blocks, max((_common(one.blocks, blocks) for one in alive), default=0))

    def correct(self, reported: Billed) -> None:
        """Take what the provider reported for the request billed last, which wins over the model.

        Where it neither read nor wrote, nothing of that request is cached: its marks are missing, or it was
        routed elsewhere.
        """
        if self.held and not reported.read and not reported.written:
            self.held.pop()

    def forget(self) -> None:
        """What voids everything has happened: other tools, another model."""
        self.held.clear()

    def _pass(self, at: float) -> None:
        self.now = max(self.now, at)
        for one in self.held:
            one.entries = {end: expires for end, expires in one.entries.items() if expires >= self.now}
        self.held = [one for one in self.held if one.entries]

    def _hit(self, blocks: Sequence[Block], ends: Sequence[int]) -> int:
        """How many blocks the longest entry holds that this request begins with and may use."""
        return max((end for one in self.held for end in self._usable(one, blocks, ends)), default=0)

    def _usable(self, one: _Held, blocks: Sequence[Block], ends: Sequence[int]) -> Iterator[int]:
        common = _common(one.blocks, blocks)
        for entry in one.entries:
            if self.rule is not Rule.MARKS:
                yield min(entry, common)
            elif entry <= common and any(0 <= end - entry <= LOOK_BACK for end in ends):
                yield entry

    def _keep(self, blocks: Sequence[Block], ends: Sequence[int]) -> None:
        """Remember a request; entries of an earlier one that it begins with are its own from now on."""
        entries: dict[int, float] = {}
        apart = []
        for one in self.held:
            common = _common(one.blocks, blocks)
            for end, expires in one.entries.items():
                if end <= common:
                    entries[end] = max(expires, entries.get(end, expires))
            if any(end > common for end in one.entries):
                apart.append(one)
        for end in ends:
            if _size(blocks, end) >= self.least:
                entries[end] = self.now + self.lifetime
        if self.rule is not Rule.MARKS and entries:
            entries = {max(entries): max(entries.values())}
        self.held = [*apart[-MOST_HELD + 1 :], *([_Held(blocks, entries)] if entries else [])]


def _common(one: Sequence[Block], other: Sequence[Block]) -> int:
    """How many blocks two requests have in common from the start."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _size(blocks: Sequence[Block], end: int) -> int:
    return sum(map(_TOKENS, blocks[:end]))
