"""Law 9: every handle that trimtab shows brings the original back; what only looks like one is left alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from tests.laws.play import Play, attempt, law, messages_of, plays
from tests.strategies import LOOK_ALIKE

from trimtab import Compactor, HandleError
from trimtab.journal import SPAN, Kind
from trimtab.reader import Reader
from trimtab.request import countable
from trimtab.stubs import HANDLE
from trimtab.testing import exchange, memory_store
from trimtab.transcript import Media, ToolCall


@given(plays())
@law
def test_every_handle_shown_brings_the_original_back(play: Play) -> None:
    """Fed back, so that the store must hold parts that were first cut in messages cut before."""
    compactor = play.compactor()
    given, history, known, sent = "", list[Any](), 0, None
    for messages in play.calls():
        history, known = [*history, *messages[known:]], len(messages)
        result = attempt(compactor, play.payload(history))
        if result is not None:
            sent, given = result, json.dumps(messages)
            history = messages_of(result.payload)
    if sent is not None:
        for handle in HANDLE.findall(json.dumps(messages_of(sent.payload))):
            assert handle in given or compactor.recall(handle).data


@given(plays())
@law
def test_originals_come_back_part_by_part(play: Play) -> None:
    compactor, payload = play.compactor(), play.payload()
    result = attempt(compactor, payload)
    if result is None:
        return
    request = Reader(compactor.counter, compactor.store, "default").read(payload)
    for artifact in compactor.store.artifacts("default", request.names):
        found = compactor.recall(artifact.handle)
        if artifact.part == SPAN or artifact.kind is Kind.MESSAGE:
            continue
        part = request.parsed[request.index[artifact.origin]].message.parts[artifact.part]
        if isinstance(part, Media):
            assert found.media_type == part.media_type
        else:
            assert found.text == (part.arguments if isinstance(part, ToolCall) else countable(part))


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_what_only_looks_like_a_stub_is_left_alone(wire: str) -> None:
    compactor = Compactor(store=memory_store(), config={})
    messages = [{"role": "user", "content": "go"}, *exchange(wire, "a", "x.py", LOOK_ALIKE)]
    assert compactor.undo(messages) is messages
    assert compactor.compact(messages, force=True).payload is messages
    with pytest.raises(HandleError):
        compactor.recall(HANDLE.findall(LOOK_ALIKE)[0])


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_a_stub_issued_elsewhere_is_plain_text_here(wire: str) -> None:
    """Quoted in another place, the very text of a stub is not taken for the original."""
    compactor = Compactor(store=memory_store(), config={"protect_results": 0})
    long = "".join(f"line {n}\n" for n in range(900))
    task = {"role": "user", "content": "go"}
    sent = compactor.compact(
        [task, *exchange(wire, "a", "x.py", long), *exchange(wire, "b", "y.py", "ok")], force=True
    )
    assert sent.changed
    quoted = sent.payload[2]
    other = [task, {"role": "user", "content": "more"}, sent.payload[1], quoted]
    assert compactor.undo(other) is other
