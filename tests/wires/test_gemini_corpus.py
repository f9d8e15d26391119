"""Recorded requests to Gemini and Bedrock Converse: read in full, valid, and back after a fold and its undo."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from trimtab import BudgetError, Compactor, validate
from trimtab.reader import Reader
from trimtab.testing import memory_store
from trimtab.transcript import Opaque

FOLDER = os.environ.get("TRIMTAB_CORPUS")
pytestmark = pytest.mark.corpus


def recorded() -> dict[str, dict[str, Any]]:
    """Each request body by the name of its recording and its number there."""
    bodies = {}
    for path in sorted(Path(FOLDER).glob("*.yaml")) if FOLDER else ():
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        for number, one in enumerate(yaml.load(path.read_bytes(), loader)["interactions"]):
            address = str(one["request"]["uri"]).split("?")[0]
            if address.endswith((":generateContent", ":streamGenerateContent", "/converse", "/converse-stream")):
                bodies[f"{path.stem}[{number}]"] = one["request"]["parsed_body"]
    return bodies


BODIES = recorded()


@pytest.mark.parametrize("name", BODIES)
def test_recorded_requests_are_read_in_full_and_valid(name: str) -> None:
    body = BODIES[name]
    request = Reader(Compactor(store=None).counter, memory_store(), "default").read(body)
    assert request.wire.name == ("gemini" if "contents" in body else "bedrock")
    assert not [part for one in request.parsed for part in one.message.parts if isinstance(part, Opaque)]
    assert validate(body) == []


@pytest.mark.parametrize("rounds", [1, 12])
@pytest.mark.parametrize("name", BODIES)
def test_at_half_the_size_they_are_valid_and_come_back(name: str, rounds: int) -> None:
    """Also the same session many times over, so that there is something to fold."""
    key = "contents" if "contents" in BODIES[name] else "messages"
    data = json.dumps({**BODIES[name], key: BODIES[name][key] * rounds}).encode()
    whole = Compactor(store=memory_store()).compact(data)
    assert whole.payload is data or rounds > 1  # what is said again points to the first time
    compactor = Compactor(
        store=memory_store(), budget=whole.report.tokens_before // 2, config={"protect_results": 0}
    )
    try:
        result = compactor.compact(data)
    except BudgetError:
        return
    assert result.report.outcome == "applied"
    assert validate(result.payload) == []
    assert compactor.undo(result.payload) == data


def test_there_are_recordings() -> None:
    assert len(BODIES) > 20
