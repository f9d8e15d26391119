"""What `compact` cut is fetched again; what still stands in the request is not."""

from __future__ import annotations

from typing import Any

import pytest

from trimtab import Compactor, Span, Summarize, identity
from trimtab.calls import call_key
from trimtab.reader import Reader
from trimtab.report import CutCall, Report
from trimtab.testing import Scripted, conversation, exchange, lines, memory_store
from trimtab.tokens import counter_for
from trimtab.tool_cache import ToolCache

wires = pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])


def folded(request: Any) -> Report:
    """The report of a fold of every result but the newest."""
    compactor = Compactor(store=memory_store(), target=1, config={"protect_results": 1})
    return compactor.compact(request, force=True).report


def filled(request: dict[str, Any], exchanges: int, ids: bool) -> ToolCache:
    """A cache that holds the results of a built conversation, each by its call."""
    cache = ToolCache(("read",))
    for number in range(exchanges):
        path = {"path": f"src/part_{number}.py"}
        cache.put("read", path, f"text {number}", call_id=f"call_{number}" if ids else None)
    return cache


@wires
@pytest.mark.parametrize("ids", [True, False])
def test_DEDUP_01_a_result_that_was_cut_is_fetched_again(wire: str, ids: bool) -> None:
    request = conversation(wire, exchanges=4)
    cache, report = filled(request, 4, ids), folded(request)
    assert {one.name for one in report.cut_calls} == {"read"}
    gone = {one.id for one in report.cut_calls}
    assert "call_0" in gone
    assert "call_3" not in gone
    cache.observe(report)
    held = {f"call_{n}" for n in range(4) if cache.get("read", {"path": f"src/part_{n}.py"})}
    assert held == {f"call_{n}" for n in range(4)} - gone


@wires
def test_DEDUP_04_after_a_compaction_one_call_runs_and_the_next_are_answered(wire: str) -> None:
    request, ran = conversation(wire, exchanges=4), list[str]()
    cache, compactor = filled(request, 4, ids=True), Compactor(store=memory_store(), config={"protect_results": 1})

    def fetch() -> str:
        ran.append("part_0")
        return lines(500, "part 0")

    cache.observe(compactor.compact(request, force=True))
    for number in range(4, 8):
        call_id = f"call_{number}"
        text = cache.run("read", {"path": "src/part_0.py"}, fetch, call_id=call_id)
        request["messages"] += exchange(wire, call_id, "src/part_0.py", text)
        cache.observe(compactor.compact(request))
    assert ran == ["part_0"]


@wires
def test_DEDUP_01_a_result_that_gave_way_to_a_note_is_fetched_again(wire: str) -> None:
    request = conversation(wire, exchanges=4)
    names = Reader(counter_for(None), memory_store(), "").read(request).names
    span = Span(names[1], names[4])
    note = Summarize(span, f"Files were read. trimtab recall {identity.span_handle(span)}", "summarized")
    compactor = Compactor(
        store=memory_store(), passes=[Scripted(lambda view: [note])], config={"protect_results": 0}
    )
    result = compactor.compact(request, force=True)
    assert [one.id for one in result.report.cut_calls] == ["call_0", "call_1"]
    cache = filled(request, 4, ids=True)
    cache.observe(result)
    assert len(cache) == 2


def test_a_result_that_points_to_an_equal_one_in_sight_stays() -> None:
    compactor, request = Compactor(store=memory_store()), conversation("anthropic", exchanges=1)
    request["messages"] += exchange("anthropic", "call_1", "src/part_0.py", lines(500, "part 0"))
    report = compactor.compact(request).report
    assert [edit.loss for edit in report.edits] == ["NONE"]
    assert report.cut_calls == ()


def test_layout_and_arguments_cut_no_result() -> None:
    request = conversation("openai_chat", exchanges=0)
    request["messages"] += exchange("openai_chat", "call_0", "a" * 4_000, "ok")
    request["messages"] += exchange("openai_chat", "call_1", "b", "\x1b[31mred\x1b[0m " * 400)
    report = folded(request)
    assert {edit.loss for edit in report.edits} == {"NONE", "RECOVERABLE"}
    assert report.cut_calls == ()


def test_the_key_of_a_cut_call_is_that_of_its_arguments() -> None:
    first, *_ = folded(conversation("openai_chat", exchanges=4)).cut_calls
    assert first == CutCall("call_0", "read", call_key("read", {"path": "src/part_0.py"}) or "")


def test_a_call_without_an_id_is_known_by_its_arguments() -> None:
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Look."}]}]
    for path, text in (("a.py", lines(2_000)), ("b.py", lines(300))):
        call = {"functionCall": {"name": "read", "args": {"path": path}}}
        result = {"functionResponse": {"name": "read", "response": {"output": text}}}
        contents += [{"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]
    report = folded({"contents": contents})
    assert [(one.id, one.key) for one in report.cut_calls] == [("", call_key("read", {"path": "a.py"}))]
    cache = ToolCache(("read",))
    cache.put("read", {"path": "a.py"}, "a", call_id="mine")
    cache.put("read", {"path": "b.py"}, "b", call_id="mine")
    cache.observe(report)
    assert cache.get("read", {"path": "a.py"}) is None
    assert cache.get("read", {"path": "b.py"}) == "b"


def test_a_later_result_of_the_same_call_stays_when_the_earlier_is_cut() -> None:
    request = conversation("anthropic", exchanges=4)
    report, cache = folded(request), ToolCache(("read",))
    cache.put("read", {"path": "src/part_0.py"}, "fetched again", call_id="call_9")
    cache.observe(report)
    assert cache.get("read", {"path": "src/part_0.py"}) == "fetched again"


def test_a_call_whose_arguments_were_cut_is_known_by_its_id() -> None:
    cache = ToolCache(("read",))
    cache.put("read", {"path": "a" * 9_000}, "text", call_id="call_0")
    request = conversation("anthropic", exchanges=4)
    cache.observe(folded(request))
    assert len(cache) == 0
