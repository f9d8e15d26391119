from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Cli


def test_each_setting_with_its_origin(cli: Cli, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("trimtab.toml").write_text('budget = 5000\npins = ["one", "two"]\n')
    monkeypatch.setenv("TRIMTAB_MODEL", "gpt-4o")
    found = cli("config", "--json").json
    assert found["budget"] == {"value": 5000, "origin": "trimtab.toml"}
    assert found["model"] == {"value": "gpt-4o", "origin": "environment"}
    assert found["preset"] == {"value": "default", "origin": "default"}
    lines = [line.split("  ") for line in cli("config").out.decode().splitlines()]
    rows = {line[0].strip(): [cell.strip() for cell in line[1:] if cell.strip()] for line in lines}
    assert rows["pins"] == ["one, two", "trimtab.toml"]
    assert rows["store"] == [str(store), "environment"]
    assert rows["target"] == ["not set", "default"]


def test_the_default_store_is_shown_as_a_path(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRIMTAB_STORE")
    assert "trimtab.db" in cli("config").out.decode()


def test_a_bad_setting_says_where_it_stands(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIMTAB_BUDGET", "much")
    done = cli("config")
    assert done.code == 2
    assert "environment: budget" in done.err
