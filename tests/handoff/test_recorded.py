"""What small models really wrote about the bundled example (temperature 0): nothing of what is wrong is left."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks.handoff.preset import OneNote
from tests.cases.transcripts import strings

from trimtab import Compactor, example, validate
from trimtab.edits import Ask, Brief
from trimtab.testing import memory_store
from trimtab.words import identifiers

RECORDED = sorted(Path(__file__).with_name("recorded").glob("*.json"))
OURS = re.compile(r"\[trimtab: note [^\n]*\]|t:[0-9a-f]{16}")


@pytest.mark.parametrize("file", RECORDED, ids=lambda one: one.stem)
@pytest.mark.parametrize("given", [True, False], ids=["facts", "no facts"])
def test_the_note_is_true_and_whole_whatever_the_model_wrote(file: Path, given: bool) -> None:
    answers = iter(json.loads(file.read_text(encoding="utf-8")))

    def says(ask: Ask) -> str:
        return str(next(answers))

    request: dict[str, Any] = json.loads(example.cut(5, example.session("anthropic")))
    facts = tuple(example.facts().values())
    compactor = Compactor(
        preset=OneNote(Brief(stands_alone=True, longest=50_000)),
        store=memory_store(),
        writer=says,
        facts=facts if given else (),
    )
    result = compactor.compact(request, force=True)
    note = next(text for text in strings(result.payload) if text.startswith("[trimtab: note "))
    source = "\n".join(strings(request))
    assert [one for one in identifiers(OURS.sub(" ", note)) if one not in source] == []
    assert [one for one in facts if given and one not in "\n".join(strings(result.payload))] == []
    assert example.facts()["question"] in note
    assert validate(result.payload) == []
    assert compactor.undo(result.payload) == request


def test_there_are_good_and_bad_ones() -> None:
    assert len(RECORDED) >= 2
