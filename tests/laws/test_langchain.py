"""The laws for LangChain messages, as objects and in their forms of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import assume, given, strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, messages_from_dict
from tests.laws.play import Play, attempt, compact, law, plays
from tests.strategies_langchain import langchain_requests, plain

from trimtab import validate
from trimtab.stubs import HANDLE

FORMS = ("bytes", "request", "list", "dumped", "enveloped", "constructed")
OBJECTS = ("request", "list")
NOTE = "Some work was done."


class Session(Play):
    """A play whose messages are objects, or JSON made of them."""

    @property
    def budget(self) -> int | None:
        text = json.dumps([plain(one) for one in self.request["messages"]])
        return None if self.share is None else int(self.share * len(text) / 4) + 1

    def payload(self, messages: list[Any] | None = None) -> Any:
        given = self.request["messages"] if messages is None else messages
        match self.form:
            case "list":
                return list(given)
            case "bytes" if messages is None:
                return self.style.write({**self.request, "messages": [plain(one) for one in given]})
            case "bytes":
                return self.style.write({**self.request, "messages": given})
            case "dumped" | "enveloped" | "constructed" if messages is None:
                given = [shaped(self.form, one) for one in given]
        return {**self.request, "messages": list(given)}

    def calls(self) -> Iterator[list[Any]]:
        payload = self.payload()
        messages = messages_of(payload)
        for n in range(1, len(messages)):
            if isinstance(self.request["messages"][n], AIMessage):
                yield messages[:n]
        yield messages


def shaped(form: str, message: BaseMessage) -> Any:
    fields = plain(message)
    if form == "enveloped":
        return {"type": message.type, "data": fields}
    if form == "constructed":
        return {"lc": 1, "type": "constructor", "id": message.lc_id(), "kwargs": fields}
    return fields


def messages_of(payload: Any) -> list[Any]:
    value = json.loads(payload.decode("utf-8-sig")) if isinstance(payload, bytes) else payload
    found: list[Any] = value if isinstance(value, list) else value["messages"]
    return found


def sessions(forms: tuple[str, ...] = FORMS) -> st.SearchStrategy[Session]:
    return plays(langchain_requests(most=3), forms=forms).map(lambda play: Session(*play))


@given(sessions())
@law
def test_nothing_to_do_gives_back_the_very_object(session: Session) -> None:
    payload = session.payload()
    result = compact(session.compactor(passes=(), budget=None), payload)
    assert result.payload is payload
    assert not result.changed


@given(sessions())
@law
def test_the_strategies_make_valid_requests(session: Session) -> None:
    assert validate(session.payload()) == []


@given(sessions())
@law
def test_output_is_valid_and_undone(session: Session) -> None:
    payload, compactor = session.payload(), session.compactor()
    result = attempt(compactor, payload)
    assume(result is not None)
    assert result is not None
    assert validate(result.payload) == []
    for one in (compactor, session.compactor(compactor.store)):
        back = one.undo(result.payload)
        assert back == payload
        assert list(map(type, messages_of(back))) == list(map(type, messages_of(payload)))
    shown = str(messages_of(result.payload))
    known = str(session.request)
    assert all(handle in known or compactor.recall(handle).data for handle in HANDLE.findall(shown))


@given(sessions(OBJECTS))
@law
def test_the_callers_objects_are_never_changed(session: Session) -> None:
    before = [repr(one) for one in session.request["messages"]]
    compactor = session.compactor()
    result = attempt(compactor, session.payload())
    if result is not None:
        sent = [repr(one) for one in messages_of(result.payload)]
        compactor.undo(result.payload)
        assert [repr(one) for one in messages_of(result.payload)] == sent
    assert [repr(one) for one in session.request["messages"]] == before


@given(sessions(OBJECTS))
@law
def test_untouched_objects_come_back_by_identity_and_others_with_all_but_their_content(session: Session) -> None:
    payload = session.payload()
    result = attempt(session.compactor(passes=None), payload)
    if result is not None and result.changed:
        for before, after in zip(messages_of(payload), messages_of(result.payload), strict=True):
            assert type(after) is type(before)
            assert after is before or after != before
            assert (after.id, after.response_metadata) == (before.id, before.response_metadata)
            assert getattr(after, "artifact", None) is getattr(before, "artifact", None)
            assert getattr(after, "usage_metadata", None) is getattr(before, "usage_metadata", None)


@given(sessions(OBJECTS))
@law
def test_notes_are_human_messages(session: Session) -> None:
    result = attempt(session.compactor(), session.payload())
    if result is not None:
        notes = [one for one in messages_of(result.payload) if NOTE in str(one.content)]
        assert all(type(one) is HumanMessage for one in notes)


@given(sessions(("enveloped",)))
@law
def test_envelopes_stay_envelopes(session: Session) -> None:
    result = attempt(session.compactor(), session.payload())
    if result is not None:
        made = messages_from_dict(messages_of(result.payload))
        assert validate(made) == []


@given(sessions())
@law
def test_compacting_what_was_compacted_gives_back_the_same_object(session: Session) -> None:
    compactor = session.compactor(passes=None)
    result = attempt(compactor, session.payload())
    if result is not None:
        for one in (compactor, session.compactor(compactor.store, passes=None)):
            assert compact(one, result.payload).payload is result.payload


@given(sessions(("list",)), st.sampled_from(["dumped", "enveloped", "constructed", "bytes"]))
@law
def test_every_form_is_the_same_conversation(session: Session, form: str) -> None:
    """What was decided for one holds for the others: as after a checkpoint."""
    other = session._replace(form=form)
    assert isinstance(other, Session)
    compactor = session.compactor(passes=None)
    first = attempt(compactor, session.payload())
    if first is not None:
        again = compact(compactor, other.payload())
        assert again.report.edits == ()
        assert again.report.tokens_after == first.report.tokens_after
        assert HANDLE.findall(str(messages_of(again.payload))) == HANDLE.findall(str(messages_of(first.payload)))


@given(sessions(OBJECTS))
@law
def test_all_places_of_a_call_say_the_same(session: Session) -> None:
    result = attempt(session.compactor(), session.payload())
    if result is not None:
        for message in messages_of(result.payload):
            for call in getattr(message, "tool_calls", ()):
                held = list(places(message, call["id"], call["name"]))
                assert all(one == call["args"] for one in held), (call, held)


@given(sessions())
@law
def test_fed_back_it_shows_the_same_as_fed_originals(session: Session) -> None:
    one, other = session.compactor(passes=None), session.compactor(passes=None)
    history, known = list[Any](), 0
    for messages in session.calls():
        expected = attempt(one, session.payload(messages), at=1.0)
        history, known = [*history, *messages[known:]], len(messages)
        result = attempt(other, session.payload(history), at=1.0)
        assert (result is None) == (expected is None)
        if result is not None and expected is not None:
            history = messages_of(result.payload)
            assert history == messages_of(expected.payload)


def places(message: Any, call_id: str, name: str) -> Iterator[Any]:
    """The arguments of a call wherever a message holds them, as objects."""
    for item in message.content if isinstance(message.content, list) else ():
        if isinstance(item, dict) and call_id in (item.get("id"), item.get("call_id")):
            yield (
                item.get("input") or item.get("args") or json.loads(item.get("partial_json") or item["arguments"])
            )
    for call in message.additional_kwargs.get("tool_calls", ()):
        if call["id"] == call_id:
            yield json.loads(call["function"]["arguments"])
    for chunk in getattr(message, "tool_call_chunks", ()):
        if chunk["id"] == call_id:
            yield json.loads(chunk["args"] or "")
    last = message.additional_kwargs.get("function_call", {})
    if (
        last.get("name") == name
        and [one["id"] for one in message.tool_calls if one["name"] == name][-1] == call_id
    ):
        yield json.loads(last["arguments"])
