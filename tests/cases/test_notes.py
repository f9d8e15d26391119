"""Reported bugs about the note that stands in the place of messages. Who writes it is the pass's affair."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.cases.transcripts import (
    Sent,
    Step,
    calls,
    compact,
    forms,
    log,
    request,
    results,
    says,
    scripted,
    user,
    wires,
)

from trimtab.edits import Span, Summarize
from trimtab.identity import span_handle
from trimtab.passes import View
from trimtab.reader import Reader
from trimtab.testing import memory_store
from trimtab.tokens import counter_for

BEGIN, END = "<earlier-work>", "</earlier-work>"


def exchange(number: int) -> list[Step]:
    return [calls((f"c{number}", f"{number}.py")), results((f"c{number}", log(30, f"part {number}")))]


def noted(payload: dict[str, Any], first: int, last: int, form: str) -> Sent:
    """Compacted by a pass that wants one note in the place of the messages `first` to `last`."""
    names = Reader(counter_for(None), memory_store(), "").read(payload).names
    span = Span(names[first], names[last])

    def propose(view: View) -> Iterator[Summarize]:
        yield Summarize(span, f"{BEGIN} files were read, trimtab recall {span_handle(span)} {END}", "as asked")

    return compact(payload, form, force=True, passes=[scripted(propose)], protect_results=0)


def at(sent: Sent) -> int:
    """Where the note stands; there is one."""
    (index,) = [n for n, one in enumerate(sent.messages) if BEGIN in json.dumps(one)]
    return index


@wires
@forms
def test_PAIR_28_the_note_stands_where_the_old_work_stood(wire: str, form: str) -> None:
    steps = [step for number in range(20) for step in exchange(number)]
    given = request(wire, user("task"), *steps, says("done"), user("and now?"), system="Be brief.")
    head = len(given["messages"]) - len(steps) - 2
    sent = noted(given, head, head + 31, form)
    assert at(sent) == head
    assert sent.messages[:head] == given["messages"][:head]
    assert sent.messages[head + 1 :] == given["messages"][head + 32 :]
    assert sent.payload.get("system") == given.get("system")


@wires
@forms
def test_PAIR_27_PAIR_30_a_note_between_users_is_a_users_and_stays_by_itself(wire: str, form: str) -> None:
    """No assistant is made to have said it, and the user's own words are left as they are."""
    middle = [*exchange(0), *exchange(1)]
    steps: list[Step] = [
        user("task"),
        *middle,
        user("hurry"),
        *exchange(2),
        *exchange(3),
        says("done"),
        user("next"),
    ]
    given = request(wire, *steps)
    sent = noted(given, 1, 4, form)
    note = sent.messages[1]
    assert [one["role"] for one in sent.messages[:3]] == ["user"] * 3
    assert [sent.messages[0], *sent.messages[2:]] == [given["messages"][0], *given["messages"][5:]]
    said = note["content"] if isinstance(note["content"], str) else note["content"][0]["text"]
    assert said.startswith(BEGIN)
    assert said.endswith(END)
