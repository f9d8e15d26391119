"""Laws 4, 5 and 6: what was sent stays as it was sent, and never grows; fed back it is recognised."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from tests.laws.play import Play, attempt, compact, law, messages_of, plays
from tests.strategies import PNG

from trimtab import Compactor
from trimtab.testing import conversation, memory_store


@given(plays())
@law
def test_compacting_what_was_compacted_gives_back_the_same_object(play: Play) -> None:
    first = play.compactor()
    result = attempt(first, play.payload())
    if result is not None:
        for compactor in (first, play.compactor(first.store)):
            again = compact(compactor, result.payload)
            assert again.payload is result.payload
            assert again.report.tokens_after == again.report.tokens_before == result.report.tokens_after


@given(plays())
@law
def test_every_edit_saves_and_the_request_never_grows(play: Play) -> None:
    result = attempt(play.compactor(), play.payload())
    if result is not None:
        report = result.report
        assert report.tokens_after <= report.tokens_before
        assert all(edit.saved > 0 for edit in report.edits)
        assert bool(report.saved) == result.changed


@given(plays())
@law
def test_between_folds_a_message_is_sent_as_it_was_sent(play: Play) -> None:
    compactor, sent = play.compactor(), list[Any]()
    for messages in play.calls():
        result = attempt(compactor, play.payload(messages))
        if result is not None:
            now, first = messages_of(result.payload), result.report.first_changed
            kept = common(sent, now)
            assert kept == len(sent) or (first is not None and first <= kept)
            sent = now


@given(plays())
@law
def test_feeding_outputs_back_shows_the_same_as_feeding_originals(play: Play) -> None:
    one, other = play.compactor(), play.compactor()
    history, known = list[Any](), 0
    for messages in play.calls():
        expected = attempt(one, play.payload(messages), at=1.0)
        history, known = [*history, *messages[known:]], len(messages)
        result = attempt(other, play.payload(history), at=1.0)
        assert (result is None) == (expected is None)
        if result is not None and expected is not None:
            history = messages_of(result.payload)
            assert history == messages_of(expected.payload)
            assert result.report.tokens_after == expected.report.tokens_after


def common(one: list[Any], other: list[Any]) -> int:
    """How many messages two lists have in common from the start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (left, right) in pairs if left != right), min(len(one), len(other)))


def test_results_that_are_images_fold_and_the_next_call_still_folds() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    request = conversation("anthropic", exchanges=12)
    for message in request["messages"][2::2]:
        message["content"][0]["content"] = [image]
    compactor, messages = Compactor(store=memory_store(), config={}), request["messages"]
    sent = compact(compactor, {**request, "messages": messages[:13]}, force=True).payload["messages"]
    assert sent != messages[:13]
    again = compact(compactor, {**request, "messages": [*sent, *messages[13:]]}, force=True)
    assert again.report.edits
