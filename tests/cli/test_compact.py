from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.running import on_terminal, process

import trimtab
from trimtab import example


def test_the_smaller_request_goes_to_output_and_the_report_to_error(cli: Cli, request_file: Path) -> None:
    done = cli("compact", str(request_file), "--budget", "3000")
    assert done.code == 0
    assert len(done.out) < request_file.stat().st_size
    assert trimtab.validate(done.out) == []
    assert "trimtab applied" in done.err
    assert "recall t:" in done.out.decode()


def test_without_a_reason_the_very_bytes_go_out(cli: Cli, request_file: Path) -> None:
    assert cli("compact", str(request_file)).out == request_file.read_bytes()


def test_a_header_that_the_request_needs_is_told(cli: Cli, tmp_path: Path) -> None:
    request = json.loads(example.session("anthropic"))
    (tmp_path / "request.json").write_text(
        json.dumps({**request, "tools": [{"name": "read", "input_schema": {}}]})
    )
    done = cli("compact", str(tmp_path / "request.json"), "--preset", "native")
    assert b"context_management" in done.out
    assert "anthropic-beta: context-management-2025-06-27" in done.err


def test_standard_input_as_a_process(request_file: Path) -> None:
    done = process("compact", "-", "--budget", "3000", stdin=request_file.read_bytes())
    assert done.returncode == 0
    assert b"recall t:" in done.stdout
    assert b"trimtab applied" in done.stderr


def test_dry_run_writes_and_stores_nothing(cli: Cli, request_file: Path, store: Path) -> None:
    done = cli("compact", str(request_file), "--force", "--dry-run")
    assert done.code == 0
    assert done.out == b""
    assert "trimtab applied" in done.err
    assert not store.exists()


def test_output_is_a_file_that_keeps_its_mode(cli: Cli, request_file: Path) -> None:
    request_file.chmod(0o640)
    before = request_file.read_bytes()
    done = cli("compact", str(request_file), "--force", "-o", str(request_file))
    assert done.out == b""
    assert len(request_file.read_bytes()) < len(before)
    assert stat.S_IMODE(request_file.stat().st_mode) == 0o640
    assert cli("undo", str(request_file)).out == before


def test_a_failed_output_leaves_the_old_file_and_no_other(cli: Cli, request_file: Path, tmp_path: Path) -> None:
    done = cli("compact", str(request_file), "--force", "-o", str(tmp_path / "none" / "x.json"))
    assert done.code == 2
    assert "cannot be written" in done.err
    assert done.out == b""


@pytest.mark.parametrize(("where", "stream"), [(["--dry-run"], "out"), (["-o", "x.json"], "out"), ([], "err")])
def test_json_report_never_mixes_with_the_request(
    cli: Cli, request_file: Path, where: list[str], stream: str
) -> None:
    done = cli("compact", str(request_file), "--force", "--json", *where)
    report = json.loads(getattr(done, stream))
    assert report["outcome"] == "applied"
    assert report["saved"] == sum(edit["saved"] for edit in report["edits"])
    if stream == "err":
        assert trimtab.validate(done.out) == []


def test_facts_stay_visible_and_pins_stay_whole(cli: Cli, request_file: Path) -> None:
    fact, pin = "part 0 line 7: value 198 is set", "part 1 line 3"
    plain = cli("compact", str(request_file), "--force", "--store", "memory:").out.decode()
    assert fact not in plain
    assert pin not in plain
    done = cli("compact", str(request_file), "--force", "--facts", fact, "--pins", pin)
    assert fact in done.out.decode()
    assert "part 1 line 40" in done.out.decode()


def test_target_says_how_far_down(cli: Cli, request_file: Path) -> None:
    wide, narrow = (
        cli("compact", str(request_file), "--budget", "4000", "--target", target, "--store", "memory:").out
        for target in ("4000", "1500")
    )
    assert len(narrow) < len(wide) < request_file.stat().st_size


def test_preset_none_passes_through(cli: Cli, request_file: Path) -> None:
    done = cli("compact", str(request_file), "--budget", "100", "--preset", "none")
    assert done.out == request_file.read_bytes()


def test_model_chooses_the_window(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps([{"role": "system", "content": "x"}, {"role": "user", "content": "hello"}]))
    report = cli("compact", str(path), "--model", "gpt-4o", "--dry-run", "--json").json
    assert (report["model"], report["window"]) == ("gpt-4o", 128_000)


def test_a_budget_that_cannot_be_met_lists_what_is_fixed(cli: Cli, request_file: Path) -> None:
    done = cli("compact", str(request_file), "--budget", "10")
    assert done.code == 3
    assert done.out == b""
    assert done.err.startswith("trimtab: budget of 10 tokens cannot be met")
    assert "as small as it gets" in done.err


def test_diff_shows_both_sides(cli: Cli, request_file: Path) -> None:
    done = cli("compact", str(request_file), "--force", "--dry-run", "--diff")
    shown = done.out.decode()
    assert "messages[2]" in shown
    row = next(line for line in shown.splitlines() if "part 0 line 0" in line)
    assert row.index("part 0 line 0") < row.index("[trimtab:")


@pytest.mark.parametrize("wire", example.WIRES)
def test_example_says_its_budget_and_holds_it(cli: Cli, wire: str) -> None:
    done = cli("compact", "--example", wire)
    assert done.code == 0
    assert "no --budget given" in done.err
    assert len(done.out) < 0.6 * len(example.session(wire))
    again = cli("compact", "--example", wire)
    assert again.out == done.out


def test_example_in_an_unknown_wire(cli: Cli) -> None:
    done = cli("compact", "--example", "morse")
    assert done.code == 2
    assert "anthropic, openai_chat" in done.err


def test_neither_file_nor_example(cli: Cli) -> None:
    done = cli("compact")
    assert done.code == 2
    assert "--example" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_a_drawing_and_no_request() -> None:
    code, seen = on_terminal("compact", "--example")
    assert code == 0
    assert "█" in seen
    assert "Cut now" in seen
    assert '"messages"' not in seen
    assert "--output FILE" in seen
    _, again = on_terminal("compact", "--example")
    assert "Cut earlier, still in force" in again
    assert "src/billing/rounding.py" in again
