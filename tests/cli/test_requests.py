from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Cli
from tests.cli.running import process


def test_undo_restores_every_byte(request_file: Path) -> None:
    smaller = process("compact", str(request_file), "--budget", "3000").stdout
    assert len(smaller) < request_file.stat().st_size
    done = process("undo", "-", stdin=smaller)
    assert (done.returncode, done.stdout, done.stderr) == (0, request_file.read_bytes(), b"")


def test_undo_to_a_file(cli: Cli, request_file: Path, tmp_path: Path) -> None:
    smaller = cli("compact", str(request_file), "--force").out
    done = cli("undo", "-", "--output", "back.json", stdin=smaller)
    assert (done.code, done.out) == (0, b"")
    assert (tmp_path / "back.json").read_bytes() == request_file.read_bytes()


def test_undo_leaves_alone_what_another_store_cut(cli: Cli, request_file: Path) -> None:
    smaller = cli("compact", str(request_file), "--force").out
    assert cli("undo", "-", "--store", "other.db", stdin=smaller).out == smaller
    assert not Path("other.db").exists()


def test_a_valid_request(cli: Cli, request_file: Path) -> None:
    done = cli("validate", str(request_file))
    assert done.code == 0
    assert request_file.name in done.out.decode()
    assert cli("validate", str(request_file), "--json").json == []


def test_findings_name_rule_place_and_mend(cli: Cli, request_file: Path) -> None:
    body = json.loads(request_file.read_text())
    del body["messages"][2]
    broken = json.dumps(body).encode()
    done = cli("validate", "-", "--json", stdin=broken)
    assert done.code == 1
    assert {"rule", "place", "text", "mend"} == set(done.json[0])
    shown = cli("validate", "-", stdin=broken)
    assert shown.code == 1
    for finding in done.json:
        for word in finding.values():
            assert word in shown.out.decode()
