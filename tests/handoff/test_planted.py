"""Planted settings that a model mixes up at random: no note gives one what belongs to another."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from benchmarks.handoff.planted import Planted, exchanges, planted, user
from benchmarks.handoff.preset import OneNote
from benchmarks.handoff.score import score, texts
from tests.cases.transcripts import log, strings

from trimtab import Compactor
from trimtab.edits import Ask, Brief
from trimtab.testing import memory_store

SENTENCES = (
    "{path} line {line} sets {name} to {value}",
    "{name} is {value} ({ticket})",
    "In {path}, {name} has the value {value}.",
    "{path}:{line} has {ticket}",
    "Line {line} of {path} holds {name}",
    "The value {value} of {name} stands at line {line}",
    "{path} has {name} = {value}. It is at line {line}.",
    "ticket {ticket} belongs to {path}",
    "{value} is {name}",
    "{name}: {value}, {name2}: {value2}",
    "{name} and {name2} are {value} and {value2}",
    "{path} ({line}), {path2} ({line2})",
    "{name}={value} {name2}={value2}",
    "The setting {name}. Its value is {value}. Its line is {line}.",
)
TITLES = ("Task", "Facts found", "Tried and ruled out", "Done", "In progress", "Next step")


class Mixes:
    """A model that fills sentences with what belongs to any of the settings."""

    def __init__(self, what: Planted, seed: int) -> None:
        self.what, self.chance = what, Random(seed)

    def __call__(self, ask: Ask) -> str:
        return "\n".join(f"## {title}\n" + "\n".join(f"- {self._item()}" for _ in range(4)) for title in TITLES)

    def _item(self) -> str:
        tried = self.what.reverted.split(" to ")[1].split()[0]
        names = ("path", "line", "name", "value", "ticket")
        filled = {f"{name}{n}": getattr(self._any(), name) for name in names for n in ("", "2")}
        filled["value"] = self.chance.choice([filled["value"], filled["value"], tried])
        return self.chance.choice(SENTENCES).format(**filled)

    def _any(self) -> Any:
        return self.chance.choice(self.what.facts)


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat", "openai_responses"])
@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_bound_wrongly_whatever_is_mixed_up(wire: str, seed: int) -> None:
    what = planted(seed)
    told = [message for one in exchanges(wire, what) for message in one]
    more = [user(wire, "Go on."), {"role": "assistant", "content": log(60, "pad")}, user(wire, "Well?")]
    given: dict[str, Any] = {
        "model": "gpt-4o",
        "input" if wire == "openai_responses" else "messages": [*told, *more],
    }
    if wire == "anthropic":
        given["max_tokens"] = 1_000
    preset, facts = OneNote(Brief(stands_alone=True)), list(what.required)
    compactor = Compactor(
        preset=preset, store=memory_store(), writer=Mixes(what, seed), facts=facts, config={"protect_results": 0}
    )
    result = compactor.compact(given, force=True)
    (note,) = [text for text in strings(result.payload) if text.startswith("[trimtab: note")]
    judged = score(note, "\n".join(texts(given)), what, 0)
    assert (judged.wrong, judged.bound) == ((), ())
    shown = "\n".join(strings(result.payload))
    assert [one for one in what.required if one not in shown] == []
    tried = what.reverted.split(" to ")[1].split()[0]
    assert [line for line in note.splitlines() if tried in line and what.reverted not in line] == []
