"""One answer of the model is several items here: none of them counts as old before the others, none goes alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.wires.responses_items import USER, call, output, reasoning, request, said

from trimtab import Compactor
from trimtab.edits import Span, Summarize
from trimtab.identity import span_handle
from trimtab.passes import PASSES, FoldArguments, FoldResults, Pass, View
from trimtab.testing import Scripted, lines, memory_store

Item = dict[str, Any]


def answer(number: int) -> list[Item]:
    long = json.dumps({"text": lines(400)})
    calls = [call(f"a{number}", long), call(f"b{number}", long)]
    return [reasoning(number), *calls, output(f"b{number}", lines(400)), output(f"a{number}", lines(400))]


def test_no_call_of_the_newest_answer_is_old() -> None:
    given = request(USER, *answer(1), *answer(2))
    folds = (FoldResults(), FoldArguments())
    compactor = Compactor(store=memory_store(), passes=folds, target=1, config={"protect_results": 0})
    sent = compactor.compact(given, force=True).payload["input"]
    assert sent[2:6] != given["input"][2:6]
    assert sent[6:] == given["input"][6:]


def note(first: int, last: int) -> Pass:
    """A pass that wants a note in the place of the messages between two of those it may edit."""

    def propose(view: View) -> Iterator[Summarize]:
        names = list(dict.fromkeys(at.message for at in view.open))
        span = Span(names[first], names[last])
        yield Summarize(span, f"[earlier: {span_handle(span)}]", "as asked")

    return Scripted(propose)


def cut(first: int, last: int, items: list[Item]) -> tuple[list[Item], list[str]]:
    """The items after such a pass, and what it was refused."""
    compactor = Compactor(store=memory_store(), passes=[note(first, last)], config={"protect_results": 0})
    result = compactor.compact(request(*items), force=True)
    return result.payload["input"], [one.text for one in result.report.refused if one.rule == "refused"]


def test_THINK_12_a_note_takes_the_whole_answer_or_nothing() -> None:
    thought = reasoning(1, summary=[{"type": "summary_text", "text": lines(200)}])
    made = call("a", json.dumps({"text": lines(400)}))
    items = [USER, thought, made, output("a", lines(400)), said(), USER, *answer(2)]
    sent, refused = cut(0, 2, items)
    assert (len(sent), refused) == (len(items) - 2, [])
    sent, refused = cut(1, 2, items)
    assert (sent, refused) == (items, ["the span splits one answer of the model"])


def test_what_gave_way_to_a_note_is_not_edited_any_more() -> None:
    made = call("a", json.dumps({"text": lines(400)}))
    items = [USER, made, output("a", lines(400)), said(), USER, *answer(2)]
    compactor = Compactor(
        store=memory_store(), passes=[note(0, 1), *PASSES], target=1, config={"protect_results": 0}
    )
    result = compactor.compact(request(*items), force=True)
    fresh = Compactor(store=memory_store()).compact(result.payload)
    assert fresh.report.tokens_before == result.report.tokens_after


def test_the_other_parts_of_a_message_fed_back_are_stored_too() -> None:
    outputs = [
        {"stdout": text, "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
        for text in (f"data:image/png;base64,{'iVBORw0KGgoAAAANSUhEUgAA' * 100}", lines(1_500))
    ]
    made = {"type": "shell_call", "call_id": "s", "action": {"commands": ["ls"]}}
    items = [USER, made, {"type": "shell_call_output", "call_id": "s", "output": outputs}]
    compactor = Compactor(store=memory_store(), config={"protect_results": 0})
    first = compactor.compact(request(*items))
    more = [*first.payload["input"], *answer(1)]
    second = compactor.compact(request(*more), force=True)
    assert first.changed
    assert second.report.edits
    for edit in second.report.edits:
        assert compactor.recall(edit.handle).text
    assert compactor.undo(second.payload)["input"] == [*items, *answer(1)]
