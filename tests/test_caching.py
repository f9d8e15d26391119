"""How models cache, and what a user's config says better."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from trimtab import Compactor
from trimtab.caching import ASSUMED, NO_CACHE, caching
from trimtab.config import load
from trimtab.errors import ConfigError
from trimtab.prices import Override, adjusted, card
from trimtab.testing import conversation


@pytest.mark.parametrize(
    ("model", "kind", "least", "lifetime"),
    [
        ("claude-opus-4-5", "marks", 4096, 300),
        ("claude-sonnet-4-5", "marks", 1024, 300),
        ("openrouter/anthropic/claude-sonnet-4.6", "marks", 2048, 300),
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", "marks", 1024, 300),
        ("gpt-4.1", "automatic", 1024, 300),
        ("gpt-5.6", "automatic", 1024, 1800),
        ("gemini-2.5-flash", "automatic", 2048, 300),
        ("deepseek-chat", "automatic", 64, 7200),
        ("gpt-3.5-turbo-0613", "none", 1024, 300),
        ("my-local-model", "none", 1024, 300),
    ],
)
def test_each_vendors_cache(model: str, kind: str, least: int, lifetime: float) -> None:
    cache = card(model).cache
    assert (cache.caching, cache.least, cache.lifetime) == (kind, least, lifetime)
    assert cache.source


def test_every_row_has_a_source_and_a_date_and_is_reached() -> None:
    text = resources.files("trimtab").joinpath("cards.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["row"]:
        assert row["source"]
        assert row["date"]
        pattern = row["models"][0].replace("*", "x")
        vendor, _, model = pattern.rpartition("/")
        assert caching(vendor, model, priced=True).source == row["source"]


def test_what_nothing_is_known_of_is_assumed_by_its_prices() -> None:
    assert caching("nobody", "m", priced=True) == ASSUMED
    assert caching("anthropic", "claude-opus-4-5", priced=False) == NO_CACHE


def test_the_config_goes_over_what_is_known() -> None:
    own = {"claude-opus-4-5": Override(read=0.25, lifetime=3600, window=100_000)}
    held = adjusted(card("claude-opus-4-5"), "claude-opus-4-5", own)
    assert (held.read, held.input, held.window, held.cache.lifetime) == (0.25, 5, 100_000, 3600)
    assert (held.cache.caching, held.cache.least) == ("marks", 4096)
    assert held.source.startswith("config")
    assert held.cache.source.startswith("config")


def test_the_cards_own_name_finds_the_override_too() -> None:
    dated = "claude-opus-4-5-20251101"
    own = {"claude-opus-4-5": Override(input=1)}
    assert adjusted(card(dated), dated, own).input == 1
    assert adjusted(card("gpt-4.1"), "gpt-4.1", own) is card("gpt-4.1")


def test_a_price_of_ones_own_has_no_cliff() -> None:
    own = {"claude-sonnet-4-5": Override(input=1)}
    held = adjusted(card("claude-sonnet-4-5"), "claude-sonnet-4-5", own)
    assert held.at(1_000_000).input == 1


def test_a_price_for_cached_reads_makes_an_unknown_model_cache() -> None:
    own = {"mine": Override(input=1, read=0.1, output=2)}
    held = adjusted(card("mine"), "mine", own)
    assert held.cache.caching == "automatic"
    assert adjusted(card("mine"), "mine", {"mine": Override(window=9_000)}).assumed is False


def test_the_compactor_follows_the_config() -> None:
    config = {"models": {"gpt-4.1": {"window": 4_000}}}
    with_own = Compactor("gpt-4.1", store=None, config=config).compact(conversation())
    assert with_own.report.window == 3_000  # the request reserves 1,000 of them for the answer
    assert Compactor("gpt-4.1", store=None).compact(conversation()).report.window != 3_000


@pytest.mark.parametrize(
    "wrong",
    [{"input": -1}, {"windows": 5}, {"caching": "maybe"}, {"least": 0}, {"lifetime": 0}, {"window": "big"}],
)
def test_a_wrong_figure_is_named(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        load(None, {"models": {"m": wrong}})
