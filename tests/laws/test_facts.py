"""The fidelity gate: what a caller's fact asks for stays visible, or the budget is refused."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, strategies as st
from tests.laws.play import Play, attempt, compact, law, messages_of, plays
from tests.strategies import build
from tests.styles import Style

from trimtab import Compactor, check_facts
from trimtab.passes.fold_results import FoldResults
from trimtab.testing import conversation, exchange, lines, memory_store

NEEDLE = "deploy key KX-4417"


@given(
    plays(shares=(0.02, 0.2, 0.4, 0.6)), st.sampled_from(["FAILED: exit 1", "re:rate = 0\\.11", "same line", "3"])
)
@law
def test_a_fact_that_was_visible_stays_visible_or_the_budget_is_refused(play: Play, fact: str) -> None:
    payload, compactor = play.payload(), play.compactor(facts=(fact,))
    result = attempt(compactor, payload)
    if result is not None:
        (one,) = check_facts([fact], result.payload, payload, compactor)
        assert one.standing in ("visible", "not in the original")
        assert compactor.undo(result.payload) == payload


CUT_TWICE = Play(
    build(
        "anthropic",
        7061,
        [
            (94989, [347386, 1_953_655_149, 418, 144959366]),
            (2941, [1479, 16383, 85, 770149, 283814511]),
            (1436, []),
        ],
    ),
    "bytes",
    Style("\n  ", True, True, True, False, 1),
    0.4,
    102,
    (),
)
"""A call has two long arguments written in escapes, of which the second is cut by a later decision."""


@given(plays(shares=(0.2, 0.4, 0.6)), st.sampled_from(["FAILED: exit 1", "same line", "re:rate = 0\\.11"]))
@example(CUT_TWICE, "FAILED: exit 1")
@law
def test_a_fact_named_late_comes_back_and_undo_is_exact(play: Play, fact: str) -> None:
    payload, compactor = play.payload(), play.compactor(facts=())
    if attempt(compactor, payload) is None:
        return
    result = attempt(compactor, payload, facts=(fact,))
    if result is not None:
        (one,) = check_facts([fact], result.payload, payload, compactor)
        assert one.standing in ("visible", "not in the original")
        assert compactor.undo(result.payload) == payload
        assert play.compactor(compactor.store).replay(play.payload()) == result.payload


def session(at: int = 200) -> list[dict[str, Any]]:
    """A conversation whose first result holds the needle in line `at` + 1."""
    text = lines(4_000, "log").splitlines(keepends=True)
    text[at] = f"{NEEDLE}\n"
    messages = exchange("anthropic", "n", "keys.log", "".join(text))
    return [{"role": "user", "content": "Go."}, *messages, *conversation(exchanges=6)["messages"][1:]]


def test_a_widened_edit_says_what_it_keeps_and_the_line_has_its_number() -> None:
    compactor = Compactor(store=memory_store(), facts=[NEEDLE], passes=[FoldResults()])
    result = compact(compactor, session(), force=True)
    (edit,) = [edit for edit in result.report.edits if "widened" in edit.reason]
    assert "KX" in edit.reason
    shown = result.payload[2]["content"][0]["content"]
    assert shown.endswith(f"[…line 201]\n{NEEDLE}")
    assert compactor.recall(edit.handle, lines="201").text == f"{NEEDLE}\n"


def test_a_fact_named_after_its_line_was_folded_comes_back_by_a_journaled_decision() -> None:
    compactor, messages = Compactor(store=memory_store(), passes=[FoldResults()]), session()
    first = compact(compactor, messages, force=True)
    assert NEEDLE not in str(first.payload)
    second = compact(compactor, messages, facts=[NEEDLE])
    assert NEEDLE in str(second.payload)
    (edit,) = second.report.edits
    assert (edit.by, edit.place) == ("facts", "messages[2] part 0")
    assert "brings back" in edit.reason
    *_, entry = compactor.explain(messages)
    assert [(record.by, record.saved < 0) for record in entry.records] == [("facts", True)]
    assert compactor.undo(second.payload) == messages
    assert compactor.replay(messages) == second.payload
    assert compact(compactor, messages).payload == second.payload


def test_a_fact_named_late_comes_back_into_output_fed_back() -> None:
    compactor, messages = Compactor(store=memory_store(), passes=[FoldResults()]), session()
    history = compact(compactor, messages, force=True).payload
    assert NEEDLE not in str(history)
    result = compact(compactor, history, facts=[NEEDLE])
    assert NEEDLE in str(result.payload)
    assert messages_of(compactor.undo(result.payload)) == messages


def test_SUM_09_a_fact_outlives_five_folds() -> None:
    compactor, history = Compactor(store=memory_store(), facts=[NEEDLE]), session()
    for number in range(5):
        history = [*history, *exchange("anthropic", f"m{number}", f"m{number}.py", lines(600, f"more {number}"))]
        result = compact(compactor, history, force=True)
        history = result.payload if number % 2 else history
        assert NEEDLE in str(result.payload)
    assert result.report.tokens_after < result.report.tokens_before


def test_a_fact_that_trimtab_finds_gives_way_to_a_budget_and_that_of_a_caller_does_not() -> None:
    failed = 'Traceback (most recent call last):\n  File "a.py", line 3, in run\n    run()\nOSError: disk_full 7\n'
    messages = session()
    messages[2]["content"][0]["content"] = lines(3_000, "run") + failed
    soft = compact(Compactor(store=memory_store()), messages, force=True)
    assert "OSError: disk_full 7" in str(soft.payload)
    firm = Compactor(store=memory_store(), budget=700, facts=["OSError: disk_full 7"])
    result = attempt(firm, messages)
    assert result is None or "OSError: disk_full 7" in str(result.payload)
