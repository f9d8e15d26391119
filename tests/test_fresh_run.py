"""The handoff note: the task and the user's words, what was called, what is open, and handles that resolve."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.cases.transcripts import Call, calls, encoded, png, request, results, says, user, wires
from tests.strategies import requests

from trimtab import Compactor, example
from trimtab.edits import Ask
from trimtab.example import record
from trimtab.fresh_run import check_note, handoff
from trimtab.stubs import HANDLE
from trimtab.testing import lines, memory_store, note_of

LONG = lines(2_000, "long")


def session(wire: str) -> dict[str, Any]:
    return request(
        wire,
        user("Mend the tax.\n\nNever touch the tests."),
        calls(("a", "tax.py")),
        results(("a", LONG)),
        calls(Call("b", "write_file", {"path": "tax.py", "content": LONG})),
        results(("b", "ok")),
        says("Done, I think."),
        user("Not yet: the coast is wrong."),
        calls(("c", "coast.py"), ("d", "coast.csv")),
        results(("c", "short\n"), ("d", [png(64, 64)])),
        calls(("e", "open.py")),
    )


@wires
def test_what_the_user_said_stands_word_for_word(wire: str) -> None:
    note = handoff(session(wire), Compactor(store=memory_store()))
    assert note.task == "Mend the tax.\n\nNever touch the tests."
    assert note.said == ("Not yet: the coast is wrong.",)
    assert note.last == "Done, I think."
    assert note.task in str(note)
    assert note.said[0] in str(note)


@wires
def test_calls_open_calls_and_files_are_told(wire: str) -> None:
    note = handoff(session(wire), Compactor(store=memory_store()))
    assert [one.tool for one in note.calls] == ["read", "write_file", "read", "read"]
    assert note.waiting == ('read({"path":"open.py"})',)
    assert [one.path for one in note.files] == ["tax.py", "coast.py", "coast.csv"]
    assert note.files[0].read
    assert note.files[0].written
    assert not note.files[1].written


@wires
@pytest.mark.parametrize("form", ["bytes", "dict"])
def test_every_handle_resolves_and_brings_back_what_is_not_shown(wire: str, form: str) -> None:
    compactor = Compactor(store=memory_store())
    given = session(wire)
    note = handoff(encoded(given) if form == "bytes" else given, compactor, tokens=600)
    for handle in HANDLE.findall(str(note)):
        assert compactor.recall(handle, payload=given).data
    read, written = note.files[0].read, note.files[0].written
    assert compactor.recall(read, whole=True).text == LONG
    assert json.loads(compactor.recall(written, whole=True).text) == {"path": "tax.py", "content": LONG}
    assert LONG not in str(note)
    [picture] = note.calls[3].handles
    assert compactor.recall(picture).data.startswith(b"\x89PNG")


@wires
def test_a_note_is_as_small_as_was_asked_for(wire: str) -> None:
    compactor = Compactor(store=memory_store())
    sizes = [compactor.counter.count([str(handoff(session(wire), compactor, n))])[0] for n in (600, 1500, 100_000)]
    assert sizes[0] <= 600 < sizes[1] <= 1500 < sizes[2]


@wires
def test_without_a_store_nothing_is_cut(wire: str) -> None:
    note = str(handoff(session(wire), Compactor(store=None), tokens=1))
    assert LONG in note
    assert HANDLE.search(note) is None


@wires
def test_a_compacted_request_gives_the_note_of_the_original(wire: str) -> None:
    compactor = Compactor(preset="ledger", store=memory_store())
    given = request(
        wire,
        user("Look."),
        *(step for n in range(9) for step in (calls((f"c{n}", f"{n}.py")), results((f"c{n}", LONG)))),
    )
    sent = compactor.compact(given, force=True).payload
    assert sent != given
    assert str(handoff(sent, compactor)) == str(handoff(given, compactor))
    assert compactor.undo(sent) == given


@wires
def test_a_failed_write_wrote_nothing(wire: str) -> None:
    given = request(
        "anthropic", user("Go."), calls(Call("a", "write_file", {"path": "x"})), results(("a", "denied"))
    )
    given["messages"][2]["content"][0]["is_error"] = True
    note = handoff(given, Compactor(store=memory_store()))
    assert note.files == ()
    assert note.calls[0].failed


def test_the_six_facts_of_the_example_stand_in_a_note_of_1500_tokens() -> None:
    for seed in (0, 7, 15):
        note = str(handoff(example.cut(5, record.build("anthropic", seed)), Compactor(store=memory_store()), 1500))
        assert [name for name, fact in record.facts(seed).items() if fact not in note] == []


def says_so(ask: Ask) -> str:
    return note_of(
        "tax.py has long line 7.", "tax.py has long line 7777.", "The mood is good in Kopenhagen today."
    )


@wires
def test_what_a_model_adds_stands_as_far_as_it_is_so(wire: str) -> None:
    note = handoff(session(wire), Compactor(store=memory_store()), writer=says_so)
    assert note.written["Facts found"] == ("tax.py has long line 7.",)
    assert len(note.faults) == 2
    assert "7777" not in str(note)
    assert "## Facts found\n\n- tax.py has long line 7." in str(note)
    assert "1 struck" not in str(note)
    assert "2 struck" in str(note)


@wires
def test_a_writer_that_fails_leaves_the_note_as_it_is_without_one(wire: str) -> None:
    def fails(ask: Ask) -> str:
        raise ConnectionError("no route")

    plain = handoff(session(wire), Compactor(store=memory_store()))
    note = handoff(session(wire), Compactor(store=memory_store()), writer=fails)
    assert str(note) == str(plain)
    assert any("no route" in one for one in note.faults)


def test_a_note_is_held_against_its_request() -> None:
    compactor = Compactor(store=memory_store())
    given = session("anthropic")
    count, faults = check_note("tax.py was written.\ntax.py has 4711 lines.", given, compactor)
    assert count == 2
    assert [one.text for one in faults] == ["tax.py has 4711 lines."]
    assert check_note(str(handoff(given, compactor)), given, compactor) == (0, [])


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(requests(), st.sampled_from([1, 500, 5_000]))
def test_a_note_of_any_request_changes_nothing_of_how_it_is_compacted_and_undone(
    given: dict[str, Any], tokens: int
) -> None:
    store = memory_store()
    compactor, plain = Compactor(store=store), Compactor(store=memory_store())
    note = handoff(given, compactor, tokens)
    for handle in {*(one for call in note.calls for one in call.handles)}:
        compactor.recall(handle)
    result = compactor.compact(given, force=True)
    assert result.payload == plain.compact(given, force=True).payload
    assert compactor.undo(result.payload) == given
    assert handoff(given, compactor, tokens) == note
