"""Laws 1 and 2: what needs no edit is the very object that came in; what is edited is edited alone."""

from __future__ import annotations

import json
import re

from hypothesis import assume, given
from tests.laws.play import Play, attempt, compact, law, messages_of, plays

TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[^"\s\[\]{},:]+|\s+|[\[\]{},:]', re.DOTALL)


@given(plays(shares=(None, 100.0)))
@law
def test_nothing_to_do_gives_back_the_very_object(play: Play) -> None:
    payload = play.payload()
    result = compact(play.compactor(passes=()), payload)
    assert result.payload is payload
    assert (result.changed, result.report.saved, result.report.edits) == (False, 0, ())


@given(plays(forms=("bytes",)))
@law
def test_bytes_outside_the_edited_values_stay(play: Play) -> None:
    """Without media to fold only whole strings change: every other token stays, white space included."""
    assume('"type": "image' not in json.dumps(play.request))
    payload = play.payload()
    result = attempt(play.compactor(passes=None), payload)
    if result is not None:
        before, after = TOKEN.findall(payload), TOKEN.findall(result.payload)
        assert b"".join(before) == payload
        changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
        assert all(old[:1] == new[:1] == b'"' for old, new in changed)
        assert bool(changed) == result.changed == (result.payload is not payload)


@given(plays(forms=("dict", "list")))
@law
def test_untouched_objects_come_back_by_identity(play: Play) -> None:
    payload = play.payload()
    result = attempt(play.compactor(passes=None), payload)
    if result is None or not result.changed:
        return
    if isinstance(payload, dict):
        assert all(result.payload[key] is payload[key] for key in payload if key != "messages")
    for before, after in zip(messages_of(payload), messages_of(result.payload), strict=True):
        assert after is before or after != before
