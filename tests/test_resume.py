"""A fresh run from a note: its request, in the wire it came from and in others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.cases.transcripts import calls, encoded, request, results, user, wires

from trimtab import WireError, validate
from trimtab.resume import resumed

NOTE = "Handoff note: go on."


def session(wire: str) -> dict[str, Any]:
    return request(wire, user("Mend it."), calls(("a", "a.py")), results(("a", "x = 1")), system="Be brief.")


@wires
@pytest.mark.parametrize("form", ["bytes", "dict"])
def test_in_its_own_wire_all_but_the_messages_stays(wire: str, form: str) -> None:
    given = session(wire)
    fresh = resumed(NOTE, encoded(given) if form == "bytes" else given, wire)
    assert isinstance(fresh, bytes) is (form == "bytes")
    made = json.loads(fresh) if isinstance(fresh, bytes) else fresh
    assert {**made, "messages": []} == {**given, "messages": []}
    head = [one for one in given["messages"] if one["role"] == "system"]
    assert made["messages"][: len(head)] == head
    [message] = made["messages"][len(head) :]
    assert message["role"] == "user"
    assert NOTE in json.dumps(message)


@wires
@pytest.mark.parametrize("to", ["anthropic", "openai", "openai_chat", "openai_responses", "gemini", "bedrock"])
def test_another_wire_takes_the_system_text_and_the_note(wire: str, to: str) -> None:
    made = resumed(NOTE, session(wire), to, "some-model")
    assert validate(made) == []
    assert "Be brief." in json.dumps(made)
    assert NOTE in json.dumps(made)
    assert "Mend it." not in json.dumps(made)


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(WireError, match="no wire is named"):
        resumed(NOTE, session("anthropic"), "telex")
    with pytest.raises(WireError, match="LangChain"):
        resumed(NOTE, session("anthropic"), "langchain")
