"""`trimtab models`: each figure with where it comes from."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Cli


def test_one_model_with_its_sources(cli: Cli) -> None:
    out = cli("models", "claude-sonnet-4-5").out.decode()
    assert "genai-prices: anthropic/claude-sonnet-4-5" in out
    assert "input above 200,000 tokens" in out
    assert "Anthropic, Prompt caching" in out


def test_an_unknown_model_is_assumed(cli: Cli) -> None:
    found = cli("models", "nosuch", "--json").json
    assert found["assumed"] is True
    assert "assumed" in found["source"]
    assert found["cache"]["caching"] == "none"
    assert "assumed" in cli("models", "nosuch").out.decode()


def test_the_config_holds_and_is_named(cli: Cli) -> None:
    Path("trimtab.toml").write_text('[models."claude-sonnet-4-5"]\nread = 0.01\n[models.mine]\nwindow = 5000\n')
    found = {one["name"]: one for one in cli("models", "--json").json}
    assert found["claude-sonnet-4-5"]["read"] == 0.01
    assert found["claude-sonnet-4-5"]["source"].startswith("config")
    assert found["mine"]["window"] == 5000
    assert "gpt-4.1" in found
    assert "mine" in cli("models").out.decode()


def test_the_replay_follows_the_config(cli: Cli) -> None:
    def dollars() -> float:
        found: float = cli("replay", "--example", "--json").json["policies"]["keep-all"]["all"]["dollars"]
        return found

    before = dollars()
    model = cli("replay", "--example", "--json").json["sessions"][0]["model"]
    Path("trimtab.toml").write_text(f'[models."{model}"]\noutput = 1000\n')
    assert dollars() > before
