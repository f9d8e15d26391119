"""Files of agents with bytes changed: no crash, no hang, no damage in silence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.sessions import agents

from trimtab.errors import WireError
from trimtab.sessions.base import Reader, Session
from trimtab.sessions.claude_code import CLAUDE_CODE
from trimtab.sessions.codex import CODEX
from trimtab.sessions.copilot_cli import COPILOT_CLI
from trimtab.sessions.gemini_cli import GEMINI_CLI
from trimtab.sessions.pi import PI

WRITTEN: tuple[tuple[Reader, agents.Lines], ...] = (
    (CLAUDE_CODE, agents.claude_code()),
    (CODEX, agents.codex()),
    (PI, agents.pi()),
    (COPILOT_CLI, agents.copilot_cli()),
    (GEMINI_CLI, agents.gemini_cli()),
)
by_agent = pytest.mark.parametrize(("reader", "lines"), WRITTEN, ids=lambda value: getattr(value, "name", ""))


def read(reader: Reader, data: bytes) -> list[Session]:
    """The sessions, each as it must be whatever was read; none when the reader refuses."""
    try:
        found = list(reader.read(data))
    except WireError:
        return []
    for session in found:
        for call in session.calls:
            assert call.start in (0, *session.compactions)
            assert call.start < call.stop <= len(session.messages)
        assert list(session.compactions) == sorted(session.compactions)
        assert session.request(session.calls[-1]) if session.calls else True
    return found


@by_agent
@given(data=st.data())
def test_changed_bytes_end_in_sessions_or_an_error(
    reader: Reader, lines: agents.Lines, data: st.DataObject
) -> None:
    file = bytearray(agents.jsonl(lines))
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(file)))
        file[start : start + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=12))
    reader.sniff(bytes(file))
    read(reader, bytes(file))


@by_agent
@given(data=st.data())
def test_changed_values_end_in_sessions_or_an_error(
    reader: Reader, lines: agents.Lines, data: st.DataObject
) -> None:
    """Valid JSON whose values are not what the format says."""
    file = json.loads(json.dumps(lines))
    for _ in range(data.draw(st.integers(1, 3))):
        held: Any = file
        while isinstance(held, dict | list) and held:
            key = data.draw(st.sampled_from(list(held) if isinstance(held, dict) else range(len(held))))
            inner = held[key]
            if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
                held[key] = data.draw(agents.JUNK)
                break
            held = inner
    read(reader, agents.jsonl(file))


@by_agent
@given(data=st.data())
def test_lines_in_any_order_end_in_sessions(reader: Reader, lines: agents.Lines, data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(lines), max_size=2 * len(lines)))
    assert read(reader, agents.jsonl(kept))


@by_agent
@given(data=st.data())
def test_a_damaged_line_is_told_with_its_number_and_the_rest_is_read(
    reader: Reader, lines: agents.Lines, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(lines) - 1))
    file = agents.jsonl(lines).splitlines(keepends=True)
    file[number] = file[number][: len(file[number]) // 2] + b"\n"
    main = read(reader, b"".join(file))[0]
    assert number + 1 in [one.line for one in main.damage]
    assert len(main.messages) >= len(next(reader.read(agents.jsonl(lines))).messages) - 3


@by_agent
@given(data=st.data())
def test_a_file_cut_off_anywhere_is_read_without_complaint(
    reader: Reader, lines: agents.Lines, data: st.DataObject
) -> None:
    file = agents.jsonl(lines)
    cut = file[: data.draw(st.integers(0, len(file)))]
    assert [session.damage for session in read(reader, cut)] == [()]
