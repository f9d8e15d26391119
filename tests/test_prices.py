from __future__ import annotations

import subprocess
import sys

import pytest

from trimtab.prices import ASSUMED_WINDOW, card


def test_the_price_data_is_loaded_only_when_asked_for() -> None:
    code = "import sys, trimtab.prices; print('genai_prices' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_card_has_window_prices_and_source() -> None:
    opus = card("claude-opus-4-5")
    assert (opus.provider, opus.window, opus.assumed) == ("anthropic", 200_000, False)
    assert (opus.input, opus.read, opus.write, opus.write_hour, opus.output) == (5, 0.5, 6.25, 10, 25)
    assert "genai-prices" in opus.source


@pytest.mark.parametrize("model", ["my-local-x", "ollama/some-model:7b", "", "/", "a" * 9_999, "[1m", None])
def test_CONF_01_an_unknown_model_gets_a_stated_assumption(model: str | None) -> None:
    unknown = card(model)
    assert unknown.assumed
    assert unknown.window == ASSUMED_WINDOW
    assert unknown.input is None
    assert "assumed" in unknown.source
    assert len(unknown.source) < 300


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("gpt-4", 8_192),
        ("gpt-4o-2024-08-06", 128_000),
        ("openai/gpt-4o:extended-cache", 128_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("anthropic/claude-sonnet-4.5", 200_000),
        ("openrouter/anthropic/claude-sonnet-4.5", 1_000_000),
        ("claude-sonnet-4-5[1m]", 1_000_000),
        ("Claude-Sonnet-4-5[1M]", 1_000_000),
        ("x.anthropic.claude-sonnet-4-5-v1", 200_000),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
        ("bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
        ("litellm_proxy/anthropic.claude-3-5-sonnet-20241022-v2:0", 200_000),
        ("vertex_ai/claude-sonnet-4-5@20250929", 200_000),
        ("models/gemini-2.5-pro", 1_048_576),
        ("gemini-3-pro-preview", 1_048_576),
        ("GPT-5-2025-08-07", 400_000),
        ("gpt-4.1", 1_000_000),
    ],
)
def test_CONF_02_windows_by_the_names_in_requests(name: str, window: int) -> None:
    found = card(name)
    assert found.window == window
    assert not found.assumed
    assert found.input is not None


def test_the_provider_decides_between_price_lists() -> None:
    direct, bedrock = card("claude-sonnet-4-5"), card("us.anthropic.claude-sonnet-4-5-20250929-v1:0")
    assert (direct.provider, direct.input) == ("anthropic", 3)
    assert (bedrock.provider, bedrock.input) == ("aws", 3.3)
    assert card("anthropic/claude-sonnet-4.5", "openrouter").provider == "openrouter"
    assert card("claude-sonnet-4-5", "openai_chat") == direct


def test_a_cliff_changes_every_price_above_it() -> None:
    haiku = card("claude-haiku-5-5")
    assert haiku.cliff == 100_000
    assert haiku.at(100_000) is haiku
    beyond = haiku.at(100_001)
    assert (haiku.input, beyond.input) == (0.1, 0.5)
    assert (haiku.output, beyond.output) == (0.5, 2.5)
    assert beyond.at(900_000) is beyond


def test_several_cliffs_stand_one_above_the_other() -> None:
    qwen = card("qwen/qwen3-coder-flash", "openrouter")
    prices = [qwen.at(tokens).input for tokens in (1_000, 32_000, 32_001, 128_000, 128_001)]
    assert prices == [0.195, 0.195, 0.325, 0.325, 0.52]


def test_a_cache_without_a_write_fee_is_written_at_the_input_price() -> None:
    gpt = card("gpt-5")
    assert (gpt.input, gpt.read, gpt.write) == (1.25, 0.125, 1.25)
    assert card("gpt-5.6-sol").write == pytest.approx(1.25 * (card("gpt-5.6-sol").input or 0))


def test_without_a_cache_price_none_is_made_up() -> None:
    old = card("gpt-4")
    assert (old.read, old.write) == (None, None)
