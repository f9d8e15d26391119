"""The keep tool: what the agent names stays in sight, the rest goes early; unused it changes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.laws.play import messages_of

import trimtab
from trimtab import Compactor, ConfigError
from trimtab.testing import lines, memory_store
from trimtab.tool_keep import HINT, PARAMETERS, keep_tool
from trimtab.wires import WIRES

NAME = "trimtab_keep"
TEXT = lines(6_000, "part")
KEPT = TEXT.splitlines()[39:60]


def call(wire: str, key: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A call of a tool in a message of its own, as each wire writes it."""
    written = json.dumps(arguments)
    openai = {"id": key, "type": "function", "function": {"name": name, "arguments": written}}
    written_by: dict[str, dict[str, Any]] = {
        "anthropic": {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": key, "name": name, "input": arguments}],
        },
        "openai_chat": {"role": "assistant", "content": None, "tool_calls": [openai]},
        "openai_responses": {"type": "function_call", "call_id": key, "name": name, "arguments": written},
        "gemini": {"role": "model", "parts": [{"functionCall": {"id": key, "name": name, "args": arguments}}]},
        "bedrock": {
            "role": "assistant",
            "content": [{"toolUse": {"toolUseId": key, "name": name, "input": arguments}}],
        },
        "langchain": {
            "type": "ai",
            "content": "",
            "tool_calls": [{"id": key, "name": name, "args": arguments, "type": "tool_call"}],
        },
    }
    return written_by[wire]


def answer(wire: str, key: str, name: str, text: str) -> dict[str, Any]:
    """Its result."""
    written_by: dict[str, dict[str, Any]] = {
        "anthropic": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": key, "content": text}],
        },
        "openai_chat": {"role": "tool", "tool_call_id": key, "content": text},
        "openai_responses": {"type": "function_call_output", "call_id": key, "output": text},
        "gemini": {
            "role": "user",
            "parts": [{"functionResponse": {"id": key, "name": name, "response": {"output": text}}}],
        },
        "bedrock": {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": key, "content": [{"text": text}]}}],
        },
        "langchain": {"type": "tool", "tool_call_id": key, "content": text},
    }
    return written_by[wire]


def asked(wire: str) -> dict[str, Any]:
    written_by: dict[str, dict[str, Any]] = {
        "openai_responses": {"type": "message", "role": "user", "content": "Mend it."},
        "gemini": {"role": "user", "parts": [{"text": "Mend it."}]},
        "bedrock": {"role": "user", "content": [{"text": "Mend it."}]},
        "langchain": {"type": "human", "content": "Mend it."},
    }
    return written_by.get(wire, {"role": "user", "content": "Mend it."})


def session(wire: str, note: dict[str, Any] | None, text: str = TEXT) -> list[dict[str, Any]]:
    """A file is read, perhaps a note is made, and another call follows."""
    made = [asked(wire), call(wire, "c1", "read", {"path": "a.py"}), answer(wire, "c1", "read", text)]
    if note is not None:
        made += [call(wire, "c2", NAME, note), answer(wire, "c2", NAME, keep_tool(wire).answer(note))]
    return [*made, call(wire, "c3", "run", {"command": "make"}), answer(wire, "c3", "run", "done")]


def sent(messages: list[Any], *, fresh: bool = False, **options: Any) -> tuple[str, Any, Compactor]:
    """What goes out, call by call, as one text; the last result, and who made it."""
    store = memory_store()
    compactor = Compactor("claude-sonnet-4-5", store=store, **options)
    for stop in range(3, len(messages) + 1, 2):
        if fresh:
            compactor = Compactor("claude-sonnet-4-5", store=store, **options)
        result = compactor.compact(messages[:stop], at=float(stop))
        assert result.report.outcome != "failed", result.report.findings
    return json.dumps(messages_of(result.payload)), result, compactor


@pytest.mark.parametrize("wire", [wire.name for wire in WIRES])
def test_what_is_named_stays_and_the_rest_goes_at_the_next_call(wire: str) -> None:
    messages = session(wire, {"lines": "40-60"})
    text, result, compactor = sent(messages)
    assert all(line in text for line in KEPT)
    assert "part line 30:" not in text
    assert "part line 70:" not in text
    (edit,) = [edit for entry in compactor.explain(messages) for edit in entry.records if edit.by == "keep_lines"]
    assert compactor.recall(edit.handle, whole=True).text == TEXT
    assert messages_of(compactor.undo(result.payload)) == messages
    assert compactor.compact(result.payload, at=99.0).payload is result.payload
    assert sent(messages, fresh=True)[0] == text


@pytest.mark.parametrize("wire", [wire.name for wire in WIRES])
def test_without_a_note_the_tool_changes_nothing(wire: str) -> None:
    messages = session(wire, None)
    assert not sent(messages)[1].changed


@pytest.mark.parametrize("note", [{}, {"lines": "from 4"}, {"of": "b.py", "lines": "1-2"}, {"lines": "1-999"}])
def test_a_note_that_means_nothing_or_everything_changes_nothing(note: dict[str, str]) -> None:
    assert not sent(session("anthropic", note))[1].changed


def test_lines_go_by_the_numbers_in_front_of_them() -> None:
    numbered = "".join(f"{n + 500:6}\tvalue {n * 7919 % 997} of {n}\n" for n in range(600))
    text, *_ = sent(session("anthropic", {"lines": "540, 545-546"}, numbered))
    assert " of 40\\n" in text
    assert " of 45\\n" in text
    assert " of 46\\n" in text
    assert " of 41\\n" not in text
    assert " of 539\\n" not in text


def test_names_keep_the_lines_that_hold_them_and_of_says_which_result() -> None:
    messages = session("anthropic", None)
    other = [call("anthropic", "c9", "read", {"path": "b.py"}), answer("anthropic", "c9", "read", lines(900))]
    note = {"of": "a.py", "names": "line_77, not_there"}
    kept = [call("anthropic", "c2", NAME, note), answer("anthropic", "c2", NAME, "noted")]
    messages[2]["content"][0]["content"] = TEXT.replace("part line 77:", "part line_77:")
    text, *_ = sent([*messages[:3], *other, *kept, *messages[3:]])
    assert "part line_77:" in text
    assert "part line 76:" not in text
    assert "file line 7:" in text


def test_done_with_a_result_leaves_one_line_of_it() -> None:
    text, _, compactor = sent(messages := session("anthropic", {"of": "a.py"}))
    assert "part line 3:" not in text
    assert [edit.by for entry in compactor.explain(messages) for edit in entry.records] == ["keep_lines"]


def test_what_is_noted_outlives_later_folds_but_not_a_budget() -> None:
    messages = session("anthropic", {"lines": "40-60"})
    for number in range(40):
        key = f"d{number}"
        messages += [
            call("anthropic", key, "read", {"path": f"{key}.py"}),
            answer("anthropic", key, "read", lines(2_000, key)),
        ]
    text, result, _ = sent(messages, config={"window": 40_000})
    assert result.report.tokens_after < 35_000
    assert all(line in text for line in KEPT)
    tight = sent(messages, budget=4_000)[0]
    assert not all(line in tight for line in KEPT)


def test_every_wire_has_a_definition_of_its_own_and_the_request_stays_valid() -> None:
    for wire in (wire.name for wire in WIRES):
        keep_tool(wire).definition.clear()
        written = json.dumps(keep_tool(wire).definition)
        assert all(f'"{name}"' in written for name in (NAME, *PARAMETERS))
    assert NAME in HINT
    messages = session("anthropic", {"lines": "40-60"})
    read = {"name": "read", "input_schema": {"type": "object"}}
    tools = [keep_tool("anthropic").definition, read, {**read, "name": "run"}]
    request = {"model": "claude-sonnet-4-5", "max_tokens": 99, "tools": tools, "messages": messages}
    assert trimtab.validate(request) == []
    with pytest.raises(ConfigError, match="expected one of: anthropic"):
        keep_tool("openai")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"lines": "4"}, "noted"),
        ('{"names": ["a", "b"]}', "noted"),
        ({"lines": [4, "7 - 9"]}, "noted"),
        ("{", "the arguments of this call are"),
        ({"lines": "all"}, "expected ranges such as 40-80"),
        ({}, "which lines or names"),
        (None, "expected an object"),
        ("[" * 100_000, "the arguments of this call are"),
    ],
)
def test_an_answer_is_short_or_says_what_is_wrong(arguments: object, told: str) -> None:
    assert told in keep_tool("gemini").answer(arguments)
