"""The default preset folds when that pays: the same decisions whoever makes them, never dearer than allowed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.laws.play import messages_of

from trimtab import Compactor
from trimtab.replay.atoms import needs
from trimtab.replay.baselines import KEEP_ALL
from trimtab.replay.play import play
from trimtab.replay.presets import OfPreset
from trimtab.replay.segment import segments
from trimtab.sessions.base import Call, Session
from trimtab.testing import conversation, lines, memory_store

WARM = {"window": 1_000_000, "presets": {"default": {"marks": "good"}}}

PAUSE = 3_600.0
"""Seconds after which no cache is warm."""


def long_session(wire: str, sizes: list[int]) -> dict[str, Any]:
    """A conversation whose results have so many lines, and calls that go on from them."""
    request = conversation(wire, exchanges=len(sizes))
    texts = iter(sizes)
    for message in request["messages"]:
        for part in message["content"] if isinstance(message.get("content"), list) else ():
            if part.get("type") == "tool_result":
                part["content"] = lines(next(texts), part["tool_use_id"])
        if message["role"] == "tool":
            message["content"] = lines(next(texts), message["tool_call_id"])
    return request


def calls(request: dict[str, Any], times: list[float]) -> list[tuple[int, float]]:
    """The position of the message that each call follows, and its time."""
    roles = [*(message["role"] for message in request["messages"]), "assistant"]
    ends = [n for n, role in enumerate(roles[:-1]) if role != "assistant" and roles[n + 1] == "assistant"]
    made, at = [], 0.0
    for n, end in enumerate(ends):
        at += times[n % len(times)]
        made.append((end, at))
    return made


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
@pytest.mark.parametrize("fresh", [False, True], ids=["in memory", "from the journal"])
def test_decisions_on_a_beginning_are_the_beginning_of_the_decisions(wire: str, fresh: bool) -> None:
    request = long_session(wire, [40, 6_000, 60, 5_000, 6_000, 50, 60, 7_000, 40, 60, 50, 4_000, 40, 60])
    made = calls(request, [5.0, 20.0, 5.0, PAUSE])
    at_once = Compactor(store=memory_store(), config=WARM)
    whole = at_once.rehearse(request, dict(made))
    assert any(entry.rent for entry in whole), "something is folded, or this shows nothing"
    store = memory_store()
    one = Compactor(store=store, config=WARM)
    for end, at in made:
        if fresh:
            one = Compactor(store=store, config=WARM)
        one.compact({**request, "messages": request["messages"][: end + 1]}, at=at)
    assert [(entry.boundary, entry.records, entry.trigger) for entry in one.explain(request)] == [
        (entry.boundary, entry.records, entry.trigger) for entry in whole
    ]


def test_a_budget_of_the_caller_takes_the_place_of_the_reckoning() -> None:
    request = long_session("anthropic", [6_000 + n for n in range(8)])
    made = dict(calls(request, [PAUSE]))
    free, bound = (
        Compactor(store=memory_store(), budget=budget, config=WARM).rehearse(request, made)
        for budget in (None, 900_000)
    )
    assert any(entry.rent for entry in free)
    assert not any(entry.rent or entry.records for entry in bound)


def test_what_was_folded_comes_back_and_undo_is_exact() -> None:
    request = long_session("anthropic", [6_000 + n for n in range(8)])
    compactor = Compactor(store=memory_store(), config=WARM)
    for end, at in calls(request, [PAUSE]):
        result = compactor.compact({**request, "messages": request["messages"][: end + 1]}, at=at)
    assert result.changed
    assert messages_of(compactor.undo(result.payload)) == request["messages"][: end + 1]
    again = compactor.compact(result.payload, at=at)
    assert again.payload is result.payload


prices = st.floats(0.1, 20, allow_nan=False, allow_infinity=False)


@given(
    st.lists(st.sampled_from([5, 40, 1_500, 6_000]), min_size=6, max_size=16),
    st.lists(st.sampled_from([1.0, 30.0, 290.0, 400.0, PAUSE, -5.0]), min_size=1, max_size=6),
    prices,
    st.floats(0.01, 1.0),
    st.floats(1.0, 2.0),
    st.sampled_from(["good", "naive", "none"]),
)
@settings(max_examples=25)
def test_a_session_is_never_dearer_than_it_may_be(
    sizes: list[int], times: list[float], plain: float, read: float, write: float, marks: str
) -> None:
    """Whatever the prices, the sizes and the pauses: at most 1 % over the session that keeps all, once two more
    calls have read what is sent at the end."""
    request = long_session("anthropic", sizes)
    made = tuple(Call(start=0, stop=end + 1, at=max(at, 0.0)) for end, at in calls(request, times))
    session = Session(
        format="made up",
        name="s",
        wire="anthropic",
        messages=tuple(request["messages"]),
        calls=made,
        fields={"model": request["model"]},
    )
    card = {"input": plain, "read": plain * read, "write": plain * write, "output": 5 * plain, "window": 1_000_000}
    config = {"models": {request["model"]: card}, "presets": {"default": {"marks": marks}}}
    (segment,) = segments(session, None, Compactor(store=None, config=config).settings.models)
    wanted = needs(segment)
    kept, ours = (play(one, segment, wanted, marks) for one in (KEEP_ALL, OfPreset("default", config)))
    rate = card["read"] if marks != "none" else plain
    two = [2 * rate * one.tokens[-1] / 1e6 for one in (kept, ours)]
    assert ours.figures.dollars + two[1] <= 1.01 * (kept.figures.dollars + two[0])


@given(st.lists(st.integers(40, 110), min_size=6, max_size=14), st.integers(0, 60))
@settings(max_examples=40)
def test_tidying_makes_no_short_session_dearer(rows: list[int], padding: int) -> None:
    """Around the length that is cached at all: what is tidied away must not put off the first cached call."""
    request = long_session("anthropic", [1 for _ in rows])
    for count, message in zip(rows, request["messages"][2::2], strict=True):
        message["content"][0]["content"] = "".join(
            f"{n * n * 7919 % 997} is set{' ' * padding}\n" for n in range(count)
        )
    made = tuple(Call(start=0, stop=end + 1, at=at) for end, at in calls(request, [10.0]))
    fields = {"model": "claude-opus-4-5"}
    messages = tuple(request["messages"])
    session = Session(format="made up", name="s", wire="anthropic", messages=messages, calls=made, fields=fields)
    (segment,) = segments(session)
    wanted = needs(segment)
    kept, ours = (play(one, segment, wanted) for one in (KEEP_ALL, OfPreset("default")))
    assert ours.figures.dollars <= kept.figures.dollars


def test_a_large_result_that_tidying_makes_tiny_is_tidied_all_the_same() -> None:
    request = long_session("anthropic", [5])
    request["messages"][2]["content"][0]["content"] = "the same line\n" * 9_000
    result = Compactor(store=memory_store()).compact(request)
    assert result.report.tokens_after < 1_024 < result.report.tokens_before / 10


def test_what_a_recording_lacks_of_the_frame_is_reckoned_with_all_the_same() -> None:
    """System and tools that the file lacks decide what a recall costs and when the floor is reached."""
    bare = long_session("anthropic", [6_000 + n for n in range(8)])
    whole = {**bare, "system": lines(30_000, "rule")}
    made = dict(calls(bare, [5.0, PAUSE]))

    def rehearsed(request: dict[str, Any], unseen: int = 0) -> list[tuple[str, int]]:
        entries = Compactor(store=memory_store(), config=WARM).rehearse(request, made, unseen=unseen)
        return [(entry.trigger, entry.tokens) for entry in entries]

    one, other = rehearsed(whole), rehearsed(bare)
    unseen = one[0][1] - other[0][1]
    assert rehearsed(bare, unseen) == one
    assert [trigger for trigger, _ in one] != [trigger for trigger, _ in other]
