"""Reported bugs about the model that writes notes: who it is, what it is given, and what if it refuses."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
from typing import Any

import pytest
from tests.cases.transcripts import (
    Call,
    Step,
    broken,
    calls,
    compact,
    forms,
    handles,
    log,
    request,
    results,
    says,
    strings,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.edits import Ask
from trimtab.fresh_run import handoff
from trimtab.presets.ledger import Ledger
from trimtab.presets.llm_summary import LlmSummary
from trimtab.presets.sliding_window import SlidingWindow
from trimtab.presets.summarization import Summarization
from trimtab.testing import memory_store, note_of

SUMS_UP = Summarization(tokens=900, keep=2)
OLD_TURNS = LlmSummary(keep_recent_turns=1, tool_contents=True)
PRESETS = [SUMS_UP, OLD_TURNS]
presets = pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.name)


def parallel(number: int, lines: int = 30) -> list[Step]:
    """Two calls at once and their results."""
    ids = (f"a{number}", f"b{number}")
    made = [Call(one, "read", {"path": f"{one}.py"}) for one in ids]
    return [calls(*made), results(*((one, log(lines, f"part {one}")) for one in ids))]


def turns(count: int = 6) -> list[Step]:
    return [step for n in range(count) for step in (user(f"Look at {n}."), *parallel(n), says(f"Seen {n}."))]


class Writer:
    """A model that remembers what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[Ask]()

    def __call__(self, ask: Ask) -> Any:
        self.asked.append(ask)
        answer = self.answers.pop(0) if self.answers else note_of("All parts were read.")
        if isinstance(answer, BaseException):
            raise answer
        return answer


def given(wire: str, count: int = 6) -> dict[str, Any]:
    return request(wire, *turns(count), user("and now?"), system="Be brief.")


VETOES = [
    PermissionError("not allowed"),
    SystemExit(3),
    asyncio.CancelledError(),
    "",
    " \n ",
    None,
    7,
    {"text": "x"},
]


@wires
@forms
@presets
@pytest.mark.parametrize("veto", VETOES, ids=repr)
def test_SEC_04_the_caller_s_writer_sees_what_would_go_out_and_may_refuse(
    wire: str, form: str, preset: Any, veto: Any
) -> None:
    """Nothing reaches a model but through it; when it refuses, the request stays and the report says so."""
    writer = Writer(veto)
    payload = given(wire)
    sent = compact(payload, form, preset=preset, writer=writer, window=3_000)
    assert len(writer.asked) == 1
    assert "part a1 1: value 919 is set" in writer.asked[0].prompt
    assert sent.payload == payload
    assert sent.result.report.outcome == "nothing"
    assert sent.result.report.refused


@wires
@forms
def test_SEC_04_after_a_veto_what_needs_no_model_is_done(wire: str, form: str) -> None:
    preset = LlmSummary(keep_recent_turns=1, tool_compaction="redact")
    sent = compact(given(wire), form, preset=preset, writer=Writer(PermissionError("no")), window=1_500)
    assert all("trimtab recall" in text for text in texts(sent.payload)[:10])
    assert len(sent.messages) == len(given(wire)["messages"])
    assert any("PermissionError: no" in one.text for one in sent.result.report.refused)


@wires
@pytest.mark.parametrize("preset", [OLD_TURNS, *(Summarization(tokens=900, keep=n) for n in range(2, 11))])
def test_PAIR_25_whatever_is_asked_is_plain_text_with_every_call_before_its_result(wire: str, preset: Any) -> None:
    """The model says twice that it is too long: every question is whole text, no messages, no parts."""
    writer = Writer(ValueError("prompt is too long"), ValueError("prompt is too long"))
    compactor = trimtab.Compactor(preset=preset, writer=writer, store=memory_store(), config={"window": 3_000})
    outcomes = [compactor.compact(given(wire, count)).report.outcome for count in (6, 7, 8)]
    assert outcomes == ["nothing", "nothing", "applied"]
    assert len(writer.asked) == 3
    for ask in writer.asked:
        open_calls = 0
        for kind in re.findall(r"^(CALL|RESULT)\b", ask.prompt, re.MULTILINE):
            open_calls += 1 if kind == "CALL" else -1
            assert open_calls >= 0
        assert open_calls == 0
        assert not {"tool_use", "tool_call_id", "tool_result", "tool_calls"} & set(re.findall(r"\w+", ask.prompt))


@wires
@presets
@pytest.mark.parametrize("has_writer", [True, False])
def test_CONF_05_the_given_model_is_asked_and_the_environment_is_not(
    wire: str, preset: Any, has_writer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys of other accounts lie about, and no socket can be opened."""
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "OPENAI_BASE_URL",
        "AWS_SECRET_ACCESS_KEY",
    ):
        monkeypatch.setenv(name, "of-the-host")

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    writer = Writer()
    sent = compact(given(wire), preset=preset, window=3_000, writer=writer if has_writer else None)
    assert sent.result.changed is has_writer
    assert len(writer.asked) == int(has_writer)
    assert "of-the-host" not in json.dumps([*strings(sent.payload), *(ask.prompt for ask in writer.asked)])
    assert has_writer or any("no writer" in one.text for one in sent.result.report.refused)
    assert os.environ["OPENAI_API_KEY"] == "of-the-host"


@wires
@forms
def test_CONF_09_the_window_of_the_request_does_not_cut_what_the_writer_reads(wire: str, form: str) -> None:
    """A window of 2,000 tokens and a history of ten times that: all is told, the note has its own limit."""
    long = [step for n in range(6) for step in (user(f"Look at {n}."), *parallel(n, 180), says(f"Seen {n}."))]
    writer = Writer()
    preset = LlmSummary(keep_recent_turns=1, tool_contents=True, max_summary_tokens=77)
    sent = compact(request(wire, *long, user("now?")), form, preset=preset, writer=writer, window=2_000)
    [ask] = writer.asked
    assert sent.result.changed
    assert ask.most == 77
    for n in range(5):
        assert log(180, f"part a{n}") in ask.prompt
        assert log(180, f"part b{n}") in ask.prompt


@wires
@forms
def test_UX_05_an_instruction_reaches_the_writer_alone_and_what_follows_stays(wire: str, form: str) -> None:
    writer = Writer()
    preset = Summarization(tokens=900, keep=7, prompt="Keep the names of the API.")
    payload = given(wire)
    sent = compact(payload, form, preset=preset, writer=writer)
    assert writer.asked[0].system == "Keep the names of the API."
    assert "Keep the names" not in json.dumps(sent.payload)
    assert sent.messages[-7:] == payload["messages"][-7:]


NOTES: list[Any] = [SUMS_UP, OLD_TURNS, SlidingWindow(keep=2), Ledger(after_tool_results=2)]


@wires
@forms
@pytest.mark.parametrize("preset", NOTES, ids=lambda one: one.name)
def test_UX_08_a_note_says_how_many_messages_it_stands_for_and_how_to_get_them(
    wire: str, form: str, preset: Any
) -> None:
    payload = given(wire)
    sent = compact(payload, form, preset=preset, writer=Writer(), window=3_000)
    gone = len(payload["messages"]) - len(sent.messages) + 1
    [note] = [text for text in strings(sent.messages) if "trimtab recall" in text and "message" in text]
    first = note.split("\n")[0]
    assert f"{gone} " in first
    [handle] = handles(first)
    assert f"trimtab recall {handle}" in first
    told = json.loads(f"[{sent.compactor.recall(handle, whole=True).text}]")
    assert len(told) == gone
    assert all(message in payload["messages"] for message in told)
    assert broken(sent.payload) == set()


KEY = "AKIA" + "J7QPR2MZ5XK4TW3B"
ENV = f"AWS_KEY={KEY}\nAPI_KEY=8fk2mQ90zLp4\nPORT=8080\n"


@wires
@forms
@presets
def test_SEC_01_secrets_reach_neither_the_writer_nor_its_note(wire: str, form: str, preset: Any) -> None:
    """What went out before stays as it is, and what the note stands for comes back whole."""
    writer = Writer(note_of(f"The key is {KEY}."))
    env: list[Step] = [user("Look at .env."), calls(Call("e", "read", {"path": ".env"})), results(("e", ENV))]
    payload = request(wire, *env, says("Seen."), *turns(), user("and now?"))
    sent = compact(payload, form, preset=preset, writer=writer, window=3_000)
    [ask] = writer.asked
    shown = "\n".join(strings(sent.payload))
    assert (KEY in ask.prompt, "8fk2mQ90zLp4" in ask.prompt, "PORT=8080" in ask.prompt) == (False, False, True)
    assert "[secret: AWS access key]" in ask.prompt
    assert "The key is [secret: AWS access key]." in shown
    assert KEY not in shown
    assert KEY in "\n".join(strings(payload))
    assert sent.compactor.undo(sent.payload) == payload


@wires
@forms
def test_SEC_01_a_note_for_a_fresh_run_holds_no_secrets(wire: str, form: str) -> None:
    env: list[Step] = [user(f"Use {KEY}."), calls(Call("e", "read", {"path": ".env"})), results(("e", ENV))]
    payload = request(wire, *env, says("Seen."))
    note = str(handoff(payload if form == "dict" else json.dumps(payload).encode(), trimtab.Compactor(store=None)))
    assert (KEY in note, "8fk2mQ90zLp4" in note) == (False, False)
    assert "Use [secret: AWS access key]." in note
    assert "PORT=8080" in note
