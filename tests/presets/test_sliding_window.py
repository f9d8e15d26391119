"""A sliding window keeps the last six messages, and loses the question."""

from __future__ import annotations

import json

import pytest
from tests.cases.transcripts import log, request, says, user, wires

from trimtab import Compactor, check_facts, example
from trimtab.presets.sliding_window import SlidingWindow
from trimtab.testing import conversation, memory_store


@pytest.mark.parametrize("wire", example.WIRES)
def test_on_the_recorded_session_the_question_goes_and_the_facts_of_the_last_files_stay(wire: str) -> None:
    payload = json.loads(example.cut(5, example.session(wire)))
    result = Compactor(preset="sliding-window", store=memory_store()).compact(payload)
    standing = {one.fact: one.standing for one in check_facts(example.facts().values(), result.payload)}
    lost = [name for name, text in example.facts().items() if standing[text] != "visible"]
    assert lost == ["question"]
    heads = sum(message["role"] == "system" for message in payload["messages"])
    assert len(result.payload["messages"]) == heads + 1 + 6
    assert result.payload["messages"][-6:] == payload["messages"][-6:]
    assert any(finding.rule == "lossy" for finding in result.report.findings)


@wires
@pytest.mark.parametrize("keep", [2, 3, 4, 5])
def test_the_cut_moves_back_where_it_would_part_a_call_from_its_result(wire: str, keep: int) -> None:
    payload = conversation(wire, exchanges=6)
    result = Compactor(preset=SlidingWindow(keep), store=memory_store()).compact(payload)
    whole = keep + keep % 2
    assert result.payload["messages"][1:] == payload["messages"][-whole:]
    assert f"{13 - whole} earlier messages cut" in str(result.payload["messages"][0])


@wires
def test_it_slides_in_a_chat_and_system_messages_stay(wire: str) -> None:
    said = [step for n in range(8) for step in (user(log(5, f"question {n}")), says(log(5, f"answer {n}")))]
    one = Compactor(preset=SlidingWindow(4), store=memory_store())
    for count in (7, 9, 11):
        payload = request(wire, *said[:count], system="Be brief.")
        result = one.compact(payload)
        assert "Be brief." in json.dumps(result.payload)
        assert result.payload["messages"][-4:] == payload["messages"][-4:]
        assert len(result.payload["messages"]) == 5 + (wire == "openai_chat")
        assert one.undo(result.payload) == payload
