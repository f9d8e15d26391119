from __future__ import annotations

from typing import Any

from tests.sessions.agents import Lines, jsonl, pi, text
from tests.sessions.reading import read, stops

from trimtab.sessions.base import Session, Usage
from trimtab.sessions.pi import PI


def session(lines: Lines) -> Session:
    (only,) = read(PI, jsonl(lines))
    return only


def words(session: Session) -> list[object]:
    found: list[object] = []
    for message in session.messages:
        content = message["content"]
        blocks = content if isinstance(content, list) else [text(content)]
        found += [block.get("text", block["type"]) for block in blocks]
    return found


def message(role: str, *content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, "content": list(content), **more}}


def tree(*entries: tuple[str, str | None, dict[str, Any]]) -> Lines:
    """Version 3: entries with an id and a parent."""
    header = {"type": "session", "version": 3, "id": "s3", "cwd": "/home"}
    return [header, *({**entry, "id": name, "parentId": above} for name, above, entry in entries)]


def test_messages_become_those_of_anthropic() -> None:
    question, answer, results, last, shell = session(pi()).messages
    assert question == {"role": "user", "content": [text("How many files?")]}
    thinking, said, first, second = answer["content"]
    assert thinking == {"type": "thinking", "thinking": "Look.", "signature": "c2ln"}
    assert said == text("I look.")
    assert first == {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "c1"}}
    assert second["id"] == "c2"
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    assert results["content"] == [
        {"type": "tool_result", "tool_use_id": "c1", "content": [text("a.py")]},
        {"type": "tool_result", "tool_use_id": "c2", "content": [text("denied"), image], "is_error": True},
    ]
    assert last["content"] == [text("One.")]
    assert shell["content"] == "Ran `ls`\n```\na.py\n```\n\nCommand exited with code 2"


def test_usage_counts_what_was_cached() -> None:
    only = session(pi())
    assert stops(only) == [1, 3]
    assert only.calls[0].usage == Usage(input=35, read=20, written=5, output=3)
    assert only.calls[0].model == "claude-opus-4-5"
    assert (only.name, only.damage) == ("s1", ())


def test_a_compaction_of_version_1_keeps_what_its_index_says() -> None:
    """The index counts entries, the header included; here it is that of a change of level before a message."""
    lines = pi()
    lines.insert(6, {"type": "thinking_level_change", "thinkingLevel": "high"})
    lines += [
        {"type": "compaction", "summary": "The story so far.", "firstKeptEntryIndex": 6, "tokensBefore": 9},
        message("user", text("On?")),
        message("assistant", text("On."), api="anthropic-messages"),
    ]
    only = session(lines)
    assert only.compactions == (5,)
    kept = ["The story so far.", "One.", "Ran `ls`\n```\na.py\n```\n\nCommand exited with code 2", "On?", "On."]
    assert words(only)[-5:] == kept
    assert (only.calls[-1].start, only.calls[-1].stop) == (5, 9)


def test_branches_of_later_versions_are_followed_by_parent() -> None:
    lines = tree(
        ("a", None, message("user", text("One?"))),
        ("b", "a", message("assistant", text("One."), api="x")),
        ("c", "b", message("user", text("Two?"))),
        ("d", "c", message("assistant", text("Two."), api="x")),
        ("e", "b", {"type": "branch_summary", "summary": "Two was tried.", "fromId": "d"}),
        ("f", "e", {"type": "label", "label": "here"}),
        ("g", "f", {"type": "custom_message", "content": "From an extension.", "customType": "x"}),
        ("h", "g", message("assistant", text("Three."), api="x")),
    )
    main, other = read(PI, jsonl(lines))
    assert words(main) == ["One?", "One.", "Two was tried.", "From an extension.", "Three."]
    assert words(other) == ["One?", "One.", "Two?", "Two."]
    assert (stops(main), stops(other)) == ([1, 4], [3])
    assert "recorded with x" in main.partial


def test_a_compaction_of_later_versions_keeps_from_the_entry_it_names() -> None:
    lines = tree(
        ("a", None, message("user", text("One?"))),
        ("b", "a", message("assistant", text("One."), api="anthropic-messages")),
        ("c", "b", message("user", text("Two?"))),
        ("d", "c", message("assistant", text("Two."), api="anthropic-messages")),
        ("e", "d", {"type": "compaction", "summary": "First.", "firstKeptEntryId": "c"}),
        ("f", "e", message("user", text("Three?"))),
        ("g", "f", message("assistant", text("Three."), api="anthropic-messages")),
        ("h", "g", {"type": "compaction", "summary": "Second.", "firstKeptEntryId": "d"}),
        ("i", "h", message("user", text("Four?"))),
        ("j", "i", message("assistant", text("Four."), api="anthropic-messages")),
    )
    only = session(lines)
    first, second = only.compactions
    assert words(only)[first:second] == ["First.", "Two?", "Two.", "Three?", "Three."]
    assert words(only)[second:] == ["Second.", "Two.", "Three?", "Three.", "Four?", "Four."]


def test_answers_that_failed_are_left_out_with_their_results() -> None:
    call = {"type": "toolCall", "id": "c9", "name": "read", "arguments": {}}
    lines = [
        *pi(),
        message("assistant", call, stopReason="aborted", api="anthropic-messages"),
        message("toolResult", text("late"), toolCallId="c9"),
        message("user", text("Again?")),
        message("assistant", text("Yes."), stopReason="stop", api="anthropic-messages"),
    ]
    only = session(lines)
    assert words(only)[-2:] == ["Again?", "Yes."]
    assert "1 answers that failed" in only.partial


def test_a_call_without_a_result_gets_the_one_that_pi_sends() -> None:
    call = {"type": "toolCall", "id": "c9", "name": "read", "arguments": {}}
    lines = [
        *pi(),
        message("assistant", call, stopReason="toolUse", api="anthropic-messages"),
        message("user", text("Well?")),
        message("assistant", text("Well."), api="anthropic-messages"),
        message("assistant", {**call, "id": "c10"}, stopReason="toolUse", api="anthropic-messages"),
    ]
    only = session([*lines[:-1], message("user", text("And?")), lines[-1]])
    missing = {
        "type": "tool_result",
        "tool_use_id": "c9",
        "is_error": True,
        "content": [text("No result provided")],
    }
    assert only.messages[6] == {"role": "user", "content": [missing]}
    assert only.messages[-1]["role"] == "assistant"


def test_what_the_user_hid_and_what_is_blank_is_not_sent() -> None:
    hidden = {"role": "bashExecution", "command": "x", "output": "", "excludeFromContext": True}
    lines = [*pi(), {"type": "message", "message": hidden}, message("user", text(" \n"))]
    assert len(session(lines).messages) == 5
