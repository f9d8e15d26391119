from __future__ import annotations

import json
from typing import Any

from tests.cases.transcripts import Sent, compact, encoded, request, says, user, wires
from tests.test_previews import ASKED, LONG, RUNBOOK

from trimtab.passes.preview_files import PreviewFiles
from trimtab.previews import Sizes
from trimtab.stubs import HANDLE


def attached(*files: str) -> str:
    return "\n".join(f'<file name="{n}.md">\n{text}</file>' for n, text in enumerate(files))


def send(*steps: Any, wire: str = "anthropic", tags: tuple[str, ...] = ("file",), **sizes: int) -> Sent:
    given = request(wire, *steps)
    passes = [PreviewFiles(Sizes(**sizes), tags)]
    sent = compact(given, form="bytes", passes=passes, preset="prose")  # which declares what the user says
    assert not sent.result.report.refused
    assert sent.compactor.undo(sent.result.payload) == encoded(given)
    return sent


def said(sent: Sent) -> list[str]:
    return [one["content"] for one in sent.messages if one["role"] == "user"]


@wires
def test_large_files_in_what_the_user_says_become_previews_around_the_question(wire: str) -> None:
    text = f"{ASKED}\n{attached(RUNBOOK, LONG)}\nBe brief."
    [shown] = said(sent := send(user(text), wire=wire))
    assert shown.startswith(f'{ASKED}\n<file name="0.md">[preview of ')
    assert shown.endswith("</file>\nBe brief.")
    assert "`ctl revert --to 41`" in shown
    assert len(shown) < 4_000
    [handle] = set(HANDLE.findall(shown))
    assert sent.compactor.recall(handle, whole=True).text == text


@wires
def test_the_lines_that_are_named_are_those_that_recall_brings_back(wire: str) -> None:
    [shown] = said(sent := send(user(f"{ASKED}\n\n{attached(LONG, RUNBOOK)}"), wire=wire))
    [handle] = set(HANDLE.findall(shown))
    index = [row for row in shown.split("\n") if row.startswith("[sections by line: ")][1]
    line = index.partition(" Rollback")[0].rpartition(" ")[2]
    assert sent.compactor.recall(handle, lines=line).text == "## Rollback\n"


@wires
def test_files_below_the_threshold_stay(wire: str) -> None:
    text = attached(RUNBOOK[:4_000], LONG[:4_000])
    assert said(send(user(text), wire=wire)) == [text]
    assert said(send(user(attached(RUNBOOK)), wire=wire, full_context_threshold=100_000)) == [attached(RUNBOOK)]
    assert said(send(user(attached(RUNBOOK)), wire=wire, tags=("document",))) == [attached(RUNBOOK)]


@wires
def test_a_new_question_does_not_rewrite_what_was_chosen(wire: str) -> None:
    made = send(user(f"{ASKED}\n{attached(RUNBOOK)}"), wire=wire)
    later = request(wire, user(f"{ASKED}\n{attached(RUNBOOK)}"), says("By ctl."), user("And where do quotas end?"))
    after = json.loads(made.compactor.compact(encoded(later)).payload)
    assert after["messages"][0] == made.messages[0]


@wires
def test_files_of_a_later_turn_are_chosen_by_its_own_question(wire: str) -> None:
    first, *_, last = said(send(user("Hello."), says("Hello."), user(f"{attached(RUNBOOK)}\n{ASKED}"), wire=wire))
    assert first == "Hello."
    assert "`ctl revert --to 41`" in last


@wires
def test_files_alone_are_chosen_by_what_the_first_turn_says(wire: str) -> None:
    *_, last = said(send(user(ASKED), says("Show me the runbook."), user(attached(RUNBOOK)), wire=wire))
    assert "`ctl revert --to 41`" in last


@wires
def test_the_threshold_is_over_all_files_of_the_conversation(wire: str) -> None:
    small = attached(LONG[:6_000])
    first, second = said(send(user(small), says("Yes?"), user(small.replace("0.md", "1.md")), wire=wire))
    assert first == small
    assert "[preview of " in second
