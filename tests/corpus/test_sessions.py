"""Recorded sessions of every format and wire: stable, valid, undone to the byte."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from trimtab import Compactor, WireError, validate
from trimtab.sessions import read

pytestmark = pytest.mark.corpus
CORPUS = os.environ.get("TRIMTAB_CORPUS")
FILES = sorted(path for path in Path(CORPUS).iterdir() if path.suffix != ".md") if CORPUS else []
MOST_CALLS = 12
"""Calls played of one session, spread over it: long sessions are the point, all of their calls are not."""
KEYS = ("messages", "input", "contents")


def listed(payload: dict[str, Any]) -> list[Any]:
    return next(payload[key] for key in KEYS if isinstance(payload.get(key), list))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[:60])
def test_a_session_fed_call_by_call(path: Path) -> None:
    try:
        sessions = list(read(path))
    except WireError:
        pytest.skip("not a session")
    for session in sessions:
        calls = session.calls[:: max(len(session.calls) // MOST_CALLS, 1)]
        if not calls:
            continue
        largest = len(json.dumps(session.request(calls[-1])))
        compactor = Compactor(store="memory:", config={"window": max(largest // 6, 1), "window_share": 0.9})
        sent: list[Any] = []
        start = 0
        for call in calls:
            request = session.request(call)
            payload = json.dumps(request).encode()
            result = compactor.compact(payload)
            assert result.report.outcome != "failed", result.report
            assert compactor.undo(result.payload) == payload
            new = {(one.rule, one.place) for one in validate(result.payload)}
            assert new <= {(one.rule, one.place) for one in validate(payload)}
            now, first = listed(json.loads(result.payload)), result.report.first_changed
            stays = 0 if call.start != start else len(sent) if first is None else min(first, len(sent))
            assert now[:stays] == sent[:stays]
            sent, start = now, call.start
