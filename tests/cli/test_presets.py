from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Cli

from trimtab.presets import PRESETS


def test_every_preset_is_told_with_source_and_settings(cli: Cli) -> None:
    out = cli("presets").out.decode()
    for name, preset in PRESETS.items():
        assert f"{name}  {preset.source}"[:100] in out
    assert "clear_at_least = 0" in out
    assert "Keeps every call" in out


def test_one_preset_shows_what_holds_here_beside_the_default(cli: Cli) -> None:
    Path("trimtab.toml").write_text("[presets.sliding-window]\nkeep = 9\n")
    out = cli("presets", "sliding-window").out.decode()
    assert "keep = 9  (default 6)" in out
    assert "clear-tool-uses" not in out
    found = cli("presets", "sliding-window", "--json").json
    assert found["settings"]["keep"] == {"value": 9, "default": 6}
    assert found["touches"][0] == "results"


def test_all_as_json(cli: Cli) -> None:
    assert [one["name"] for one in cli("presets", "--json").json] == list(PRESETS)


def test_a_name_or_a_setting_that_there_is_not_is_told(cli: Cli) -> None:
    done = cli("presets", "magic")
    assert done.code == 2
    assert "sliding-window" in done.err
    Path("trimtab.toml").write_text('[presets.sliding-window]\nkeep = "many"\n')
    done = cli("presets")
    assert done.code == 2
    assert "presets.sliding-window" in done.err


@pytest.mark.parametrize("name", PRESETS)
def test_compact_takes_every_preset(cli: Cli, request_file: Path, name: str) -> None:
    done = cli("compact", str(request_file), "--preset", name, "--force", "--json", "-o", "out.json")
    assert done.code == 0
    assert done.json["preset"] == name


def test_the_protection_of_a_preset_holds_where_nobody_set_another(cli: Cli, request_file: Path) -> None:
    arguments = ("compact", str(request_file), "--preset", "threshold-redact", "--force", "--json", "--dry-run")
    assert cli(*arguments).json["edits"] == []
    Path("trimtab.toml").write_text("protect_turns = 0\nprotect_results = 6\n")
    assert len(cli(*arguments).json["edits"]) == 2
