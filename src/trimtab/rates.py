"""What a provider charges, in plain input tokens: what one uncached input token of a short request costs is 1."""

from __future__ import annotations

from msgspec import Struct


class Rates(Struct, frozen=True):
    """What a model's provider charges, relative to a plain input token: a cached read, a cache write, output.

    `lifetime` are the seconds a cached prefix lives unless it is read again, `least` the tokens below which
    nothing is cached and each costs `plain`: 1, more in a long request of a model with tiers. Where a provider
    caches nothing, read and write cost as much. With `good_marks` all in front of an edit is still read; without,
    the frame alone.
    """

    read: float = 0.1
    write: float = 1.25
    output: float = 5.0
    lifetime: float = 300.0
    least: int = 1024
    good_marks: bool = True
    plain: float = 1.0

    @property
    def caches(self) -> bool:
        """Whether a cached read is cheaper than sending again."""
        return self.read < self.write


def cost(rates: Rates, read: int, tokens: int) -> float:
    """What a request of so many tokens costs of which the first `read` ones are in the cache."""
    if tokens < rates.least:
        return rates.plain * tokens
    read = read if read >= rates.least else 0
    return rates.read * read + rates.write * (tokens - read)
