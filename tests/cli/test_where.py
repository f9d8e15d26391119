from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Cli

from trimtab.testing import conversation


def small(cli: Cli, request_file: Path) -> Path:
    path = request_file.with_name("small.json")
    assert cli("compact", str(request_file), "--budget", "2000", "-o", str(path)).code == 0
    return path


def test_a_text_that_is_shown_and_one_that_was_cut(cli: Cli, request_file: Path) -> None:
    file = small(cli, request_file)
    done = cli("where", "part 7 line 3: ", str(file))
    assert done.code == 0
    assert "as given messages[16] part 0" in done.out.decode()
    (found,) = cli("where", "part 1 line 7: ", str(file), "--json").json
    assert (found["sight"], found["message"], found["line"]) == ("stored", 4, 8)
    assert found["at"] is not None
    text = cli("recall", found["handle"], "--lines", str(found["line"])).out.decode()
    assert text.startswith("part 1 line 7: ")
    assert f"trimtab recall {found['handle']}" in cli("where", "part 1 line 7: ", str(file)).out.decode()


def test_an_original_is_a_request_too(cli: Cli, request_file: Path) -> None:
    done = cli("where", "part 1 line 7: ", str(request_file), "--json")
    assert [one["sight"] for one in done.json] == ["as given"]


def test_a_text_that_is_nowhere(cli: Cli, request_file: Path) -> None:
    done = cli("where", "nowhere-1", str(request_file))
    assert (done.code, done.out) == (1, b"")
    assert "neither the request nor" in done.err
    assert cli("where", "nowhere-1", str(request_file), "--json").json == []


def test_of_a_session_the_last_call_and_the_time_of_each_message(cli: Cli, tmp_path: Path) -> None:
    whole = conversation(exchanges=3)
    log = tmp_path / "calls.jsonl"
    rows = [
        {"timestamp": 1_700_000_000 + n, "request": {**whole, "messages": whole["messages"][: 1 + 2 * n]}}
        for n in range(4)
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (found,) = cli("where", "part 1 line 7: ", str(log), "--call", "4", "--json").json
    assert (found["message"], found["at"]) == (4, 1_700_000_002)
    assert cli("where", "part 1 line 7: ", str(log), "--call", "2").code == 1
    assert cli("where", "part 1 line 7: ", str(log), "--call", "9").code == 2
