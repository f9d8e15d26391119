"""Summarization: the last twenty messages stay, a model tells of the others."""

from __future__ import annotations

from tests.cases.transcripts import wires

from trimtab import Compactor
from trimtab.edits import Ask
from trimtab.presets.summarization import Summarization
from trimtab.testing import conversation, memory_store, note_of


@wires
def test_all_but_the_last_twenty_messages_become_a_note(wire: str) -> None:
    heard: list[Ask] = []

    def writer(ask: Ask) -> str:
        heard.append(ask)
        return note_of("The error is in part 3.")

    payload = conversation(wire, exchanges=15)
    one = Compactor(preset=Summarization(tokens=5_000), store=memory_store(), writer=writer)
    result = one.compact(payload)
    ((told, system, most, seconds),) = [(a.prompt, a.system, a.most, a.seconds) for a in heard]
    assert (most, round(seconds)) == (2048, 60)
    assert "handoff notes" in system
    assert told.partition("\n")[2].startswith("USER: Find the error and mend it.\n\nCALL read")
    assert "part 4 line 7" in told
    assert "part 5 line 7" not in told
    note, *rest = result.payload["messages"]
    assert rest == payload["messages"][11:]
    assert "The error is in part 3" in str(note)
    assert one.undo(result.payload) == payload
    assert (result.report.turns_compacted, result.report.outcome) == (1, "applied")
    assert [finding.rule for finding in result.report.findings] == ["lossy"]


def test_the_next_note_is_made_of_the_last_and_what_came_since() -> None:
    heard: list[Ask] = []

    def writer(ask: Ask) -> str:
        heard.append(ask)
        return note_of(f"Read part {len(heard)}.")

    payload = conversation(exchanges=20)
    one = Compactor(preset=Summarization(tokens=1_000, keep=4), store=memory_store(), writer=writer)
    for end in (21, 41):
        result = one.compact({**payload, "messages": payload["messages"][:end]})
    assert len(heard) == 2
    assert "EARLIER NOTE, Facts found: Read part 1." in heard[1].prompt
    assert heard[1].prompt.count("part 1 line") < 20 < heard[0].prompt.count("part 1 line")
    assert "part 12 line 7" in heard[1].prompt
    assert "Read part 2." in str(result.payload["messages"][0])
    assert one.undo(result.payload) == payload


def test_calls_of_the_past_are_not_asked_for() -> None:
    """A long session first seen whole: one question, about the present."""
    heard: list[Ask] = []

    def writer(ask: Ask) -> str:
        heard.append(ask)
        return note_of("A note.")

    result = Compactor(preset=Summarization(tokens=1_000), store=memory_store(), writer=writer).compact(
        conversation(exchanges=20)
    )
    assert len(heard) == 1
    assert result.report.refused == ()


def test_without_a_writer_the_messages_stay_and_the_report_says_so() -> None:
    payload = conversation(exchanges=15)
    result = Compactor(preset=Summarization(tokens=1_000), store=memory_store()).compact(payload)
    assert result.payload is payload
    (refused,) = result.report.refused
    assert "writer" in refused.text
