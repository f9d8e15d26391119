from __future__ import annotations

from tests.sessions.agents import Claude, claude_code, jsonl, text, use
from tests.sessions.reading import read, stops

from trimtab.sessions.base import Damage, Session, Usage
from trimtab.sessions.claude_code import CLAUDE_CODE


def sessions(file: Claude) -> list[Session]:
    return read(CLAUDE_CODE, jsonl(file.lines))


def session(file: Claude) -> Session:
    (only,) = sessions(file)
    return only


def words(session: Session) -> list[object]:
    """What is said, blocks of text as their text and others as their type."""
    found: list[object] = []
    for message in session.messages:
        content = message["content"]
        blocks = content if isinstance(content, list) else [text(content)]
        found += [block.get("text", block.get("tool_use_id", block["type"])) for block in blocks]
    return found


def test_an_answer_over_several_lines_is_one_message_and_its_results_are_the_next() -> None:
    (only,) = read(CLAUDE_CODE, jsonl(claude_code()))
    question, answer, results, last = only.messages
    assert question == {"role": "user", "content": "How many files?"}
    assert [block["type"] for block in answer["content"]] == ["thinking", "text", "tool_use", "tool_use"]
    assert results["role"] == "user"
    assert [block["tool_use_id"] for block in results["content"]] == ["c2", "c1"]
    assert last["content"] == [text("Two.")]
    assert (only.name, only.wire, only.damage) == ("s1", "anthropic", ())


def test_calls_are_counted_once_with_time_model_and_the_last_usage() -> None:
    (only,) = read(CLAUDE_CODE, jsonl(claude_code()))
    assert stops(only) == [1, 3]
    call = only.calls[0]
    assert call.usage == Usage(input=35, read=20, written=5, output=9)
    assert call.model == "claude-opus-4-5"
    assert only.fields == {"model": "claude-opus-4-5"}
    assert call.at is not None
    assert call.at % 1 == 0.5


def test_what_was_said_among_results_stands_behind_them() -> None:
    file = Claude()
    file.user("Go.")
    first = file.answer("m1", use("c1"))
    second = file.answer("m1", use("c2"))
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "no"}
    file.user([result, text("Stop that.")], parent=first)
    file.result("c2", parent=second)
    file.answer("m2", text("Fine."))
    assert words(session(file)) == ["Go.", "tool_use", "tool_use", "c1", "c2", "Stop that.", "Fine."]


def test_a_rewind_leaves_the_newest_branch_and_one_with_calls_of_its_own() -> None:
    file = Claude()
    file.user("One?")
    fork = file.answer("m1", text("One."))
    file.user("Two?", parent=fork)
    file.answer("m2", text("Two."))
    file.user("Never answered?", parent=fork)
    file.user("Three?", parent=fork)
    file.answer("m3", text("Three."))
    main, other = sessions(file)
    assert words(main) == ["One?", "One.", "Three?", "Three."]
    assert words(other) == ["One?", "One.", "Two?", "Two."]
    assert (stops(main), stops(other)) == ([1, 3], [3])
    assert (main.name, other.name) == ("s1", "s1, from line 3")


def test_sidechains_are_sessions_of_their_own() -> None:
    file = Claude()
    file.user("Go.")
    asks = file.answer("m1", use("c1"))
    file.user("Look into it.", parent=None, isSidechain=True, agentId="a7")
    file.answer("m2", text("Looked."), isSidechain=True, agentId="a7")
    file.result("c1", "It is fine.", parent=asks)
    file.answer("m3", text("Fine."))
    main, side = sessions(file)
    assert words(main) == ["Go.", "tool_use", "c1", "Fine."]
    assert words(side) == ["Look into it.", "Looked."]
    assert side.name == "s1 sidechain a7, from line 3"


def test_a_file_of_a_subagent_alone_is_read() -> None:
    file = Claude()
    file.user("Look.", isSidechain=True, agentId="a7")
    file.answer("m1", text("Looked."), isSidechain=True, agentId="a7")
    assert words(session(file)) == ["Look.", "Looked."]


def test_what_is_sent_starts_anew_at_a_compaction() -> None:
    file = Claude()
    file.user("Go.")
    before = file.answer("m1", text("Gone."))
    boundary = {"subtype": "compact_boundary", "logicalParentUuid": before, "compactMetadata": {"preTokens": 9}}
    file.line("system", parent=None, **boundary)
    file.line("attachment", attachment={"type": "hook_success", "content": "x"})
    file.user("The story so far.", isCompactSummary=True)
    file.answer("m2", text("On."))
    only = session(file)
    assert words(only) == ["Go.", "Gone.", "The story so far.", "On."]
    assert only.compactions == (2,)
    assert [(call.start, call.stop) for call in only.calls] == [(0, 1), (2, 3)]


def test_a_summary_without_its_boundary_is_a_compaction() -> None:
    file = Claude()
    file.user("Go.")
    file.answer("m1", text("Gone."))
    file.user("The story so far.", isCompactSummary=True, parent=None)
    assert session(file).compactions == (2,)


def test_messages_kept_beside_a_summary_are_there_again() -> None:
    file = Claude()
    file.user("One?")
    file.answer("m1", text("One."))
    head = file.user("Two?")
    tail = file.answer("m2", text("Two."))
    segment = {"headUuid": head, "tailUuid": tail, "anchorUuid": "u6"}
    meta = {"trigger": "auto", "preservedSegment": segment}
    file.line("system", parent=None, subtype="compact_boundary", logicalParentUuid=tail, compactMetadata=meta)
    anchor = file.user("The story so far.", isCompactSummary=True)
    assert anchor == "u6"
    file.user("Three?")
    file.answer("m3", text("Three."))
    only = session(file)
    assert words(only)[4:] == ["The story so far.", "Two?", "Two.", "Three?", "Three."]
    assert only.compactions == (4,)
    assert len(only.calls) == 3


def test_messages_kept_before_a_summary_come_first() -> None:
    file = Claude()
    head = file.user("One?")
    tail = file.answer("m1", text("One."))
    file.user("Two?")
    file.answer("m2", text("Two."))
    meta = {"preservedSegment": {"headUuid": head, "tailUuid": tail, "anchorUuid": "u5"}}
    file.line("system", subtype="compact_boundary", compactMetadata=meta)
    file.user("The story so far.", isCompactSummary=True)
    file.answer("m3", text("Three."))
    only = session(file)
    assert words(only)[4:] == ["One?", "One.", "The story so far.", "Three."]
    assert (only.compactions[0], only.calls[-1].start) == (4, 4)


def test_microcompaction_is_told_and_results_stay_whole() -> None:
    file = Claude()
    file.user("Go.")
    file.answer("m1", use("c1"))
    file.result("c1")
    file.line("system", subtype="microcompact_boundary", microcompactMetadata={"compactedToolIds": ["c1"]})
    file.answer("m2", text("Done."))
    only = session(file)
    assert words(only) == ["Go.", "tool_use", "c1", "Done."]
    assert only.damage == (Damage(4, "from here on the client sent 1 results cleared; they stand here whole"),)


def test_errors_of_the_api_are_no_messages_and_made_up_answers_no_calls() -> None:
    file = Claude()
    file.user("Go.")
    file.line("assistant", isApiErrorMessage=True, message={"id": "x", "content": [text("API Error: 529")]})
    file.user("Again.")
    made_up = {"id": "y", "model": "<synthetic>", "content": [text("No response requested.")]}
    file.line("assistant", isApiErrorMessage=False, message=made_up)
    file.user("Now?")
    file.answer("m1", text("Now."))
    only = session(file)
    assert words(only) == ["Go.", "Again.", "No response requested.", "Now?", "Now."]
    assert stops(only) == [4]


def test_what_the_client_tells_the_model_is_kept() -> None:
    file = Claude()
    file.user("<local-command-caveat>", isMeta=True)
    file.line("system", subtype="local_command", content="<command-name>/model</command-name>")
    file.line("system", subtype="turn_duration", content="not for the model")
    file.line("attachment", attachment={"type": "queued_command", "prompt": "One more thing."})
    file.answer("m1", text("Yes."))
    expected = ["<local-command-caveat>", "<command-name>/model</command-name>", "One more thing.", "Yes."]
    assert words(session(file)) == expected


def test_a_lost_parent_does_not_tear_a_session() -> None:
    file = Claude()
    file.user("One?")
    file.answer("m1", text("One."))
    file.user("Two?", parent="on a damaged line")
    file.answer("m2", text("Two."))
    assert words(session(file)) == ["One?", "One.", "Two?", "Two."]


def test_a_second_root_is_a_session_of_its_own() -> None:
    file = Claude()
    file.user("Plan it.")
    file.answer("m1", text("Planned."))
    file.user("Do it.", parent=None)
    file.answer("m2", text("Done."))
    main, other = sessions(file)
    assert (words(main), words(other)) == (["Do it.", "Done."], ["Plan it.", "Planned."])


def test_copies_of_a_line_and_second_results_count_once() -> None:
    file = Claude()
    file.user("Go.")
    file.answer("m1", use("c1"))
    file.result("c1", "first")
    file.lines.append(file.lines[2])
    file.result("c1", "second")
    file.answer("m1", use("c1"))
    file.answer("m2", text("Done."))
    only = session(file)
    assert words(only) == ["Go.", "tool_use", "c1", "Done."]
    assert only.damage == (Damage(5, "a second result for call 'c1'"),)


def test_parents_in_a_circle_end() -> None:
    file = Claude()
    file.user("One?", parent="u2")
    file.answer("m1", text("One."), parent="u1")
    file.user("Self?", parent="u3")
    assert words(session(file)) == ["One?", "One.", "Self?"]
