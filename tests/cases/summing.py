"""Turns that a note may stand for, a model that says what it is told to, and the note that comes of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.cases.transcripts import (
    Call,
    Sent,
    Step,
    calls,
    compact,
    log,
    request,
    results,
    says,
    strings,
    user,
)

from trimtab.edits import Ask
from trimtab.presets.llm_summary import LlmSummary
from trimtab.presets.summarization import Summarization
from trimtab.testing import note_of

OLD_TURNS = LlmSummary(keep_recent_turns=1, tool_contents=True)
SUMS_UP = Summarization(tokens=900, keep=2)
PRESETS = [OLD_TURNS, SUMS_UP]
presets = pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.name)

DONE, FAILED = "Already executed, not to be done again", "Calls that failed"

IDS = [
    "5f0c8f6e-52f4-4c55-9d7a-2f6a0b7c9d11",
    "c0ffee254729296a45a3885639ac7e10f9d54979",
    "192.168.17.23:50051",
    "/mnt/Team Share/Q3 Report final.xlsx",
    "JIRA-20417",
    "https://api.example.com/v2/items?cursor=aZ9&limit=50",
    "i-0abc12de34f567890",
    "sha256:2c26b46b68ffc68f",
    "+49-30-901820",
    "build/out_2024.tar.gz",
    "X-Request-Id-77",
    "ORD_99812",
]


class Writer:
    """A model that says what it is told to, and remembers what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[Ask]()

    def __call__(self, ask: Ask) -> Any:
        self.asked.append(ask)
        return self.answers.pop(0) if self.answers else note_of("All of it was looked at.")

    @property
    def prompts(self) -> str:
        return "\n".join(one.prompt for one in self.asked)


def work(first: int = 0, count: int = 6) -> list[Step]:
    """Turns that a note may stand for."""
    made = list[Step]()
    for number in range(first, first + count):
        read = Call(f"w{number}", "read", {"path": f"part{number}.py"})
        made += [user(f"Look at part {number}."), calls(read), results((f"w{number}", log(30, f"part {number}")))]
        made += [says(f"Seen part {number}.")]
    return made


def noted(
    wire: str, *steps: Step, writer: Any = None, preset: Any = OLD_TURNS, **options: Any
) -> tuple[Sent, str]:
    """What goes out, and the text of the note in it ("" where there is none)."""
    given = request(wire, *steps, *work(), user("And now?"), says("Well."), user("Go on."))
    sent = compact(given, preset=preset, writer=writer or Writer(), window=2_500, **options)
    found = [text for text in strings(sent.payload) if text.startswith("[trimtab: note")]
    return sent, found[0] if found else ""


def under(note: str, title: str) -> str:
    """What stands under a title."""
    found = re.search(rf"^## {re.escape(title)}\n((?:(?!## |\[trimtab: note).*\n)*)", note, re.MULTILINE)
    return found[1] if found else ""
