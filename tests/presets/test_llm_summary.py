"""The compactor that asks a model: one summary in the place of old turns, and failures that change nothing."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest
from tests.cases.transcripts import wires
from tests.presets.test_threshold import turns

from trimtab import Compactor
from trimtab.edits import Ask
from trimtab.presets.llm_summary import LlmSummary
from trimtab.testing import memory_store, note_of


class Scripted:
    """A model that says what it is told to, and remembers what it was asked."""

    def __init__(self, text: str = note_of("The file has a line 7.")) -> None:
        self.text, self.asked = text, list[Ask]()

    def __call__(self, ask: Ask) -> str:
        self.asked.append(ask)
        return self.text


def compactor(writer: Any, window: int = 8_000, **settings: Any) -> Compactor:
    return Compactor(preset=LlmSummary(**settings), store=memory_store(), writer=writer, config={"window": window})


@wires
def test_old_turns_become_one_summary_and_the_last_three_stay(wire: str) -> None:
    payload, writer = turns(wire), Scripted()
    one = compactor(writer)
    result = one.compact(payload)
    summary, *rest = result.payload["messages"]
    assert rest == payload["messages"][12:]
    assert "The file has a line 7." in str(summary)
    assert summary["role"] == "user"
    assert result.report.turns_compacted == 3
    assert one.undo(result.payload) == payload
    assert one.replay(payload) == result.payload


def test_the_model_sees_what_was_said_and_the_names_of_the_tools() -> None:
    writer = Scripted()
    compactor(writer).compact(turns("anthropic"))
    (ask,) = writer.asked
    assert ask.prompt.split("\n", 1)[1].split("\n\n")[:5] == [
        "USER: Question 0?",
        "CALL read",
        "RESULT",
        "ASSISTANT: Answer 0.",
        "USER: Question 1?",
    ]
    assert (ask.most, round(ask.seconds)) == (2048, 60)
    assert "## Facts found" in ask.prompt
    writer = Scripted()
    compactor(writer, tool_contents=True, summary_system_prompt="Short.", max_summary_tokens=99).compact(
        turns("anthropic")
    )
    (ask,) = writer.asked
    assert "file 0 7:" in ask.prompt
    assert (ask.system, ask.most) == ("Short.", 99)


def fails(ask: Ask) -> str:
    raise ConnectionError("no route to the model")


def says_nothing(ask: Ask) -> str:
    return " \n"


DONE = threading.Event()


def never_answers(ask: Ask) -> str:
    DONE.wait(30)
    return "late"


async def fails_later(ask: Ask) -> str:
    await asyncio.sleep(0)
    raise TimeoutError("the model hung up")


@wires
@pytest.mark.parametrize(
    ("writer", "why"),
    [
        (fails, "ConnectionError: no route"),
        (fails_later, "hung up"),
        (never_answers, "within 0.05 s"),
        (says_nothing, "nothing"),
        (None, "no writer"),
    ],
)
def test_a_failure_leaves_the_conversation_and_is_reported(wire: str, writer: Any, why: str) -> None:
    payload = turns(wire)
    DONE.clear()
    result = compactor(writer, summary_timeout=0.05).compact(payload)
    DONE.set()
    assert result.payload is payload
    (refused,) = result.report.refused
    assert why in refused.text
    assert result.report.turns_compacted == 0


def test_after_a_failure_the_next_call_asks_again() -> None:
    payload, answers = turns("anthropic"), iter(["", note_of("A summary.")])
    one = compactor(lambda ask: next(answers))
    early = {**payload, "messages": payload["messages"][:21]}
    assert not one.compact(early).changed
    assert "A summary." in str(one.compact(payload).payload)


def test_a_writer_may_be_async_and_so_may_the_caller() -> None:
    async def writer(ask: Ask) -> str:
        await asyncio.sleep(0)
        return note_of("Said in time.")

    result = asyncio.run(compactor(writer).acompact(turns("anthropic")))
    assert "Said in time." in str(result.payload)


@pytest.mark.parametrize("payload", [turns("anthropic", 3), turns("anthropic")])
def test_up_to_three_turns_or_the_threshold_nobody_is_asked(payload: Any) -> None:
    writer = Scripted()
    assert (
        compactor(writer, 3_000 if len(payload["messages"]) < 13 else 20_000).compact(payload).payload is payload
    )
    assert writer.asked == []


def test_forced_it_asks_whatever_the_size() -> None:
    writer = Scripted()
    assert compactor(writer, 200_000).compact(turns("anthropic"), force=True).changed
    assert len(writer.asked) == 1


def test_what_a_note_takes_in_counts_with_the_note_in_the_report() -> None:
    payload = turns("anthropic", 12)
    result = compactor(Scripted(note_of("Done so far.")), tool_compaction="redact").compact(payload)
    [note] = result.report.edits
    assert note.place.startswith("messages[0-")
    assert note.saved == result.report.saved
    assert result.report.standing == 0


def test_both_compactors_in_order() -> None:
    """Results first; the summary over what they left, and where it fails they stand."""
    payload, writer = turns("anthropic"), Scripted(note_of("Done so far."))
    one = compactor(writer, tool_compaction="summarize")
    both = one.compact(payload, compact_summaries={"c0": "The tax is 7 %."}).report
    assert (both.results_summarized, both.turns_compacted) == (1, 3)
    result = compactor(fails, tool_compaction="redact").compact(payload)
    assert (result.report.results_redacted, result.report.turns_compacted) == (3, 0)
    assert "no route" in json.dumps([one.text for one in result.report.refused])


def test_an_edit_is_on_record_with_what_the_model_said() -> None:
    payload, writer = turns("anthropic"), Scripted()
    one = compactor(writer)
    sent = one.compact(payload).payload
    again = Compactor(preset=LlmSummary(), store=one.store, writer=fails, config={"window": 8_000}).compact(
        payload
    )
    assert again.payload == sent
    assert len(writer.asked) == 1
    assert [cut.by for entry in one.explain(payload) for cut in entry.cuts] == ["write_note"]
