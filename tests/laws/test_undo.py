"""Law 7: undo gives back the input, byte for byte, whatever happened in between."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from tests.laws.play import Play, attempt, law, messages_of, plays

from trimtab import Compactor
from trimtab.testing import memory_store


@given(plays())
@law
def test_undo_restores_the_input(play: Play) -> None:
    payload, compactor = play.payload(), play.compactor()
    result = attempt(compactor, payload)
    if result is not None:
        for one in (compactor, play.compactor(compactor.store)):
            assert one.undo(result.payload) == payload


@given(plays())
@law
def test_undo_leaves_what_was_never_edited(play: Play) -> None:
    payload, compactor = play.payload(), play.compactor()
    attempt(compactor, payload)
    assert compactor.undo(payload) is payload


@given(plays())
@law
def test_undo_restores_what_was_fed_back_and_folded_again(play: Play) -> None:
    compactor, history, known = play.compactor(), list[Any](), 0
    last: tuple[Any, list[Any]] | None = None
    for messages in play.calls():
        history, known = [*history, *messages[known:]], len(messages)
        result = attempt(compactor, play.payload(history))
        if result is not None:
            history, last = messages_of(result.payload), (result.payload, messages)
    if last is not None:
        assert messages_of(compactor.undo(last[0])) == messages_of(play.payload(last[1]))


@given(plays())
@law
def test_the_journal_replays_to_the_output(play: Play) -> None:
    one = play.compactor()
    result = attempt(one, play.payload())
    if result is not None:
        assert play.compactor(one.store).replay(play.payload()) == result.payload


def test_undo_passes_over_a_field_whose_name_no_store_can_hold() -> None:
    payload = b'{"messages":[{"role":"user","content":"hello"}],"\\ud800":7}'
    assert Compactor(store=memory_store()).undo(payload) is payload
