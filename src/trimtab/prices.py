"""Price cards: window and prices of a model, from the data embedded in genai-prices.

Nothing is fetched at run time. What the data does not say is assumed, and the card says so.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Provider, Tier, TieredPrices

ASSUMED_WINDOW = 128_000
"""Tokens of window for a model nobody knows: what most models of the last years have at least."""

_WINDOWS: Mapping[str, int] = {"gemini-3-pro-preview": 1_048_576, "gemini-2.5-flash-preview": 1_048_576}
"""Windows the data lacks, by Google's model pages, 2025-11."""

_BEDROCK = re.compile(
    r"^(?:[a-z]{1,7}(?:-[a-z]+)?\.)?(?:anthropic|amazon|cohere|deepseek|meta|mistral|openai|qwen)\."
)
_VERSION = re.compile(r"-v\d+(?::\d+[a-z]*)?$")
_LONG = re.compile(r"\[(\d{1,2})m\]$")


class Caching(Struct, frozen=True, kw_only=True):
    """How a provider caches the beginnings of requests: by "marks" in them, "automatic", or "none".

    Below `least` tokens nothing is cached. `lifetime` are seconds since the last use; `long` a lifetime that
    is had for a dearer write (`Card.write_hour`), None where there is none. `source` and `date` say who told.
    """

    caching: str
    least: int = 1024
    lifetime: float = 300.0
    long: float | None = None
    source: str
    date: str = ""


NO_CACHE = Caching(caching="none", source="no price for a cached read is known")
"""How a model caches of which nothing is known."""


class Card(Struct, frozen=True, kw_only=True):
    """What a model takes and costs. Prices are dollars per million tokens, None where unknown.

    `window` and `max_output` are tokens. `read` is a cached read, `write` a cache write of the usual
    lifetime, `write_hour` one of an hour; `cache` says how the cache works. A request with more than `cliff`
    input tokens is charged by the card `beyond`, on every token. `source` says where the figures come from;
    `assumed` that the window is a guess.
    """

    model: str
    provider: str
    window: int
    max_output: int | None = None
    input: float | None = None
    read: float | None = None
    write: float | None = None
    write_hour: float | None = None
    output: float | None = None
    cliff: int | None = None
    beyond: Card | None = None
    source: str
    assumed: bool = False
    cache: Caching = NO_CACHE

    def at(self, tokens: int) -> Card:
        """The card that charges a request of `tokens` input tokens."""
        if self.cliff is None or self.beyond is None or tokens <= self.cliff:
            return self
        return self.beyond.at(tokens)


@lru_cache(maxsize=256)
def card(model: str | None, provider: str | None = None) -> Card:
    """The card of a model by any name it goes by in requests; an assumed one when nobody knows it.

    Understood: vendor and proxy prefixes (`openrouter/anthropic/claude-...`, `models/gemini-...`),
    Bedrock's and Vertex's names, dates, `:variant`, and `[1m]` for a window of a million tokens.
    Without `provider` the vendor's own prices hold, or Bedrock's where the name is Bedrock's.
    """
    name = (model or "")[:200].strip().lower()
    long = _LONG.search(name)
    found = _find(_LONG.sub("", name), (provider or "").lower())
    result = _card(*found) if found else _unknown(name, provider)
    if long:
        window = int(long[1]) * 1_000_000
        result = replace(result, window=window, assumed=False, source=f"{result.source}; window by [{long[1]}m]")
    return result


def _unknown(name: str, provider: str | None) -> Card:
    source = f"assumed: no card for {name or 'a request without model'!r}, window taken as {ASSUMED_WINDOW:,}"
    return Card(model=name, provider=provider or "", window=ASSUMED_WINDOW, source=source, assumed=True)


def _find(name: str, provider: str) -> tuple[Provider, ModelInfo] | None:
    from genai_prices.data_snapshot import get_snapshot

    snapshot = get_snapshot()
    hosted = [(spelling, host) for spelling, hosts in _spellings(name) for host in (provider, *hosts)]
    resold = [(spelling, "openrouter") for spelling, _ in _spellings(name)]
    for spelling, host in (*hosted, *resold):
        try:
            return snapshot.find_provider_model(spelling, None, host or None, None)
        except LookupError:
            continue
    return None


def _spellings(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name without prefixes, variant, version, most specific first; with each the hosts it hints at."""
    parts = name.split("/")
    for first in range(min(len(parts), 5)):
        tail = "/".join(parts[first:])
        hints = (parts[first - 1] if first else "", "aws" if _BEDROCK.match(tail) else "", "")
        yield tail, hints
        yield tail.partition(":")[0], hints
        yield _VERSION.sub("", _BEDROCK.sub("", tail)), ("",)


def _card(provider: Provider, model: ModelInfo) -> Card:
    window, source = model.context_window, f"genai-prices: {provider.id}/{model.id}"
    if window is None:
        window, place = _window_elsewhere(model.id)
        source += f"; window {place}"
    noon = datetime.now(UTC).replace(hour=12, minute=0)  # tariffs by the hour: the hour changes no decision
    base = Card(
        model=model.id,
        provider=provider.id,
        window=window or ASSUMED_WINDOW,
        source=source,
        assumed=window is None,
    )
    return _priced(base, model.get_prices(noon))


def _window_elsewhere(model: str) -> tuple[int | None, str]:
    """The vendor's window from `_WINDOWS`, else the smallest under which another provider lists the model."""
    from genai_prices.data_snapshot import get_snapshot

    name = model.rpartition("/")[2]
    if name in _WINDOWS:
        return _WINDOWS[name], "by the vendor's model page"
    listed = [
        (other.context_window, provider.id)
        for provider in get_snapshot().providers
        for other in provider.models
        if other.context_window and other.id.rpartition("/")[2] == name
    ]
    if not listed:
        return None, f"assumed as {ASSUMED_WINDOW:,}"
    window, place = min(listed)
    return window, f"as listed by {place}"


def _priced(base: Card, prices: ModelPrice) -> Card:
    """The card with its prices, and a card beyond each threshold of the tariff, the lowest first."""
    kinds = {
        "input": prices.input_mtok,
        "read": prices.cache_read_mtok,
        "write": prices.cache_write_mtok,
        "write_hour": prices.cache_write_1h_mtok,
        "output": prices.output_mtok,
    }
    base = replace(base, cache=_caching(f"{base.provider}/{base.model}", priced=kinds["read"] is not None))
    starts = sorted({tier.start for price in kinds.values() for tier in _tiers(price)})
    result: Card | None = None
    for number in range(len(starts), -1, -1):
        paid = {kind: _price(price, starts[number - 1] if number else 0) for kind, price in kinds.items()}
        if paid["read"] is not None and paid["write"] is None:
            paid["write"] = paid["input"]  # a cache that is filled without a fee: OpenAI, Gemini, DeepSeek
        cliff = starts[number] if number < len(starts) else None
        result = replace(base, **paid, cliff=cliff, beyond=result)
    assert result is not None
    return result


def _caching(name: str, *, priced: bool) -> Caching:
    """How a model caches, by `cards.toml`; where a cached read has a price and no row fits, it is assumed."""
    if not priced:
        return NO_CACHE
    rows = (row for row in _rows() if any(fnmatchcase(name, pattern) for pattern in row["models"]))
    row = next(rows, None)
    if row is None:
        return Caching(caching="automatic", source="assumed, since cached reads have a price")
    return Caching(**{key: value for key, value in row.items() if key != "models"})


@cache
def _rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(
        resources.files("trimtab").joinpath("cards.toml").read_text(encoding="utf-8")
    )["row"]
    return found


def _price(price: Decimal | TieredPrices | None, start: int) -> float | None:
    """Dollars of a price for a request just above `start` tokens."""
    if price is None or isinstance(price, Decimal):
        return None if price is None else float(price)
    paid = [price.base, *(tier.price for tier in price.tiers if 0 < tier.start <= start)]
    return float(paid[-1])


def _tiers(price: Decimal | TieredPrices | None) -> Sequence[Tier]:
    return () if price is None or isinstance(price, Decimal) else price.tiers
