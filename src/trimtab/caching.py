"""How providers cache the beginnings of requests, by model: what price data does not tell, from `cards.toml`."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Literal

import msgspec
from msgspec import Struct

Kind = Literal["marks", "automatic", "none"]


class Caching(Struct, frozen=True, kw_only=True):
    """How a provider caches the beginnings of requests: by "marks" in them, "automatic", or "none".

    Below `least` tokens nothing is cached. `lifetime` are seconds since the last use; `long` a lifetime that
    is had for a dearer write (`Card.write_hour`), None where there is none. `source` and `date` say who told.
    """

    caching: Kind
    least: int = 1024
    lifetime: float = 300.0
    long: float | None = None
    source: str = ""
    date: str = ""


NO_CACHE = Caching(caching="none", source="no price for a cached read is known")
"""How a model caches of which nothing is known."""

ASSUMED = Caching(caching="automatic", source="assumed, since cached reads have a price")
"""How a model caches of which only the price of a cached read is known."""


class _Row(Caching, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of `cards.toml`: the models it is about, as patterns of `provider/model`."""

    models: tuple[str, ...]


def caching(provider: str, model: str, *, priced: bool) -> Caching:
    """How a model caches; `priced` tells that a cached read of it has a price."""
    if not priced:
        return NO_CACHE
    name = f"{provider}/{model}"
    row = next((row for row in _rows() if any(fnmatchcase(name, pattern) for pattern in row.models)), None)
    if row is None:
        return ASSUMED
    return Caching(**{field: getattr(row, field) for field in Caching.__struct_fields__})


@cache
def _rows() -> list[_Row]:
    text = resources.files("trimtab").joinpath("cards.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["row"], list[_Row])
