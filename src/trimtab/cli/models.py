"""`trimtab models`: what is known or assumed of a model, and where each figure comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from trimtab.bindings import binds
from trimtab.cli import options
from trimtab.cli.files import print_json
from trimtab.cli.screen import number, screen, table, text
from trimtab.config import load
from trimtab.prices import Card, adjusted, card, known
from trimtab.tokens import FACTORS, family

VENDORS = ("anthropic", "openai", "google", "deepseek", "mistral", "x-ai")
"""The vendors whose models are listed when none is named; resellers have the same ones."""


def models(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Any name that a request may give.")] = None,
    json: options.Json = False,
) -> None:
    """Show windows, prices and caches of models, and where the figures come from.

    Without a name, the models of the large vendors and those of your settings. Prices are dollars for a million
    tokens.
    """
    settings = load().settings
    if name is not None:
        held = adjusted(card(name), name, settings.models)
        if json:
            print_json(_value(name, held))
        else:
            screen().print(_drawn(name, held))
        return
    found = {own: card(own) for own in settings.models}
    for one in known(VENDORS):
        found.setdefault(one.model, one)
    cards = [(own, adjusted(one, own, settings.models)) for own, one in found.items()]
    if json:
        print_json([_value(own, one) for own, one in cards])
    else:
        screen().print(_listed(cards))


def _value(name: str, held: Card) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(held)
    kind = family(name)
    return {"name": name, **found, "factor": FACTORS[kind], "family": kind, "binds_thinking": binds(name)}


def _listed(cards: list[tuple[str, Card]]) -> RenderableType:
    prices = (">input", ">read", ">write", ">output")
    made = table("model", ">window", *prices, "cache", ">from", ">lifetime", "*by")
    for name, held in cards:
        paid = map(_price, (held.input, held.read, held.write, held.output))
        cached = held.cache.caching != "none"
        cache = (number(held.cache.least), _seconds(held.cache.lifetime)) if cached else ("", "")
        window = number(held.window, "yellow" if held.assumed else "")
        made.add_row(text(name, "bold"), window, *paid, held.cache.caching, *cache, text(_by(held), "dim"))
    return made


def _by(held: Card) -> str:
    """Whose figures these are, in a word or two."""
    own = "config, else " if held.source.startswith("config") else ""
    return f"{own}{held.provider or 'assumed'}"


def _drawn(name: str, held: Card) -> RenderableType:
    made = table("what", ">", "*from")
    made.columns[2].no_wrap = False
    for what, value, source in _rows(name, held):
        made.add_row(what, Text(value, "bold"), Text(source, "dim"))
    return Group(Text(name or "(no name)", "bold"), Padding(made, (0, 0, 0, 2)))


def _rows(name: str, held: Card) -> Iterator[tuple[str, str, str]]:
    """What, value, source."""
    cache = held.cache
    told = f"{cache.source}{f' ({cache.date})' if cache.date else ''}"
    yield "window, tokens", f"{held.window:,}", "assumed" if held.assumed else held.source
    if held.max_output is not None:
        yield "output at most", f"{held.max_output:,}", held.source
    yield from _prices(held, "")
    yield "cache", cache.caching, told
    if cache.caching != "none":
        yield "cached from, tokens", f"{cache.least:,}", told
        yield "lifetime", _seconds(cache.lifetime), told
    if cache.long is not None and held.write_hour is not None:
        yield "longer lifetime", _seconds(cache.long), told
    kind = family(name)
    yield "billed for a raw token", f"{FACTORS[kind]:g}", f"family {kind}, until the provider's usage says better"
    yield "thinking bound to its prefix", "yes" if binds(name) else "no", "docs/design.md"


def _prices(held: Card, beyond: str) -> Iterator[tuple[str, str, str]]:
    kinds = {"input": held.input, "cached read": held.read, "cache write": held.write}
    kinds |= {"cache write, longer lifetime": held.write_hour, "output": held.output}
    for what, price in kinds.items():
        if price is not None:
            yield f"{what}{beyond}, $", _price(price), held.source
    if held.cliff is not None and held.beyond is not None:
        yield from _prices(held.beyond, f" above {held.cliff:,} tokens")


def _price(price: float | None) -> str:
    return "" if price is None else f"{price:g}"


def _seconds(seconds: float) -> str:
    return f"{seconds / 60:g} min"
