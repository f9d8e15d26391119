"""Notes in the place of whole messages: the laws hold for them as for every edit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.laws.play import compact

from trimtab import Compactor, Span, Summarize, identity, validate
from trimtab.edits import Edit, Replace
from trimtab.passes import Pass, View
from trimtab.reader import Reader
from trimtab.stores import Store
from trimtab.stubs import HANDLE
from trimtab.testing import Scripted, ScriptedIngest, conversation, memory_store
from trimtab.tokens import counter_for
from trimtab.transcript import ToolResult

wires = pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])


class Session:
    """Ten exchanges; message 0 is the task, exchange n stands at 2n+1 and 2n+2."""

    def __init__(self, wire: str) -> None:
        self.request = conversation(wire, exchanges=10)
        self.messages = self.request["messages"]
        self.names = Reader(counter_for(None), memory_store(), "").read(self.request).names

    def note(self, first: int, last: int, words: str = "Files were read.") -> Edit:
        """A note in the place of the exchanges `first` to `last`."""
        span = Span(self.names[2 * first + 1], self.names[2 * last + 2])
        return Summarize(span, f"{words} trimtab recall {identity.span_handle(span)}", "summarized")

    def until(self, exchanges: int, sent: list[Any] | None = None, known: int = 0) -> dict[str, Any]:
        """The request after so many exchanges; the first `known` of them as they were sent."""
        new = self.messages[2 * known + 1 if sent else 0 : 2 * exchanges + 1]
        return {**self.request, "messages": [*(sent or []), *new]}


def noting(*notes: Edit) -> list[Pass]:
    return [Scripted(lambda view: notes)]


def folding(passes: list[Pass], store: Store | None = None) -> Compactor:
    return Compactor(store=store or memory_store(), passes=passes, config={"protect_results": 0})


def stubs(view: View) -> Iterator[Edit]:
    """Every result but its first line."""
    for at in view.open:
        part = view.original(at)
        if isinstance(part, ToolResult):
            text = f"{part.text.splitlines()[0]} {view.handle(at)}"
            yield Replace(at, ToolResult(part.call_id, text, part.is_error), "first line")


@wires
def test_a_note_stands_for_its_messages_and_comes_back(wire: str) -> None:
    session = Session(wire)
    one = folding(noting(session.note(1, 3)))
    result = compact(one, session.until(6), force=True)
    sent = result.payload["messages"]
    assert len(sent) == len(session.until(6)["messages"]) - 5
    assert sent[:3] == session.messages[:3]
    assert sent[4:] == session.messages[9:13]
    assert validate(result.payload) == []
    (handle,) = HANDLE.findall(str(sent))
    assert "part 2 line 0" in one.recall(handle).text
    for again in (one, folding(noting(session.note(1, 3)), one.store)):
        assert compact(again, result.payload).payload is result.payload
        assert again.undo(result.payload) == session.until(6)
        grown = compact(again, session.until(8, sent, known=6))
        assert grown.payload["messages"] == [*sent, *session.messages[13:17]]
        assert compact(again, session.until(8)).payload == grown.payload
        assert again.undo(grown.payload) == session.until(8)


@wires
@pytest.mark.parametrize("first", [0, 1])
def test_notes_over_notes(wire: str, first: int) -> None:
    """Decided over originals and over output fed back alike; undone to the original."""
    session = Session(wire)
    seen = list[list[Any]]()
    for feeds_back in (False, True):
        one = folding(noting(session.note(2, 3)))
        sent = compact(one, session.until(5), force=True).payload["messages"]
        two = folding(noting(session.note(first, 5)), one.store)
        payload = session.until(8, sent if feeds_back else None, known=5)
        result = compact(two, payload, force=True)
        assert result.report.edits
        assert two.undo(result.payload) == session.until(8)
        seen.append(result.payload["messages"])
    assert seen[0] == seen[1]


@wires
def test_a_note_that_went_into_another_does_not_come_back(wire: str) -> None:
    """Both end with the same message, and the boundary at which the second was decided went into a third."""
    session, store = Session(wire), memory_store()
    for notes, end in (([session.note(2, 3)], 5), ([session.note(1, 3)], 6), ([session.note(5, 7)], 9)):
        result = compact(folding(noting(*notes), store), session.until(end), force=True)
        assert result.report.edits
    sent = result.payload
    for one in (folding(noting(), store), folding(noting(session.note(5, 7)), store)):
        assert compact(one, sent).payload is sent
        assert one.undo(sent) == session.until(9)


@wires
@pytest.mark.parametrize(("first", "last"), [(1, 2), (3, 5)])
def test_a_note_never_splits_another(wire: str, first: int, last: int) -> None:
    session = Session(wire)
    one = folding(noting(session.note(2, 4)))
    sent = compact(one, session.until(7), force=True)
    two = folding(noting(session.note(first, last)), one.store)
    again = compact(two, session.until(8), force=True)
    assert again.payload["messages"][: len(sent.payload["messages"])] == sent.payload["messages"]
    assert again.report.tokens_after >= sent.report.tokens_after


@wires
def test_a_note_in_the_place_of_a_note_must_save(wire: str) -> None:
    session = Session(wire)
    one = folding(noting(session.note(2, 4)))
    sent = compact(one, session.until(7), force=True)
    two = folding(noting(session.note(2, 4, words="Files were read. " * 50)), one.store)
    again = compact(two, session.until(8), force=True)
    assert again.payload["messages"][: len(sent.payload["messages"])] == sent.payload["messages"]


@wires
@pytest.mark.parametrize("known", [False, True])
def test_a_note_over_what_was_cut_before(wire: str, known: bool) -> None:
    """Results cut on arrival, then noted, then fed back: no old edit is applied to the note."""
    session = Session(wire)
    passes: list[Pass] = [ScriptedIngest(stubs), *noting(session.note(1, 3))]
    one = folding(passes)
    for exchanges in range(1, 6):
        compact(one, session.until(exchanges))
    sent = compact(one, session.until(6), force=True).payload["messages"]
    assert len(sent) == 8
    two = one if known else folding(passes, one.store)
    again = compact(two, session.until(7, sent, known=6))
    assert again.payload["messages"][: len(sent)] == sent
    assert two.undo(again.payload) == session.until(7)
    assert compact(two, session.until(7)).payload == again.payload


@wires
def test_a_note_that_would_hide_a_fact_is_widened(wire: str) -> None:
    session = Session(wire)
    one = Compactor(
        store=memory_store(),
        passes=noting(session.note(1, 3)),
        facts=["part 2 line 7:"],
        config={"protect_results": 0},
    )
    result = compact(one, session.until(6), force=True)
    assert result.changed
    assert "part 2 line 7: value" in json.dumps(result.payload)
    assert any("widened to keep 'part 2 line 7:'" in edit.reason for edit in result.report.edits)


@wires
def test_a_note_on_arrival_is_refused(wire: str) -> None:
    """Ingest touches what was never sent, and nothing else."""
    session = Session(wire)
    note = session.note(1, 3)
    one = folding([ScriptedIngest(lambda view: [note])])
    assert not compact(one, session.until(6)).changed


@wires
def test_a_note_leaves_protected_results(wire: str) -> None:
    session = Session(wire)
    one = Compactor(store=memory_store(), passes=noting(session.note(1, 4)), config={"protect_results": 3})
    result = compact(one, session.until(6), force=True)
    assert not result.changed
