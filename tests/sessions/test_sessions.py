"""Reading files of any kind: what is recognised, what is named, what is told of the rest."""

from __future__ import annotations

import contextlib
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.sessions import agents, samples

from trimtab import sessions
from trimtab.errors import WireError

WRITTEN = {
    "claude-code": agents.jsonl(agents.claude_code()),
    "codex": agents.jsonl(agents.codex()),
    "pi": agents.jsonl(agents.pi()),
    "copilot-cli": agents.jsonl(agents.copilot_cli()),
    "gemini-cli": agents.jsonl(agents.gemini_cli()),
    "mini-swe-agent": json.dumps(samples.mini_swe_agent()).encode(),
    "swe-agent": json.dumps(samples.swe_agent()).encode(),
    "tau-bench": json.dumps(samples.tau_bench()).encode(),
    "tau2-bench": json.dumps(samples.tau2_bench()).encode(),
}
INTERCODE = {"0": {"environment": "bash", "query": "q", "turn_history": {"actions": ["ls"]}}}
INSPECT = {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": [{"messages": []}]}
MOATLESS = {"metadata": {}, "max_iterations": 9, "nodes": [{"node_id": 0, "completions": {}}]}
OTHERS = [
    (b"", "it is empty"),
    (b" \n", "it is empty"),
    (json.dumps(INTERCODE).encode(), "InterCode"),
    (json.dumps(INSPECT, indent=1).encode(), "an inspect log"),
    (json.dumps(MOATLESS).encode(), "a moatless search tree"),
    (b"PK\x03\x04 ... header.json", "an inspect log of type .eval"),
    (b"SQLite format 3\0...", "SQLite"),
    (gzip.compress(b"{}", mtime=0), "gzip"),
    ('{"a":1}'.encode("utf-16"), "UTF-16"),
    (b'{"colour": "red", "size": 3}', "a JSON object with 'colour', 'size'"),
    (b"{}", "no keys"),
    (b'[{"colour": "red"}]', "array of 1, the first an object with 'colour'"),
    (b"[7]", "of type number"),
    (b'"words"', "JSON, string"),
    (b'{"colour": "red"}\n{"colour": "blue"}\n', "JSON Lines of objects with 'colour'"),
    (b'{"colour": "re', "damaged JSON (not valid JSON near byte 14"),
    (b"Dear diary,", "text"),
    (b"\0\1\2", "binary data"),
]


@pytest.mark.parametrize("name", WRITTEN)
def test_every_format_is_told_by_its_content_alone(name: str, tmp_path: Path) -> None:
    file = tmp_path / "a file.bin"
    file.write_bytes(WRITTEN[name])
    assert sessions.sniff(WRITTEN[name]).name == name
    assert {session.format for session in sessions.read(file)} == {name}
    assert all(session.calls for session in sessions.read(str(file)))


@pytest.mark.parametrize(("data", "what"), OTHERS)
def test_other_files_are_named_as_what_they_look_like(data: bytes, what: str) -> None:
    with pytest.raises(WireError) as caught:
        sessions.sniff(data)
    assert what in str(caught.value)
    assert "It reads: claude-code, codex, pi" in str(caught.value)


@given(st.binary() | st.text().map(str.encode) | agents.JUNK.map(lambda value: json.dumps(value).encode()))
def test_no_file_crashes_the_search_for_its_reader(data: bytes) -> None:
    with contextlib.suppress(WireError):
        assert sessions.sniff(data) in sessions.READERS


def test_names_of_readers_differ() -> None:
    names = [reader.name for reader in sessions.READERS]
    assert len(set(names)) == len(names)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path, "a\0b"):
        with pytest.raises(WireError):
            list(sessions.read(path))


def test_an_error_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "diary"
    file.write_text("Dear diary,")
    with pytest.raises(WireError, match="diary: this is no session"):
        list(sessions.read(file))
