"""`trimtab handoff`: the note on standard output, in a file, as JSON, of a request and of a session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.cli.conftest import Cli
from tests.sessions.samples import mini_swe_agent

from trimtab.stubs import HANDLE
from trimtab.testing import note_of


def test_the_note_of_a_request_and_its_handles(cli: Cli, request_file: Path) -> None:
    done = cli("handoff", str(request_file), "--tokens", "900")
    assert done.code == 0
    note = done.out.decode()
    assert "## The task, word for word\n\nFind the error and mend it.\n" in note
    assert note.count("read({") == 8
    assert "- src/part_3.py: read t:" in note
    assert "8 calls, 8 files" in done.err
    for handle in HANDLE.findall(note):
        assert cli("recall", handle).code == 0


def test_the_same_request_gives_the_same_note(cli: Cli, request_file: Path) -> None:
    assert cli("handoff", str(request_file)).out == cli("handoff", str(request_file)).out


def test_json_and_output(cli: Cli, request_file: Path, tmp_path: Path) -> None:
    told = cli("handoff", str(request_file), "--json").json
    assert told["task"] == "Find the error and mend it."
    assert len(told["calls"]) == len(told["files"]) == 8
    assert told["waiting"] == []
    done = cli("handoff", str(request_file), "--output", str(tmp_path / "note.md"))
    assert done.out == b""
    assert (tmp_path / "note.md").read_text(encoding="utf-8").startswith("Handoff note, made by trimtab")


def test_of_a_session_the_last_call_counts(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    file.write_text(json.dumps(mini_swe_agent()))
    last, first = cli("handoff", str(file), "--json").json, cli("handoff", str(file), "--call", "1", "--json").json
    assert [one["tool"] for one in last["calls"]] == ["bash"]
    assert first["calls"] == []
    assert first["task"] == last["task"] == "How many?"


@pytest.mark.parametrize("data", [b"", b"{}", b'{"messages": 3}', b"no json"])
def test_bad_input_is_told(cli: Cli, data: bytes) -> None:
    done = cli("handoff", "-", stdin=data)
    assert done.code == 2
    assert done.err.startswith("trimtab: standard input: ")


def test_nothing_to_hand_on(cli: Cli) -> None:
    done = cli(
        "handoff", "-", stdin=b'{"model": "gpt-4o", "messages": [{"role": "system", "content": "Be brief."}]}'
    )
    assert done.code == 1
    assert "nothing to hand on" in done.err


class Server(BaseHTTPRequestHandler):
    """An OpenAI-compatible server that always says the same."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        said = note_of("part 3 line 4 is there.", "src/part_3.py has 8642 lines.")
        body = json.dumps({"choices": [{"message": {"content": said}, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as made:
        Thread(target=made.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{made.server_port}/v1"
        made.shutdown()


def test_a_model_adds_its_part_and_what_is_wrong_with_it_is_told(
    cli: Cli, request_file: Path, server: str
) -> None:
    done = cli("handoff", str(request_file), "--writer", "small", "--base-url", server)
    assert done.code == 0
    assert "## Facts found\n\n- part 3 line 4 is there.\n" in done.out.decode()
    assert "8642" not in done.out.decode()
    assert "note-struck" in done.err
    assert "'8642' is not in the source" in done.err


def test_a_server_that_is_not_there_is_told_and_the_note_is_written(cli: Cli, request_file: Path) -> None:
    done = cli("handoff", str(request_file), "--writer", "small", "--base-url", "http://127.0.0.1:9/v1")
    assert done.code == 0
    assert "no model had a part in it" in done.out.decode()
    assert "the writer failed" in done.err


def test_a_writer_needs_an_address(cli: Cli, request_file: Path) -> None:
    assert cli("handoff", str(request_file), "--writer", "small").code == 2


def test_a_request_that_begins_with_the_note(cli: Cli, request_file: Path) -> None:
    done = cli("handoff", str(request_file), "--resume-as", "openai")
    fresh = json.loads(done.out)
    assert "Handoff note" in json.dumps(fresh["messages"][-1])
    assert cli("validate", "-", stdin=done.out).code == 0
    assert cli("handoff", str(request_file), "--resume-as", "telex").code == 2


def test_a_note_is_checked_against_its_session(cli: Cli, request_file: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("src/part_3.py was read.\nsrc/part_3.py has 8642 lines.\n")
    done = cli("check", str(request_file), "--note", str(note), "--fact", "part 3 line 4", "--json")
    assert done.code == 1
    assert done.json["items"] == 2
    assert [one["sentence"] for one in done.json["faults"]] == ["src/part_3.py has 8642 lines."]
    assert done.json["missing"] == ["part 3 line 4"]
    note.write_text("src/part_3.py was read.\n")
    assert cli("check", str(request_file), "--note", str(note)).code == 0
    assert cli("check", str(request_file), "--note", str(note), "--budget", "9").code == 2
