"""Price cards: window and prices of a model, from the data embedded in genai-prices.

Nothing is fetched at run time. What the data does not say is assumed, and the card says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from trimtab.caching import NO_CACHE, Caching, Kind, caching

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


Price = Annotated[float, Meta(ge=0)]
Above = Annotated[int, Meta(gt=0)]


class Override(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a user's config says of a model in the place of what is known; the fields of `Card` and `Caching`."""

    window: Above | None = None
    max_output: Above | None = None
    input: Price | None = None
    read: Price | None = None
    write: Price | None = None
    write_hour: Price | None = None
    output: Price | None = None
    caching: Kind | None = None
    least: Above | None = None
    lifetime: Annotated[float, Meta(gt=0)] | None = None


OF_CACHE = ("caching", "least", "lifetime")
"""The fields of an override that say how the cache works; the others are those of the card."""


def adjusted(held: Card, name: str | None, overrides: Mapping[str, Override]) -> Card:
    """A card as the user's config wants it, found by the name in the request or by the card's own.

    A price of one's own holds at any length: the tariff's cliff is gone then. A price for cached reads makes a
    model cache that was not known to.
    """
    own = overrides.get(name or "") or overrides.get(held.model)
    if own is None:
        return held
    given = {field: value for field in own.__struct_fields__ if (value := getattr(own, field)) is not None}
    cache = {field: given.pop(field) for field in OF_CACHE if field in given}
    if "read" in given and held.cache is NO_CACHE:
        cache = {"caching": "automatic", **cache}
    if cache:
        given["cache"] = replace(held.cache, **cache, source=f"config, else {held.cache.source}")
    if given.keys() & {"input", "read", "write", "write_hour", "output"}:
        given |= {"cliff": None, "beyond": None}
    if "window" in given:
        given["assumed"] = False
    return replace(held, **given, source=f"config, else {held.source}")


def patient(card: Card) -> Card:
    """The card with the longer lifetime of its cache, as far as it has one."""
    if card.cache.long is None or card.write_hour is None:
        return card
    cache = replace(card.cache, lifetime=card.cache.long, long=None)
    beyond = card.beyond and replace(card.beyond, write=card.beyond.write_hour or card.beyond.write)
    return replace(card, write=card.write_hour, cache=cache, beyond=beyond)


def known(providers: Sequence[str]) -> list[Card]:
    """The cards of all models of these providers, as far as the data has them."""
    from genai_prices.data_snapshot import get_snapshot

    found = (provider for provider in get_snapshot().providers if provider.id in providers)
    return [_card(provider, model) for provider in found for model in provider.models]


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
    base = replace(base, cache=caching(base.provider, base.model, priced=kinds["read"] is not None))
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


def _price(price: Decimal | TieredPrices | None, start: int) -> float | None:
    """Dollars of a price for a request just above `start` tokens."""
    if price is None or isinstance(price, Decimal):
        return None if price is None else float(price)
    paid = [price.base, *(tier.price for tier in price.tiers if 0 < tier.start <= start)]
    return float(paid[-1])


def _tiers(price: Decimal | TieredPrices | None) -> Sequence[Tier]:
    return () if price is None or isinstance(price, Decimal) else price.tiers
