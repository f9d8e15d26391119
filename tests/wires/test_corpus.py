"""Real requests: they are read in full and obey the rules."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trimtab.transcript import Opaque, Transcript
from trimtab.wires import sniff
from trimtab.wires.anthropic import ANTHROPIC
from trimtab.wires.base import Wire
from trimtab.wires.openai_chat import OPENAI_CHAT

FOLDER = os.environ.get("TRIMTAB_CORPUS")
pytestmark = pytest.mark.corpus


def recorded(pattern: str) -> list[Path]:
    return sorted(Path(FOLDER).glob(pattern)) if FOLDER else []


def accept(wire: Wire, messages: list[Any], model: str | None = None) -> None:
    assert sniff({"model": model}, messages) is wire
    parsed = tuple(wire.message(source) for source in messages)
    assert [part for message in parsed for part in message.parts if isinstance(part, Opaque)] == []
    assert list(wire.check(Transcript(wire.name, wire.frame({}), parsed))) == []
    assert list(wire.check_source({}, messages)) == []


def name(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", recorded("openhands-*llm*.json"), ids=name)
def test_openhands(path: Path) -> None:
    accept(OPENAI_CHAT, json.loads(path.read_bytes())["messages"])


@pytest.mark.parametrize("path", recorded("tau-bench*.json"), ids=name)
def test_tau_bench(path: Path) -> None:
    accept(OPENAI_CHAT, json.loads(path.read_bytes())[0]["traj"])


def completions(node: dict[str, Any]) -> Iterator[tuple[list[Any], str]]:
    for completion in (node.get("completions") or {}).values():
        if isinstance(completion, dict) and isinstance(completion.get("input"), list):
            yield completion["input"], completion["model"]


@pytest.mark.parametrize("path", recorded("moatless*.json"), ids=name)
def test_moatless(path: Path) -> None:
    requests = [request for node in json.loads(path.read_bytes())["nodes"] for request in completions(node)]
    assert requests
    for messages, model in requests:
        accept(ANTHROPIC, messages, model)
