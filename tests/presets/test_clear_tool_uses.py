"""Context editing with the provider's defaults: above 100,000 tokens, all but the last 3."""

from __future__ import annotations

from typing import Any

from tests.cases.transcripts import Call, calls, log, request, results, user, wires

from trimtab import Compactor
from trimtab.presets.clear_tool_uses import ClearToolUses
from trimtab.testing import conversation, memory_store


def cleared(payload: Any, **settings: Any) -> Any:
    compactor = Compactor(preset=ClearToolUses(**{"trigger": 1_000, **settings}), store=memory_store())
    result = compactor.compact(payload)
    assert compactor.undo(result.payload) == payload
    return result


@wires
def test_the_defaults_are_those_of_the_provider(wire: str) -> None:
    assert ClearToolUses() == ClearToolUses(100_000, 3, 0, (), False, "cleared")
    small, large = (conversation(wire, exchanges=7, size=size) for size in (2_000, 20_000))
    compactor = Compactor(preset="clear-tool-uses", store=memory_store())
    assert compactor.compact(small).payload is small
    result = compactor.compact(large)
    assert [edit.place for edit in result.report.edits] == [f"messages[{n}] part 0" for n in (2, 4, 6, 8)]
    assert str(result.payload).count("[cleared; trimtab recall t:") == 4
    assert result.payload["messages"][9:] == large["messages"][9:]


@wires
def test_nothing_is_cleared_for_less_than_clear_at_least_and_later_all_of_it(wire: str) -> None:
    payload = conversation(wire, exchanges=8)
    one = Compactor(preset=ClearToolUses(1_000, clear_at_least=2_000), store=memory_store())
    short = {**payload, "messages": payload["messages"][:13]}
    assert one.compact(short).payload is short
    assert one.compact(payload).report.results_redacted == 4


@wires
def test_results_of_excluded_tools_stay(wire: str) -> None:
    made = [Call(f"c{n}", "web_search" if n % 2 else "read", {"q": n}) for n in range(6)]
    steps = [step for one in made for step in (calls(one), results((one.id, log(90, one.name))))]
    result = cleared(request(wire, user("Go."), *steps), exclude_tools=("web_*",), keep=1)
    assert [edit.what.split()[0] for edit in result.report.edits] == ["read"] * 3
    assert str(result.payload).count("web_search 7:") == 3


@wires
def test_inputs_go_with_the_results_of_their_calls(wire: str) -> None:
    made = [Call(f"c{n}", "write", {"path": f"{n}.py", "content": log(60, f"file {n}")}) for n in range(4)]
    steps = [step for one in made for step in (calls(one), results((one.id, "written")))]
    payload = request(wire, user("Go."), *steps)
    assert not cleared(payload, keep=2).changed
    sent = str(cleared(payload, keep=2, clear_tool_inputs=True).payload)
    assert [f"file {n} 7:" in sent for n in range(4)] == [False, False, True, True]
    assert "0.py" in sent


def test_the_placeholder_is_a_setting() -> None:
    assert "[gone; trimtab recall t:" in str(cleared(conversation(exchanges=5), placeholder="gone").payload)
