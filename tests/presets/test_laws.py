"""The laws, for every preset on every wire."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.laws.play import attempt, compact, law
from tests.presets.playing import NAMES, Session, around, changed, eager, sessions, undeclared

from trimtab import Compactor, Place, validate
from trimtab.passes import Stage
from trimtab.presets import Preset
from trimtab.reach import Rules, When
from trimtab.stubs import HANDLE
from trimtab.testing import memory_store

OPTIONS = ("context_management",)
"""Fields by which a preset asks the provider for something; they have no size."""

few = settings(law, max_examples=8)
presets = pytest.mark.parametrize("name", NAMES)


def idle(name: str) -> Preset:
    """The preset as one that never has a reason to act, without what it does on arrival."""

    def change(rules: Rules) -> Rules:
        folds = tuple(one for one in rules.passes if one.stage is Stage.FOLD)
        return replace(rules, when=When(tokens=10**9), passes=folds, frames=(), policy=None)

    return changed(name, change)


@presets
@given(session=sessions())
@few
def test_without_a_reason_the_very_object_goes_out(name: str, session: Session) -> None:
    payload = session.payload()
    result = compact(Compactor(preset=idle(name), store=memory_store(), config={}), payload)
    assert result.payload is payload
    assert not result.changed


@presets
@given(session=sessions())
@few
def test_what_was_valid_is_valid_and_comes_back(name: str, session: Session) -> None:
    payload, compactor = session.payload(), session.at_work(name)
    result = attempt(compactor, payload)
    if result is not None:
        assert {one.rule for one in validate(result.payload)} <= {one.rule for one in validate(payload)}
        assert compactor.undo(result.payload) == payload
        assert all(edit.saved > 0 or edit.place in OPTIONS for edit in result.report.edits)
        assert not [one for one in result.report.refused if one.rule == "pass-failed" or "splits" in one.text]
        for edit in result.report.edits:
            assert compactor.recall(edit.handle, payload=result.payload).data


@presets
@given(session=sessions())
@few
def test_compacting_what_was_compacted_gives_back_the_same_object(name: str, session: Session) -> None:
    compactor = session.at_work(name)
    result = attempt(compactor, session.payload())
    if result is not None:
        for one in (compactor, session.at_work(name, compactor.store)):
            assert compact(one, result.payload).payload is result.payload


@presets
@given(session=sessions())
@few
def test_what_it_does_not_declare_stays(name: str, session: Session) -> None:
    payload, places = session.payload(), eager(name).rules().places
    result = attempt(session.at_work(name), payload)
    if result is not None:
        given, sent = around(session, payload), around(session, result.payload)
        set_here = OPTIONS if Place.OPTIONS in places else ()
        assert {key: held for key, held in sent.items() if key not in set_here or key in given} == given
        handles = {edit.handle for edit in result.report.edits}
        assert undeclared(result.payload, places, handles) == undeclared(payload, places)


@presets
@given(session=sessions())
@few
def test_between_folds_a_message_is_sent_as_it_was_sent(name: str, session: Session) -> None:
    compactor, sent = session.at_work(name), list[Any]()
    for messages in session.calls():
        result = attempt(compactor, session.payload(messages))
        if result is not None:
            now, first = session.messages_of(result.payload), result.report.first_changed
            kept = next(
                (n for n, pair in enumerate(zip(sent, now, strict=False)) if pair[0] != pair[1]), len(sent)
            )
            assert kept == len(sent) or first is not None
            if (
                first is not None and kept < len(sent) and len(now) == len(messages)
            ):  # no note stands: places are those of the request
                assert first <= kept
            sent = now


@presets
@given(session=sessions())
@few
def test_what_was_fed_back_and_folded_again_comes_back(name: str, session: Session) -> None:
    """As objects: a style that adds fields to a note makes it a message of the client."""
    session = session._replace(form="dict")
    compactor, history, known = session.at_work(name), list[Any](), 0
    for messages in session.calls():
        history, known = [*history, *messages[known:]], len(messages)
        result = attempt(compactor, session.payload(history))
        if result is not None:
            history = session.messages_of(result.payload)
            assert session.messages_of(compactor.undo(result.payload)) == session.messages_of(
                session.payload(messages)
            )


@presets
@given(session=sessions())
@few
def test_the_journal_replays_to_the_output(name: str, session: Session) -> None:
    compactor = session.at_work(name)
    result = attempt(compactor, session.payload())
    if result is not None:
        again = session.at_work(name, compactor.store)
        assert again.replay(session.payload()) == result.payload
        shown = HANDLE.findall(str(session.messages_of(result.payload)))
        entries = again.explain(session.payload())
        mine = {one.handle for entry in entries for one in entry.records}
        mine |= {one.handle for entry in entries for one in entry.cuts}
        assert all(again.recall(handle).data for handle in shown if handle in mine)
