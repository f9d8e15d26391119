from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Cli

from trimtab.testing import conversation, lines


def test_an_empty_store_has_no_log_and_is_not_made(cli: Cli, store: Path) -> None:
    done = cli("log")
    assert (done.code, done.out) == (1, b"")
    assert "nothing was compacted" in done.err
    assert not store.exists()


def test_log_tells_when_what_and_why(cli: Cli, request_file: Path) -> None:
    cli("compact", str(request_file), "--budget", "3000")
    entries = cli("log", "--json").json
    assert entries
    assert all(entry["after"] < entry["before"] and entry["edits"] for entry in entries)
    shown = cli("log").out.decode()
    assert "fit_budget ×" in shown
    assert "over the budget of 3,000" in shown


def test_log_is_newest_first_and_as_long_as_asked(cli: Cli, request_file: Path) -> None:
    cli("compact", str(request_file), "--budget", "3000")
    times = [entry["at"] for entry in cli("log", "--json", "-n", "50").json]
    assert len(times) > 1
    assert times == sorted(times, reverse=True)
    assert len(cli("log", "--json", "--count", "1").json) == 1
    assert cli("log", "-n", "0").code == 2


def test_explain_goes_call_by_call(cli: Cli, request_file: Path) -> None:
    smaller = cli("compact", str(request_file), "--budget", "3000").out
    steps = cli("explain", str(request_file), "--json").json
    assert [step["messages"] for step in steps] == [1, 3, 5, 7, 9, 11, 13, 15, 17]
    edits = [edit for step in steps for edit in step["edits"]]
    assert {edit["handle"] for edit in edits} >= {
        f"t:{one[:16].decode()}" for one in smaller.split(b"recall t:")[1:]
    }
    assert all("part_" in edit["what"] for edit in edits)
    shown = cli("explain", "-", stdin=smaller).out.decode()
    assert "decision 9" in shown
    assert "src/part_0.py" in shown


def test_explain_without_decisions(cli: Cli, request_file: Path) -> None:
    done = cli("explain", str(request_file))
    assert (done.code, done.out) == (1, b"")
    cli("compact", str(request_file), "--force", "--namespace", "a")
    assert cli("explain", str(request_file)).code == 1
    assert cli("explain", str(request_file), "--namespace", "a").code == 0


def test_a_namespace_given_here_holds_over_the_environment(
    cli: Cli, request_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("compact", str(request_file), "--budget", "3000", "--namespace", "a", "-o", "-")
    monkeypatch.setenv("TRIMTAB_NAMESPACE", "b")
    assert cli("explain", str(request_file), "--namespace", "a").code == 0
    assert cli("explain", str(request_file)).code == 1


def test_explain_tells_of_each_call_what_was_weighed(cli: Cli, tmp_path: Path) -> None:
    """Rent and price call by call, of folds that were made and of those that were only considered."""
    request = conversation("anthropic", exchanges=12)
    for number, message in enumerate(request["messages"][2::2]):
        message["content"][0]["content"] = lines(5_000, f"part {number}")
    path = tmp_path / "long.json"
    path.write_text(json.dumps({**request, "cache_control": {"type": "ephemeral"}}))
    cli("compact", str(path))
    steps = cli("explain", str(path), "--json").json
    weighed = [step["weighed"] for step in steps if step["weighed"]]
    assert {one["done"] for one in weighed} == {True, False}
    assert all(one["rent"] > one["price"] for one in weighed if one["done"])
    shown = cli("explain", str(path)).out.decode()
    one = next(one for one in weighed if not one["done"])
    assert f"rent {one['rent']:,.0f}, price {one['price']:,.0f}: not folded" in shown
    assert ": folded" in shown
