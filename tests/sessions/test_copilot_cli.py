from __future__ import annotations

from tests.sessions.agents import Copilot, copilot_cli, jsonl
from tests.sessions.reading import read, stops

from trimtab.sessions.base import Damage, Session, Usage
from trimtab.sessions.copilot_cli import COPILOT_CLI

SYSTEM = {"role": "system", "content": "You count files."}


def begun() -> Copilot:
    file = Copilot()
    file.lines = copilot_cli()
    return file


def sessions(file: Copilot) -> list[Session]:
    return read(COPILOT_CLI, jsonl(file.lines))


def session(file: Copilot) -> Session:
    (only,) = sessions(file)
    return only


def words(session: Session) -> list[str]:
    return [message["content"] for message in session.messages]


def test_events_become_a_chat() -> None:
    only = session(begun())
    system, user, asks, *results, last = only.messages
    assert system == SYSTEM
    assert user["content"] == "<now/> How many?"
    assert (asks["content"], asks["reasoning_content"]) == ("I look.", "Look.")
    function = {"name": "view", "arguments": '{"path":"c1"}'}
    assert asks["tool_calls"][0] == {"id": "c1", "type": "function", "function": function}
    assert results == [
        {"role": "tool", "tool_call_id": "c2", "content": "b.py"},
        {"role": "tool", "tool_call_id": "c1", "content": "denied"},
    ]
    assert last == {"role": "assistant", "content": "One."}
    assert (only.name, only.wire, only.damage) == ("s1", "openai_chat", ())
    assert "system" not in only.partial


def test_calls_have_model_time_and_the_usage_told_for_them() -> None:
    only = session(begun())
    assert stops(only) == [2, 5]
    assert [call.usage for call in only.calls] == [Usage(input=30, read=20, output=4), None]
    assert {call.model for call in only.calls} == {"claude-sonnet-4.6"}
    assert only.calls[0].at is not None


def test_what_is_sent_starts_anew_at_a_compaction_with_the_system_prompt() -> None:
    file = begun()
    file.event("session.compaction_complete", success=True, summaryContent="We counted.")
    file.event("user.message", content="On?")
    file.answer("On.")
    only = session(file)
    assert only.compactions == (6,)
    assert only.messages[6:8] == (SYSTEM, {"role": "user", "content": "We counted."})
    assert (only.calls[-1].start, only.calls[-1].stop) == (6, 9)


def test_a_compaction_that_failed_or_tells_nothing_is_none() -> None:
    file = begun()
    file.event("session.compaction_complete", success=False, summaryContent="x")
    file.event("session.compaction_complete", success=True)
    only = session(file)
    assert only.compactions == ()
    assert only.damage == (Damage(12, "a compaction that does not say what it left"),)


def test_subagents_are_sessions_of_their_own() -> None:
    file = begun()
    file.event("user.message", content="Delegate.")
    file.answer("", "task")
    inside = {"parentToolCallId": "task"}
    file.event("user.message", content="Look into it.", **inside)
    file.answer("", "c9", **inside)
    file.result("c9", **inside)
    file.answer("Looked.", **inside)
    file.result("task", "It is fine.")
    file.answer("Fine.")
    main, agent = sessions(file)
    assert words(main)[-4:] == ["Delegate.", None, "It is fine.", "Fine."]
    assert words(agent) == ["Look into it.", None, "done", "Looked."]
    assert agent.name == "s1 agent of task, from line 13"


def test_a_rewind_goes_on_from_an_earlier_event() -> None:
    file = begun()
    fork = file.lines[-1]["id"]
    file.event("user.message", content="Wrong?")
    file.answer("Wrong.")
    file.event("user.message", content="Right?", parent=fork)
    file.answer("Right.")
    main, other = sessions(file)
    assert (words(main)[-2:], words(other)[-2:]) == (["Right?", "Right."], ["Wrong?", "Wrong."])
    assert (stops(main), stops(other)) == ([2, 5, 7], [7])


def test_a_late_result_stands_with_its_call_and_one_without_a_call_is_told() -> None:
    file = begun()
    file.answer("", "c5")
    file.event("system.notification", content="<done/>")
    file.result("c5", "late")
    file.result("c5", "twice")
    file.event("session.truncation", tokensRemovedDuringTruncation=5)
    file.answer("So.")
    only = session(file)
    assert words(only)[-4:] == [None, "late", "<done/>", "So."]
    assert [(one.line, one.text.split(";")[0]) for one in only.damage] == [
        (14, "a result without an open call 'c5'"),
        (15, "from here on the client left its oldest messages out"),
    ]


def test_custom_tools_keep_their_text() -> None:
    file = begun()
    request = {"toolCallId": "c7", "name": "apply_patch", "arguments": "*** Begin", "type": "custom"}
    file.event("assistant.message", content="", toolRequests=[request])
    file.result("c7")
    (call,) = session(file).messages[-2]["tool_calls"]
    assert call == {"id": "c7", "type": "custom", "custom": {"name": "apply_patch", "input": "*** Begin"}}


def test_an_empty_answer_and_a_repeated_system_prompt_add_nothing() -> None:
    file = begun()
    file.answer("")
    file.event("system.message", role="system", content=SYSTEM["content"])
    assert len(session(file).messages) == 6
