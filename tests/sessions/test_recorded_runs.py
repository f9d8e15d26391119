"""The recorded sessions of agents, benchmarks and raw API calls: they are read in full, and can be compacted."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.sessions.reading import findings

import trimtab
from trimtab.sessions.atif import ATIF
from trimtab.sessions.base import Reader, Session
from trimtab.sessions.cassettes import CASSETTES
from trimtab.sessions.mini_swe_agent import MINI_SWE_AGENT
from trimtab.sessions.openhands import OPENHANDS_EVENTS, OPENHANDS_LOG
from trimtab.sessions.requests import REQUESTS
from trimtab.sessions.swe_agent import SWE_AGENT
from trimtab.sessions.tau import TAU2_BENCH, TAU_BENCH
from trimtab.wires import by_name

FOLDER = os.environ.get("TRIMTAB_CORPUS")
READERS: tuple[Reader, ...] = (
    ATIF,
    MINI_SWE_AGENT,
    SWE_AGENT,
    TAU_BENCH,
    TAU2_BENCH,
    OPENHANDS_EVENTS,
    OPENHANDS_LOG,
    CASSETTES,
    REQUESTS,
)
FORMATS: dict[str, Reader] = {
    "mini-swe-agent-traj": MINI_SWE_AGENT,
    "swe-agent-traj": SWE_AGENT,
    "tau-results(openai-chat)": TAU_BENCH,
    "tau2-results": TAU2_BENCH,
    "openhands-events": OPENHANDS_EVENTS,
    "openai-chat(litellm log)": OPENHANDS_LOG,
    "openai-chat(request log)": REQUESTS,
}
pytestmark = pytest.mark.corpus


def rows() -> Iterator[dict[str, str]]:
    if FOLDER:
        with (Path(FOLDER) / "index.csv").open(newline="") as file:
            yield from csv.DictReader(file)


def reader_of(row: dict[str, str]) -> Reader | None:
    return CASSETTES if row["format"].startswith("vcr-yaml") else FORMATS.get(row["format"])


OURS = [(row, reader) for row in rows() if (reader := reader_of(row))]
OTHERS = [row for row in rows() if not reader_of(row)]


def data(row: dict[str, str]) -> bytes:
    return (Path(FOLDER or "") / row["file"]).read_bytes()


def name(value: Any) -> str | None:
    return str(value["file"])[-60:] if isinstance(value, dict) else None


def tool_calls(session: Session) -> int:
    kind = by_name(session.wire)
    parts = [part for source in session.messages for part in kind.message(source).parts]
    return sum(isinstance(part, trimtab.ToolCall) for part in parts)


@pytest.mark.parametrize(("row", "reader"), OURS, ids=name)
def test_each_file_is_recognised_and_read_in_full(row: dict[str, str], reader: Reader) -> None:
    file = data(row)
    assert next(one for one in READERS if one.sniff(file)) is reader
    sessions = list(reader.read(file))
    assert [session.damage for session in sessions if session.damage] == []
    assert all(session.calls for session in sessions)


@pytest.mark.parametrize(("row", "reader"), OURS, ids=name)
def test_each_call_is_a_valid_request(row: dict[str, str], reader: Reader) -> None:
    for session in reader.read(data(row)):
        assert [(call.stop, told) for call in session.calls if (told := findings(session, call))] == []


@pytest.mark.parametrize(
    ("row", "reader"), [pair for pair in OURS if pair[1] not in (CASSETTES, REQUESTS, TAU2_BENCH)], ids=name
)
def test_counts_agree_with_the_index(row: dict[str, str], reader: Reader) -> None:
    """The index counts calls and results by themselves; SWE-agent's text actions are no calls for us."""
    sessions = list(reader.read(data(row)))
    called = sum(map(tool_calls, sessions))
    said = sum(len(session.messages) for session in sessions)
    assert len(sessions) == int(row["transcripts"])
    assert called in (0, *range(int(row["tool_calls"]) - 4, int(row["tool_calls"]) + 1))
    assert said + int(row["tool_calls"]) == pytest.approx(int(row["messages"]), rel=0.55)


@pytest.mark.parametrize(("row", "reader"), OURS, ids=name)
def test_the_last_call_can_be_compacted(row: dict[str, str], reader: Reader) -> None:
    for session in reader.read(data(row)):
        payload = session.request(session.calls[-1])
        tokens = trimtab.Compactor(store="memory:").compact(payload).report.tokens_before
        try:
            result = trimtab.Compactor(store="memory:", budget=max(1, tokens // 2)).compact(payload)
        except trimtab.BudgetError:
            continue
        assert trimtab.validate(result.payload) == trimtab.validate(payload)


@pytest.mark.parametrize("row", OTHERS, ids=name)
def test_no_other_file_is_taken_for_ours(row: dict[str, str]) -> None:
    file = data(row)
    assert [one.name for one in READERS if one.sniff(file)] == []
