"""The laws for Gemini and Bedrock Converse."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import assume, given, strategies as st
from tests.laws.play import Play, attempt, compact, law, plays
from tests.strategies_bedrock import bedrock_requests
from tests.strategies_gemini import gemini_requests

from trimtab import validate
from trimtab.stubs import HANDLE

KEPT = frozenset({"thoughtSignature", "thought", "id", "name", "status", "toolUseId", "x_unknown", "x_list"})
WHOLE = (
    "reasoningContent",
    "guardContent",
    "citationsContent",
    "cachePoint",
    "executableCode",
    "x_new",
    "toolCall",
)


class Session(Play):
    """A play whose messages stand under `contents` or `messages`."""

    @property
    def key(self) -> str:
        return "contents" if "contents" in self.request else "messages"

    def payload(self, messages: list[Any] | None = None) -> Any:
        request = {**self.request, self.key: self.request[self.key] if messages is None else messages}
        if self.form == "bytes":
            return self.style.write(request)
        fresh = json.loads(json.dumps(request))
        return fresh if self.form == "dict" else fresh[self.key]

    def calls(self) -> Iterator[list[Any]]:
        messages = self.request[self.key]
        for n in range(1, len(messages)):
            if messages[n].get("role") in ("assistant", "model"):
                yield messages[:n]
        yield messages

    def messages_of(self, payload: Any) -> list[Any]:
        value = json.loads(payload.decode("utf-8-sig")) if isinstance(payload, bytes) else payload
        found: list[Any] = value if isinstance(value, list) else value[self.key]
        return found


def sessions() -> st.SearchStrategy[Session]:
    return plays(gemini_requests() | bedrock_requests()).map(lambda play: Session(*play))


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
    assert compactor.undo(result.payload) == payload
    shown = json.dumps(session.messages_of(result.payload))
    assert all(
        handle in json.dumps(session.request) or compactor.recall(handle).data for handle in HANDLE.findall(shown)
    )


@given(sessions())
@law
def test_compacting_what_was_compacted_gives_back_the_same_object(session: Session) -> None:
    compactor = session.compactor(passes=None)
    result = attempt(compactor, session.payload())
    if result is not None:
        for one in (compactor, session.compactor(compactor.store, passes=None)):
            assert compact(one, result.payload).payload is result.payload


@given(sessions())
@law
def test_what_is_not_understood_is_kept_whole(session: Session) -> None:
    payload = session.payload()
    result = attempt(session.compactor(passes=None), payload)
    if result is not None:
        assert Counter(whole(session.messages_of(result.payload))) == Counter(whole(session.messages_of(payload)))


@given(sessions())
@law
def test_untouched_objects_come_back_by_identity(session: Session) -> None:
    assume(session.form != "bytes")
    payload = session.payload()
    result = attempt(session.compactor(passes=None), payload)
    if result is not None and result.changed:
        pairs = zip(session.messages_of(payload), session.messages_of(result.payload), strict=True)
        assert all(after is before or after != before for before, after in pairs)


@given(sessions())
@law
def test_fed_back_it_shows_the_same_as_fed_originals(session: Session) -> None:
    one, other = session.compactor(passes=None), session.compactor(passes=None)
    history, known, sent = list[Any](), 0, list[Any]()
    for messages in session.calls():
        expected = attempt(one, session.payload(messages), at=1.0)
        history, known = [*history, *messages[known:]], len(messages)
        result = attempt(other, session.payload(history), at=1.0)
        assert (result is None) == (expected is None)
        if result is not None and expected is not None:
            history = session.messages_of(result.payload)
            assert history == session.messages_of(expected.payload)
            first = result.report.first_changed
            kept = next(
                (n for n, pair in enumerate(zip(sent, history, strict=False)) if pair[0] != pair[1]), len(sent)
            )
            assert kept == len(sent) or (first is not None and first <= kept)
            sent = history


def whole(value: Any) -> Iterator[str]:
    """What may never change, as JSON: signatures, ids, names, unknown fields, and parts that are kept whole."""
    if isinstance(value, list):
        for item in value:
            yield from whole(item)
    elif isinstance(value, dict):
        for key, held in value.items():
            if key in KEPT or key in WHOLE:
                yield json.dumps([key, held])
            elif key not in ("args", "input", "response", "json"):
                yield from whole(held)
