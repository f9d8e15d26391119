from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from trimtab.compactor import Compactor
from trimtab.differences import MOST_CHARACTERS, MOST_LINES, changes
from trimtab.testing import MODELS, conversation


def said(*texts: str) -> list[dict[str, Any]]:
    roles = ("user", "assistant")
    return [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)]


@pytest.mark.parametrize("wire", sorted(MODELS))
def test_exactly_the_messages_that_were_edited(wire: str) -> None:
    request = conversation(wire, exchanges=6)
    result = Compactor(store="memory:").compact(request, force=True)
    edited = {edit.place.partition(" ")[0] for edit in result.report.edits}
    found = changes(request, result.payload)
    assert edited
    assert {change.place for change in found} == edited
    assert changes(json.dumps(request).encode(), json.dumps(result.payload).encode()) == found


def test_nothing_changed() -> None:
    assert changes(said("a", "b"), said("a", "b")) == []


def test_equal_lines_around_are_left_out_but_for_two() -> None:
    lines = [f"line {n}" for n in range(30)]
    (change,) = changes(said("\n".join(lines)), said("\n".join([*lines[:10], "cut", *lines[20:]])))
    assert change.before == tuple(lines[8:22])
    assert change.after == ("line 8", "line 9", "cut", "line 20", "line 21")
    assert (change.place, change.role) == ("messages[0]", "user")


def test_a_message_that_became_empty() -> None:
    (change,) = changes(said("a\nb"), said(""))
    assert change.before == ("a", "b")
    assert "".join(change.after) == ""


def test_messages_left_out_are_one_change() -> None:
    (change,) = changes(said("a", "b", "c", "d", "e"), said("a", "b", "note", "d", "e")[:2] + said("note", "e"))
    assert change.place == "messages[2-4]"
    assert "c" in change.before
    assert change.after == ("note", "e")


@given(st.text(max_size=4000), st.text(max_size=4000))
def test_what_is_shown_is_short(before: str, after: str) -> None:
    for change in changes(said(before + "\nx" * 50), said(after + "y" * 1000)):
        for lines in (change.before, change.after):
            assert len(lines) <= MOST_LINES
            assert all(len(line) <= MOST_CHARACTERS + 1 for line in lines)


def test_lines_left_out_are_counted() -> None:
    (change,) = changes(said("\n".join(map(str, range(100)))), said("other"))
    (gap,) = [line for line in change.before if line.startswith("⋮")]
    shown = [line for line in change.before if line != gap]
    assert gap == f"⋮ {100 - len(shown)} lines"
    assert shown[0] == "0"
    assert shown[-1] == "99"
