"""Recorded requests of OpenAI Responses: read in full, valid, of the package's types, and smaller when asked."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.wires.openai_types import satisfies

import trimtab
from trimtab.testing import memory_store

FOLDER = os.environ.get("TRIMTAB_CORPUS")
pytestmark = pytest.mark.corpus


def recorded() -> dict[str, dict[str, Any]]:
    """Each request body by the name of its recording and its number there."""
    bodies = {}
    for path in sorted(Path(FOLDER).glob("*.yaml")) if FOLDER else ():
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        for number, one in enumerate(yaml.load(path.read_bytes(), loader)["interactions"]):
            asked = one["request"]
            if str(asked["uri"]).split("?")[0].endswith("/responses") and asked.get("parsed_body"):
                bodies[f"{path.stem}[{number}]"] = asked["parsed_body"]
    return bodies


BODIES = recorded()


@pytest.mark.parametrize("name", BODIES)
def test_recorded_requests(name: str) -> None:
    request = BODIES[name]
    body = json.dumps(request).encode()
    assert trimtab.validate(body) == trimtab.validate(request) == []
    typed = satisfies(request)
    whole = trimtab.Compactor(store=memory_store()).compact(body)
    assert whole.report.wire == "openai_responses"
    assert whole.report.outcome == "nothing"
    assert whole.payload is body
    compactor = trimtab.Compactor(store=memory_store(), budget=whole.report.tokens_before // 2)
    try:
        result = compactor.compact(body)
    except trimtab.BudgetError:
        return
    assert result.report.outcome == "applied"
    assert trimtab.validate(result.payload) == []
    assert satisfies(json.loads(result.payload)) == typed
    assert compactor.undo(result.payload) == body


def test_there_are_recordings() -> None:
    assert len(BODIES) > 15
