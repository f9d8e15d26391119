"""`trimtab replay`: a table, the same as JSON and CSV, and a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.running import on_terminal
from tests.replay.recorded import rounds, saved, words

from trimtab.replay.rows import Options


@pytest.fixture
def session(tmp_path: Path) -> str:
    talk = rounds(*(({"path": f"src/f{n}.py"}, words(60, f"f{n}")) for n in range(12)))
    return str(saved(tmp_path, talk))


def test_the_table_names_every_policy_and_ends_with_advice(cli: Cli, session: str) -> None:
    done = cli("replay", session)
    out = done.out.decode()
    assert done.code == 0
    assert all(policy.name in out for policy in Options().policies())
    assert "Short sessions (1)" in out
    assert "knows the future" in out
    assert "what would have paid" in out


def test_the_same_as_json(cli: Cli, session: str) -> None:
    found = cli("replay", session, "--json", "--preset", "default", "--preset", "ledger").json
    first, *_, preset, other = found["policies"]
    assert [first, preset, other] == ["keep-all", "default", "ledger"]
    assert found["policies"]["keep-all"]["all"]["dollars_change"] == 0
    assert found["sessions"][0]["policies"]["keep-all"]["visible"] == 1


def test_the_same_as_csv(cli: Cli, session: str) -> None:
    lines = cli("replay", session, "--csv").out.decode().splitlines()
    assert len(lines) == 1 + len(Options().policies())


def test_a_page_is_written(cli: Cli, session: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert cli("replay", session, "--html", str(page)).code == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_prices_and_marks_may_be_chosen(cli: Cli, session: str) -> None:
    def dollars(*options: str) -> float:
        found: float = cli("replay", session, "--json", *options).json["policies"]["keep-all"]["all"]["dollars"]
        return found

    own, dear, none = dollars(), dollars("--price-as", "claude-opus-4-1"), dollars("--marks", "none")
    assert dear > own
    assert none > own


def test_a_folder_without_sessions_is_told_of(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = cli("replay", str(tmp_path / "empty"))
    assert done.code == 1
    assert "no session" in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--preset", "nosuch"], "nosuch"), (["--half", "3"], "half"), (["--marks", "bad"], "marks")],
)
def test_wrong_options_are_usage_errors(cli: Cli, session: str, options: list[str], said: str) -> None:
    done = cli("replay", session, *options)
    assert done.code == 2
    assert said in done.err


def test_a_pattern_names_files(cli: Cli, session: str) -> None:
    pattern = str(Path(session).with_name("*.json"))
    assert cli("replay", pattern, "--json").json["files"] == 1


def test_models_and_segments_have_tables_of_their_own(cli: Cli, session: str) -> None:
    out = cli("replay", session, "--example").out.decode()
    assert "claude-opus-4-5" in out
    assert "segment" in out.splitlines()[0]
    assert any(line.rstrip().endswith("segment") for line in out.splitlines())


def test_settings_of_presets_hold_and_change_what_is_on_record(cli: Cli, session: str, tmp_path: Path) -> None:
    def folds() -> int:
        options = ("--preset", "observation-masking", "--resume", str(tmp_path / "kept"), "--json")
        found: int = cli("replay", session, *options).json["policies"]["observation-masking"]["all"]["folds"]
        return found

    before = folds()
    Path("trimtab.toml").write_text("[presets.observation-masking]\nkeep = 1000\n")
    assert before > 0
    assert folds() == 0


def test_without_a_path_it_says_what_to_name(cli: Cli) -> None:
    done = cli("replay")
    assert done.code == 2
    assert "--example" in done.err


def test_a_missing_file_is_a_usage_error(cli: Cli) -> None:
    assert cli("replay", "nowhere").code == 2


def test_it_runs_on_a_terminal(session: str) -> None:
    code, screen = on_terminal("replay", session, "--workers", "2")
    assert code == 0
    assert "keep-all" in screen


def test_an_agent_that_writes_notes_may_be_supposed(cli: Cli) -> None:
    found = cli("replay", "--example", "--keep-notes", "0.9", "--json").json
    assert "default, keep notes 90%" in found["policies"]
    assert cli("replay", "--example", "--keep-notes", "2").code == 2
