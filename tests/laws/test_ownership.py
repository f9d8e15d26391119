"""Law 11: the caller's objects are the caller's; conversations and namespaces keep to themselves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from tests.laws.play import Play, attempt, compact, law, messages_of, plays

from trimtab import Compactor, HandleError
from trimtab.stores import open_store
from trimtab.stubs import HANDLE
from trimtab.testing import conversation, memory_store

wires = pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])


@given(plays(forms=("dict", "list")))
@law
def test_the_callers_objects_are_never_changed(play: Play) -> None:
    payload, compactor = play.payload(), play.compactor()
    before = deepcopy(payload)
    result = attempt(compactor, payload)
    assert payload == before
    if result is not None:
        sent = deepcopy(result.payload)
        assert compactor.undo(result.payload) == before
        assert (payload, result.payload) == (before, sent)


@given(plays(forms=("dict", "list")))
@law
def test_what_a_caller_does_to_a_result_changes_no_later_one(play: Play) -> None:
    compactor = play.compactor()
    result = attempt(compactor, play.payload())
    if result is not None:
        expected = deepcopy(result.payload)
        for message in messages_of(result.payload):
            spoil(message)
        assert compact(compactor, play.payload()).payload == expected
        spoil(compactor.undo(deepcopy(expected)))
        assert compactor.undo(expected) == play.payload()


def spoil(value: Any) -> None:
    """Change every object and list in place."""
    for item in list(value.values() if isinstance(value, dict) else value):
        if isinstance(item, dict | list):
            spoil(item)
    value.clear()


@wires
def test_namespaces_on_one_file_never_see_each_other(wire: str, tmp_path: Path) -> None:
    payload, store = conversation(wire, exchanges=8), open_store(tmp_path / "trimtab.db")
    one, other = (Compactor(store=store, budget=3_000, config={"namespace": name}) for name in ("a", "b"))
    sent = compact(one, payload).payload
    handles = HANDLE.findall(str(sent))
    assert len(handles) > 2
    for handle in handles:
        assert one.recall(handle).data
        with pytest.raises(HandleError):
            other.recall(handle)
    assert other.undo(sent) is sent
    assert other.explain(payload) == []
    assert compact(other, sent, at=1.0).report.standing == 0
    assert one.undo(sent) == payload
    store.close()


@wires
def test_conversations_interleaved_in_threads_do_not_mix(wire: str) -> None:
    sessions = [conversation(wire, exchanges=9, size=300 + 50 * n) for n in range(6)]
    alone = [run(Compactor(store=memory_store(), budget=2_500, config={}), session) for session in sessions]
    shared = Compactor(store=memory_store(), budget=2_500, config={})
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda session: run(shared, session), sessions))
    assert together == alone
    assert [
        shared.undo({**session, "messages": sent[-1]}) for session, sent in zip(sessions, together, strict=True)
    ] == (sessions)


@wires
def test_threads_that_send_the_same_get_the_same(wire: str) -> None:
    session, store = conversation(wire, exchanges=9), memory_store()
    compactors = [Compactor(store=store, budget=2_500, config={}) for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: run(compactors[n % 2], session), range(4)))
    assert all(sent == found[0] for sent in found)


def run(compactor: Compactor, session: dict[str, Any]) -> list[list[Any]]:
    """What was sent at each call of a session."""
    messages = session["messages"]
    ends = [n for n in range(1, len(messages) + 1) if n == len(messages) or messages[n]["role"] == "assistant"]
    return [compact(compactor, {**session, "messages": messages[:end]}).payload["messages"] for end in ends]
