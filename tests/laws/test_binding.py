"""Models whose thinking is bound to its prefix: in a tool loop nothing before it changes (A5)."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from tests.laws.play import Play, attempt, law, messages_of, plays
from tests.strategies import BINDING, build, requests
from tests.styles import Style

from trimtab import validate

BOUND = plays(requests("anthropic").map(lambda request: {**request, "model": BINDING}), forms=("bytes", "dict"))
ANY = BOUND | plays(requests("anthropic"), forms=("bytes", "dict"))


@given(BOUND)
@law
def test_thinking_is_sent_over_an_unchanged_prefix_or_not_at_all(play: Play) -> None:
    """Each signed block that is sent stands over exactly what stood before it when it was made."""
    compactor = play.compactor()
    sent: list[Any] = []
    before: Any = None
    for messages in play.calls():
        payload = play.payload(messages)
        result = attempt(compactor, payload)
        if result is None:
            return
        assert "A5" not in rules(result.payload, payload if before is None else before)
        before = result.payload
        now = messages_of(result.payload)
        for index in signed(now):
            if index < len(sent):
                assert now[:index] == sent[:index]
        sent = now
        assert not {one.rule for one in validate(result.payload)} - {
            one.rule for one in validate(play.payload(messages))
        }


HALF_DROPPED = Play(
    build("anthropic", 2638, [(274724503, [2951, 263242, 1048576, 8987, 170]), (62985494, [664, 6]), (268, [])]),
    "bytes",
    Style("", False, True, True, True, 3),
    0.6,
    71,
    (),
)
"""A pass drops one of two thinking parts of the latest answer."""


@given(ANY)
@example(HALF_DROPPED)
@law
def test_validate_finds_neither_A4_nor_A5_in_what_was_made_of_a_request(play: Play) -> None:
    """A4 at each call of a session; A5 where no call was before: later ones stand over what was sent."""
    compactor = play.compactor()
    for number, messages in enumerate(play.calls()):
        payload = play.payload(messages)
        for one in (compactor, play.compactor()):
            result = attempt(one, payload)
            if result is not None:
                found = rules(result.payload, payload)
                assert "A4" not in found
                assert "A5" not in found or (one is compactor and number)


def rules(payload: Any, before: Any) -> set[str]:
    return {one.rule for one in validate(payload, before=before)}


@given(BOUND)
@law
def test_in_an_open_exchange_all_thinking_of_it_stays(play: Play) -> None:
    payload = play.payload()
    result = attempt(play.compactor(), payload)
    messages = play.request["messages"]
    if result is not None and is_results(messages[-1]):
        start = max(n for n, one in enumerate(messages) if one["role"] == "user" and not is_results(one))
        kept = len(messages) - start
        assert thoughts(messages_of(result.payload)[-kept:]) == thoughts(messages_of(payload)[-kept:])


def signed(messages: list[Any]) -> list[int]:
    return [n for n, one in enumerate(messages) if thoughts([one])]


def thoughts(messages: list[Any]) -> list[Any]:
    return [
        block
        for message in messages
        if isinstance(message["content"], list)
        for block in message["content"]
        if block.get("type") in ("thinking", "redacted_thinking")
    ]


def is_results(message: Any) -> bool:
    content = message["content"]
    return isinstance(content, list) and any(block.get("type") == "tool_result" for block in content)
