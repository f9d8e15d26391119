from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace
from tests.sessions import agents, samples
from tests.sessions.test_recorded_agents import NAMED

from trimtab import sessions
from trimtab.composition import composition
from trimtab.sessions.base import Call, Damage, Session, Usage
from trimtab.survey import HEAD, Figures, File, calls, figures, look, summed

FOLDER = os.environ.get("TRIMTAB_CORPUS")
FILES = {
    "a.jsonl": agents.jsonl(agents.claude_code()),
    "b.jsonl": agents.jsonl(agents.codex()),
    "c.json": json.dumps(samples.swe_agent(tools=True)).encode(),
    "d.json": json.dumps(samples.tau_bench() * 2).encode(),
    "e.json": json.dumps(samples.openhands_log()).encode(),
    "f.jsonl": samples.json_lines(samples.requests()),
    "g.json": json.dumps(samples.cassette()).encode(),
}


def kept(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def chat(messages: int, *, calls: tuple[Call, ...] = (), damage: int = 0) -> Session:
    said = tuple({"role": "assistant" if n % 2 else "user", "content": f"word {n}"} for n in range(messages))
    told = tuple(Damage(n + 1, "broken") for n in range(damage))
    return Session(format="x", name="s", wire="openai_chat", messages=said, calls=calls, damage=told)


@pytest.mark.parametrize("name", FILES)
def test_the_figures_of_a_session_are_those_of_its_requests(name: str, tmp_path: Path) -> None:
    path = kept(tmp_path, name, FILES[name])
    read = list(sessions.read(path))
    found = look(path)
    assert (found.path, found.format, found.failed, found.looks) == (str(path), read[0].format, "", "")
    assert len(found.sessions) == len(read)
    for session, one in zip(read, found.sessions, strict=True):
        whole = composition(session.request(Call(start=0, stop=len(session.messages))))
        assert (one.tokens, one.tools, one.messages) == (whole.tokens, whole.tools, whole.messages)
        assert one.last == composition(session.request(session.calls[-1])).tokens
        assert one.calls == len(session.calls) > 0


def test_each_call_has_the_size_of_its_request_and_a_number() -> None:
    first, second = Call(start=0, stop=1, at=5.0, model="m"), Call(start=2, stop=5, usage=Usage(input=9))
    session = chat(6, calls=(first, second))
    found = calls(session, 8)
    assert [one.number for one in found] == [8, 9]
    for call, one in zip(session.calls, found, strict=True):
        assert one.tokens == composition(session.request(call)).tokens
        assert (one.start, one.stop, one.at, one.model) == (call.start, call.stop, call.at, call.model)
        assert one.usage == call.usage


def test_usage_is_added_up_over_the_calls_that_have_it() -> None:
    used = Usage(input=10, read=7, written=2, output=1)
    session = chat(6, calls=(Call(start=0, stop=1, usage=used), Call(start=0, stop=3), Call(start=0, stop=5)))
    found = figures(session)
    assert (found.reporting, found.reported, found.calls) == (1, used, 3)
    again = figures(replace(session, calls=session.calls * 2))
    assert (again.reporting, again.reported) == (2, Usage(input=20, read=14, written=4, output=2))


def test_a_session_of_nothing_is_counted_as_nothing() -> None:
    found = figures(chat(0, damage=2))
    assert (found.tokens, found.last, found.calls, found.damage, found.tools) == (0, 0, 0, 2, ())


@pytest.mark.parametrize("data", [b"", b"Dear diary,", b"{}", b"\0" * (2 * HEAD), b"PK\x03\x04" + b"\0" * HEAD])
def test_what_is_no_session_is_named(data: bytes, tmp_path: Path) -> None:
    found = look(kept(tmp_path, "x", data))
    assert (found.format, found.failed, found.sessions) == ("", "", ())
    assert found.looks.startswith("it ")


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    assert look(tmp_path / "missing").failed == "No such file or directory"
    pipe = tmp_path / "pipe"
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        assert look(pipe).failed == "neither a file nor a folder"
    broken = look(kept(tmp_path, "x.json", b'{"system":"s","messages":[{"role":"user","content":"a"},7]}'))
    assert broken.format == "requests"
    assert "no request could be read" in broken.failed


def test_zeros_in_a_session_do_not_end_it(tmp_path: Path) -> None:
    """A crash may leave a run of zeros where lines should be."""
    lines = FILES["a.jsonl"].splitlines(keepends=True)
    padded = b"".join([*lines[:4], b"\0" * 100 + b"\n", b" " * HEAD + b"\n", *lines[4:]])
    found = look(kept(tmp_path, "x", padded))
    assert found.sessions[0].damage == 1
    assert found.sessions[0].messages == look(kept(tmp_path, "y", FILES["a.jsonl"])).sessions[0].messages


def test_formats_tools_and_the_total_add_up(tmp_path: Path) -> None:
    looked = [look(kept(tmp_path, name, data)) for name, data in FILES.items()]
    others = [File(path="x", looks="it is x"), File(path="y", failed="broken"), File(path="z", format="pi")]
    found = summed([*looked, *others])
    assert (found.unsupported, found.unreadable) == ((others[0],), (others[1],))
    assert found.total.files == len(FILES) + 1
    assert {one.name for one in found.formats} == {file.format for file in [*looked, others[2]]}
    for name in ("files", "sessions", "messages", "calls", "compactions", "tokens", "reporting", "damage"):
        assert sum(getattr(one, name) for one in found.formats) == getattr(found.total, name)
    assert sum(one.reported.input for one in found.formats) == found.total.reported.input > 0
    assert found.total.tokens == sum(one.tokens for one in found.sessions)
    sizes = [one.tokens for one in found.sessions]
    assert sizes == sorted(sizes, reverse=True)
    bash = next(one for one in found.tools if one.name == "bash")
    shares = [tool for one in found.sessions for tool in one.tools if tool.name == "bash"]
    assert len(shares) > 2
    assert bash.tokens == sum(one.tokens for one in shares)
    assert bash.calls == sum(one.calls for one in shares)
    assert bash.tokens == bash.arguments + bash.results


def test_json_is_plain(tmp_path: Path) -> None:
    looked = [look(kept(tmp_path, "a.jsonl", FILES["a.jsonl"])), File(path="x", looks="it is x")]
    found = json.loads(json.dumps(summed([*looked, File(path="y", failed="broken")]).to_dict()))
    assert found["unsupported"] == [{"file": "x", "looks": "it is x"}]
    assert found["unreadable"] == [{"file": "y", "reason": "broken"}]
    assert set(found["sessions"][0]) == set(Figures.__struct_fields__)


@given(st.lists(st.sampled_from(sorted(FILES)), min_size=1, max_size=4), st.integers(1, 30))
def test_any_mixture_of_formats_is_looked_at(names: list[str], cut: int) -> None:
    data = b"\n".join(FILES[name] for name in names)
    path = Path(os.environ["HOME"]) / "mixture"
    found = look(kept(path.parent, path.name, data[:-cut]))
    assert found.format or found.looks


@pytest.mark.corpus
def test_every_recorded_file_is_recognised_read_and_counted_or_named() -> None:
    folder = Path(FOLDER or "")
    with (folder / "index.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    others = {row["file"] for row in rows if row["format"] in NAMED}
    for row in rows:
        found = look(folder / row["file"])
        assert found.failed == ""
        if row["file"] in others:
            assert (found.looks != "", found.sessions) == (True, ())
        else:
            assert all(one.tokens >= one.last > 0 and one.damage == 0 for one in found.sessions)
            assert found.sessions
