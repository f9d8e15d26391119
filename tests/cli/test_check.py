from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.running import on_terminal

from trimtab.testing import conversation, exchange, lines

OLD, NEW, NOWHERE = "KX-4417", "part 5 line 3: ", "nowhere-1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A request whose oldest result alone holds `OLD`."""
    body = conversation(exchanges=6)
    text = lines(300, "head") + f"the ticket is {OLD}\n" + lines(300, "foot")
    body["messages"][1:1] = exchange("anthropic", "first", "ticket.txt", text)
    path = tmp_path / "request.json"
    path.write_text(json.dumps(body))
    return path


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    path = tmp_path / "facts.toml"
    path.write_text(f'[facts]\nticket = "{OLD}"\nlast = "re:part 5 line [3]: "\n')
    return path


def test_each_fact_is_told_as_it_stands(cli: Cli, file: Path, facts: Path) -> None:
    done = cli("check", str(file), "--facts", str(facts), "--fact", NOWHERE, "--budget", "1600")
    assert done.code == 0
    rows = {row.split()[1]: row for row in done.out.decode().splitlines()[2:] if "not in" not in row}
    assert rows["ticket"].startswith("recoverable")
    assert "trimtab recall t:" in rows["ticket"]
    assert rows["last"].startswith("visible")
    assert f"not in the original  {NOWHERE}" in done.out.decode()


def test_strict_wants_every_fact_visible(cli: Cli, file: Path) -> None:
    assert cli("check", str(file), "--fact", OLD, "--strict").code == 0
    assert cli("check", str(file), "--fact", OLD, "--budget", "1600").code == 0
    assert cli("check", str(file), "--fact", OLD, "--budget", "1600", "--strict").code == 1
    assert cli("check", str(file), "--fact", NOWHERE, "--strict").code == 1


def test_a_fact_is_not_told_to_the_compaction_unless_the_settings_name_it(
    cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("check", str(file), "--fact", OLD, "--budget", "1600", "--json")
    assert cli(*asked).json["facts"][0]["standing"] == "recoverable"
    monkeypatch.setenv("TRIMTAB_FACTS", OLD)
    assert cli(*asked).json["facts"][0]["standing"] == "visible"


def test_nothing_is_written(cli: Cli, file: Path, store: Path) -> None:
    cli("check", str(file), "--fact", OLD, "--budget", "1600")
    assert not store.exists()


def test_without_facts_comes_the_survival_report(cli: Cli, file: Path) -> None:
    done = cli("check", str(file), "--budget", "1600")
    assert done.code == 0
    assert " are visible, " in done.out.decode()
    report = cli("check", str(file), "--budget", "1600", "--json").json
    assert OLD in [atom for part in report["survival"]["parts"] for atom in part["atoms"]]
    assert (report["facts"], report["survival"]["lost"]) == ([], 0)


def test_several_presets_are_compared(cli: Cli, file: Path) -> None:
    asked = ("check", str(file), "--fact", OLD, "--budget", "1600", "--preset", "default", "--preset", "none")
    first, second = cli(*asked, "--json").json
    assert [one["facts"][0]["standing"] for one in (first, second)] == ["recoverable", "visible"]
    assert first["after"] < first["before"] == second["after"]
    assert "recoverable  visible" in cli(*asked).out.decode()


def test_what_was_compacted_is_checked_against_its_original(cli: Cli, file: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.json"
    assert cli("compact", str(file), "--budget", "1600", "-o", str(small)).code == 0
    asked = ("check", str(small), "--against", str(file), "--fact", OLD, "--json")
    (one,) = cli(*asked).json["facts"]
    assert one["standing"] == "recoverable"
    assert OLD in cli("recall", one["handle"], "--lines", str(one["line"])).out.decode()


def test_what_another_tool_cut_is_lost(cli: Cli, file: Path, tmp_path: Path) -> None:
    body = json.loads(file.read_bytes())
    del body["messages"][1:3]
    cut = tmp_path / "cut.json"
    cut.write_text(json.dumps(body))
    done = cli("check", str(cut), "--against", str(file), "--fact", OLD)
    assert done.code == 1
    assert "lost" in done.out.decode()
    assert cli("check", str(cut), "--against", str(file)).code == 0
    assert cli("check", str(cut), "--against", str(file), "--strict").code == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--against", "request.json", "--budget", "9"), "--against compacts nothing"),
        (("--against", "gone.json"), "gone.json: there is no such file"),
        (("--facts", "gone.toml"), "gone.toml: "),
        (("--fact", "find:rulez"), "there is no such finder"),
        (("--fact", "re:("), "pattern"),
        (("--preset", "nix"), "preset 'nix'"),
    ],
)
def test_what_makes_no_sense_is_told(cli: Cli, file: Path, options: tuple[str, ...], told: str) -> None:
    done = cli("check", str(file), *options)
    assert (done.code, told in done.err) == (2, True), done.err


def test_a_budget_that_cannot_be_met(cli: Cli, file: Path) -> None:
    assert cli("check", str(file), "--fact", OLD, "--budget", "20").code == 3


def test_hostile_facts_do_not_reach_the_terminal(file: Path) -> None:
    code, shown = on_terminal("check", str(file), "--fact", "\x1b[2Jx", "--budget", "1600")
    assert code == 0
    assert "\x1b[2J" not in shown
    assert "not in the original" in shown
