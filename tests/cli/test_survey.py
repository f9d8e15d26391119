"""`trimtab inspect` on folders, on several files, and on files of sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.sessions import agents, samples

import trimtab
from trimtab import sessions
from trimtab.composition import composition
from trimtab.sessions.base import Session
from trimtab.survey import look, summed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two sessions below each other, a request, a diary, and a cassette that is broken."""
    inner = tmp_path / "all" / "inner"
    inner.mkdir(parents=True)
    (inner / "b.jsonl").write_bytes(agents.jsonl(agents.codex()))
    (inner.parent / "a.jsonl").write_bytes(agents.jsonl(agents.claude_code()))
    (inner.parent / "c.json").write_text(json.dumps(samples.requests()[0]))
    (inner.parent / "diary").write_text("Dear diary,")
    (inner.parent / "broken.yaml").write_text("interactions:\n- request: [\n")
    return inner.parent


def session_file(path: Path, *lines: agents.Lines) -> tuple[Path, list[Session]]:
    path.write_bytes(agents.jsonl([line for one in lines for line in one]))
    return path, list(sessions.read(path))


def two_sessions(path: Path) -> tuple[Path, list[Session]]:
    """A log of two conversations of one and two calls."""
    first, second = samples.requests()
    other = {**first, "messages": [{"role": "user", "content": "Something else"}]}
    path.write_bytes(samples.json_lines([other, first, second]))
    return path, list(sessions.read(path))


def test_json_is_the_survey_of_all_files(cli: Cli, folder: Path) -> None:
    done = cli("inspect", str(folder), "--json")
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    assert done.code == 0
    assert done.json == json.loads(json.dumps(summed(map(look, files)).to_dict()))
    assert done.json["total"]["sessions"] == 3
    assert [Path(one["file"]).name for one in done.json["unsupported"]] == ["diary"]
    assert [Path(one["file"]).name for one in done.json["unreadable"]] == ["broken.yaml"]


def test_the_drawing_names_sessions_formats_tools_and_the_rest(cli: Cli, folder: Path) -> None:
    done = cli("inspect", str(folder))
    shown = done.out.decode()
    for words in ("3 sessions", "inner/b.jsonl", "claude-code", "codex", "requests", "exec_command", "█"):
        assert words in shown
    for words in ("diary", "it looks like text", "broken.yaml", "not valid YAML"):
        assert words in shown
    assert str(folder) not in shown
    assert done.err == ""


def test_sessions_stand_by_size(cli: Cli, folder: Path) -> None:
    shown = cli("inspect", str(folder)).out.decode()
    sizes = {one["file"]: one["tokens"] for one in cli("inspect", str(folder), "--json").json["sessions"]}
    places = [
        shown.index(str(Path(file).relative_to(folder))) for file in sorted(sizes, key=lambda one: -sizes[one])
    ]
    assert places == sorted(places)


def test_several_paths_are_looked_at_together_and_once(cli: Cli, folder: Path) -> None:
    paths = [str(folder / "inner"), str(folder / "a.jsonl"), str(folder / "inner" / "b.jsonl")]
    found = cli("inspect", *paths, "--json").json
    assert [one["name"] for one in found["formats"]] == ["codex", "claude-code"]
    assert found["total"]["files"] == 2


def test_a_folder_without_sessions_is_nothing_to_show(cli: Cli, folder: Path) -> None:
    (folder / "empty").mkdir()
    for arguments in ([str(folder / "empty")], [str(folder / "diary"), str(folder / "broken.yaml")]):
        done = cli("inspect", *arguments)
        assert done.code == 1
        assert "no session in" in done.err


def test_a_path_to_nothing_and_a_call_of_a_folder_are_refused(cli: Cli, folder: Path) -> None:
    assert "no such file" in cli("inspect", str(folder), "missing").err
    done = cli("inspect", str(folder), "--call", "1")
    assert (done.code, done.out) == (2, b"")


@pytest.mark.parametrize("name", ["\x1b]0;title\x07.jsonl", "[red]x[bold]", "\u202etool"])
def test_a_hostile_file_name_is_shown_not_obeyed(cli: Cli, folder: Path, name: str) -> None:
    try:
        (folder / name).write_bytes((folder / "a.jsonl").read_bytes())
    except OSError:
        pytest.skip("no such names here")
    shown = cli("inspect", str(folder)).out.decode()
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    if "[red]" in name:
        assert name in shown


def test_a_request_shows_what_it_is_made_of_whatever_reader_knows_it(cli: Cli, folder: Path) -> None:
    path = folder / "c.json"
    assert cli("inspect", str(path), "--json").json == json.loads(
        json.dumps(composition(path.read_bytes()).to_dict())
    )


def test_a_session_shows_its_last_request_and_its_calls(cli: Cli, tmp_path: Path) -> None:
    path, (session,) = session_file(tmp_path / "x", agents.claude_code())
    found = cli("inspect", str(path), "--json").json
    last = composition(session.request(session.calls[-1]))
    assert found["composition"] == json.loads(json.dumps(last.to_dict()))
    assert [one["stop"] for one in found["calls"]] == [call.stop for call in session.calls]
    assert found["calls"][-1]["tokens"] == last.tokens
    assert len(found["sessions"]) == 1
    shown = cli("inspect", str(path)).out.decode()
    assert f"The request of call {len(session.calls)}" in shown
    assert f"{last.tokens:,} tokens" in shown


def test_damage_is_shown_with_its_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "x"
    lines = agents.jsonl(agents.claude_code()).splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b'{"half\n', *lines[3:]]))
    assert "line 4: not valid JSON" in cli("inspect", str(path)).out.decode()
    assert [one["line"] for one in cli("inspect", str(path), "--json").json["damage"]] == [4]


def test_a_session_without_calls_is_nothing_to_show_a_request_of(cli: Cli, tmp_path: Path) -> None:
    path, _ = session_file(tmp_path / "x", agents.claude_code()[:2])
    done = cli("inspect", str(path), "--json")
    assert (done.code, done.json["composition"], done.json["calls"]) == (1, None, [])
    assert cli("inspect", str(path)).code == 1


def test_call_takes_a_request_through_all_sessions_of_a_file(cli: Cli, tmp_path: Path) -> None:
    path, found = two_sessions(tmp_path / "x")
    requests = [session.request(call) for session in found for call in session.calls]
    assert len(found) == 2
    assert len(requests) == 3
    for number, request in enumerate(requests, 1):
        done = cli("compact", str(path), "--call", str(number), "--store", "memory:")
        assert json.loads(done.out) == request
        assert cli("inspect", str(path), "--call", str(number), "--json").json["messages"] == len(
            request["messages"]
        )


def test_what_call_takes_is_compacted_undone_explained_and_checked(cli: Cli, tmp_path: Path) -> None:
    path, (session,) = session_file(tmp_path / "x", agents.codex())
    taken = ("--call", str(len(session.calls)))
    assert cli("validate", str(path), *taken).code == 0
    smaller = cli("compact", str(path), *taken, "--force").out
    assert json.loads(cli("undo", "-", stdin=smaller).out) == session.request(session.calls[-1])
    assert cli("explain", str(path), *taken).code == 0


def test_a_call_that_is_not_there_is_told_with_those_that_are(cli: Cli, tmp_path: Path) -> None:
    path, (session,) = session_file(tmp_path / "x", agents.codex())
    done = cli("validate", str(path), "--call", "99")
    assert (done.code, done.out) == (2, b"")
    assert f"its calls are 1 to {len(session.calls)}" in done.err
    assert cli("compact", "--example", "--call", "1").code == 2
    assert "no session that trimtab reads" in cli("validate", "-", "--call", "1", stdin=b"{}").err


@pytest.mark.parametrize("command", ["compact", "validate", "explain", "undo"])
def test_a_session_is_no_request_and_the_message_says_what_to_do(cli: Cli, tmp_path: Path, command: str) -> None:
    path, _ = session_file(tmp_path / "x", agents.claude_code())
    done = cli(command, str(path))
    assert (done.code, done.out) == (2, b"")
    assert "it is a session (claude-code)" in done.err
    assert "--call N" in done.err


def test_what_is_known_but_not_read_is_named(cli: Cli) -> None:
    tree = {"metadata": {}, "nodes": [{"node_id": 0, "completions": {}}]}
    assert "moatless" in cli("inspect", "-", stdin=json.dumps(tree).encode()).err


def test_files_are_counted_on_a_terminal_while_they_are_read(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trimtab.cli.screen.PATIENCE", 0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    seen = cli("inspect", str(folder)).err
    assert "reading sessions" in seen
    assert "5/5" in seen
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.delenv("FORCE_COLOR")
    assert cli("inspect", str(folder)).err == ""


def test_requests_that_were_taken_are_valid(cli: Cli, tmp_path: Path) -> None:
    path, (session,) = session_file(tmp_path / "x", agents.gemini_cli())
    taken = cli("compact", str(path), "--call", str(len(session.calls)), "--store", "none").out
    assert trimtab.validate(taken) == []
