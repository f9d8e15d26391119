"""Lines of session files of agents, made by hand: what each agent writes around a small conversation."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

Lines = list[dict[str, Any]]

JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
"""Any JSON."""


def jsonl(lines: Lines) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


class Claude:
    """Writes the lines of a Claude Code session; each hangs on the one before it unless told otherwise."""

    def __init__(self) -> None:
        self.lines: Lines = []
        self.last: str | None = None

    def line(self, kind: str, parent: str | None = "the last", **more: Any) -> str:
        uuid = f"u{len(self.lines) + 1}"
        above = self.last if parent == "the last" else parent
        stamp = f"2026-01-01T00:00:{len(self.lines):02}.500Z"
        own = {"uuid": uuid, "parentUuid": above, "sessionId": "s1", "timestamp": stamp, "isSidechain": False}
        self.lines.append({"type": kind, **own, **more})
        self.last = uuid
        return uuid

    def user(self, content: Any, **more: Any) -> str:
        return self.line("user", message={"role": "user", "content": content}, **more)

    def answer(self, name: str, *blocks: dict[str, Any], output: int = 3, **more: Any) -> str:
        """One line, as Claude Code writes one for each block of an answer."""
        cache = {"cache_read_input_tokens": 20, "cache_creation_input_tokens": 5}
        usage = {"input_tokens": 10, "output_tokens": output, **cache}
        said = {"role": "assistant", "content": list(blocks), "usage": usage}
        message = {"id": name, "model": "claude-opus-4-5", **said}
        return self.line("assistant", message=message, **more)

    def result(self, call: str, content: Any = "done", **more: Any) -> str:
        return self.user([{"type": "tool_result", "tool_use_id": call, "content": content}], **more)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def use(call: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": "Read", "input": {"file_path": f"{call}.py"}}


def claude_code() -> Lines:
    file = Claude()
    file.lines.append({"type": "summary", "summary": "Counting files", "leafUuid": "elsewhere"})
    file.user("How many files?")
    file.answer("m1", {"type": "thinking", "thinking": "Look.", "signature": "c2ln"})
    file.answer("m1", text("I look."), output=4)
    first = file.answer("m1", use("c1"), output=5)
    file.line("progress", data={"type": "hook_progress"})
    file.answer("m1", use("c2"), parent=first, output=9)
    file.result("c2", [text("b.py")])
    file.result("c1", "a.py", parent=first)
    file.answer("m2", text("Two."), parent="u8")
    return file.lines


def codex() -> Lines:
    def item(**payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-01-01T00:00:01.500Z", "type": "response_item", "payload": payload}

    def event(**payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-01-01T00:00:02Z", "type": "event_msg", "payload": payload}

    def said(role: str, words: str) -> dict[str, Any]:
        kind = "output_text" if role == "assistant" else "input_text"
        return item(type="message", role=role, content=[{"type": kind, "text": words}])

    used = {"input_tokens": 30, "cached_input_tokens": 20, "output_tokens": 4}
    counted = event(type="token_count", info={"last_token_usage": used})
    instructions = {"text": "You count files."}
    header = {"id": "s1", "cli_version": "1", "base_instructions": instructions}
    return [
        {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": header},
        said("developer", "Be brief."),
        {"timestamp": "2026-01-01T00:00:00Z", "type": "turn_context", "payload": {"model": "gpt-5.4"}},
        said("user", "How many files?"),
        event(type="user_message", message="How many files?"),
        item(type="reasoning", id="rs_1", summary=[], encrypted_content="c2VhbGVk"),
        item(type="function_call", call_id="c1", name="exec_command", arguments='{"cmd":"ls"}'),
        item(type="custom_tool_call", call_id="c2", name="apply_patch", input="*** Begin Patch"),
        item(type="function_call_output", call_id="c1", output="Wall time: 0.1 seconds\nOutput:\na.py"),
        item(type="custom_tool_call_output", call_id="c2", output="Success"),
        counted,
        counted,
        said("assistant", "One."),
    ]


def pi() -> Lines:
    """Version 1: no ids, one entry after another."""
    usage = {"input": 10, "cacheRead": 20, "cacheWrite": 5, "output": 3, "cost": {"total": 0.1}}
    about = {"api": "anthropic-messages", "model": "claude-opus-4-5", "usage": usage}

    def entry(**message: Any) -> dict[str, Any]:
        return {"type": "message", "timestamp": "2026-01-01T00:00:01.500Z", "message": message}

    thinking = {"type": "thinking", "thinking": "Look.", "thinkingSignature": "c2ln"}
    calls = [
        {"type": "toolCall", "id": name, "name": "read", "arguments": {"path": name}} for name in ("c1", "c2")
    ]
    image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    return [
        {"type": "session", "id": "s1", "cwd": "/home", "timestamp": "2026-01-01T00:00:00Z"},
        {"type": "thinking_level_change", "timestamp": "2026-01-01T00:00:00Z", "thinkingLevel": "low"},
        entry(role="user", content=[text("How many files?")]),
        entry(role="assistant", content=[thinking, text("I look."), *calls], stopReason="toolUse", **about),
        entry(role="toolResult", toolCallId="c1", content=[text("a.py")], isError=False),
        entry(role="toolResult", toolCallId="c2", content=[text("denied"), image], isError=True),
        entry(role="assistant", content=[text("One.")], stopReason="stop", **about),
        entry(role="bashExecution", command="ls", output="a.py", exitCode=2),
    ]


class Copilot:
    """Writes the events of a Copilot CLI session, each after the one before it unless told otherwise."""

    def __init__(self) -> None:
        self.lines: Lines = []

    def event(self, kind: str, parent: str = "", **data: Any) -> str:
        name = f"e{len(self.lines) + 1}"
        above = parent or (f"e{len(self.lines)}" if self.lines else None)
        stamp = f"2026-01-01T00:00:{len(self.lines):02}.500Z"
        self.lines.append({"type": kind, "data": data, "id": name, "timestamp": stamp, "parentId": above})
        return name

    def answer(self, content: str, *calls: str, **more: Any) -> str:
        requests = [
            {"toolCallId": call, "name": "view", "arguments": {"path": call}, "type": "function"} for call in calls
        ]
        return self.event("assistant.message", content=content, toolRequests=requests, **more)

    def result(self, call: str, content: str = "done", **more: Any) -> str:
        result = {"content": content, "detailedContent": "for the screen"}
        told = {"success": True, "result": result, **more}
        return self.event("tool.execution_complete", toolCallId=call, **told)


def copilot_cli() -> Lines:
    file = Copilot()
    file.event("session.start", sessionId="s1", copilotVersion="1.0")
    file.event("session.model_change", newModel="claude-sonnet-4.6")
    file.event("system.message", role="system", content="You count files.")
    file.event("user.message", content="How many?", transformedContent="<now/> How many?")
    file.answer("I look.", "c1", "c2", apiCallId="a1", reasoningText="Look.")
    file.event("assistant.usage", apiCallId="a1", inputTokens=30, cacheReadTokens=20, outputTokens=4)
    file.event("tool.execution_start", toolCallId="c1")
    file.result("c2", "b.py")
    file.result("c1", success=False, error={"message": "denied"})
    file.answer("One.", apiCallId="a2")
    return file.lines


def gemini_call(name: str, output: str = "done") -> dict[str, Any]:
    response = {"id": name, "name": "read_file", "response": {"output": output}}
    result = [{"functionResponse": response}]
    return {"id": name, "name": "read_file", "args": {"file_path": name}, "result": result, "status": "success"}


def gemini_records() -> Lines:
    stamp = {"timestamp": "2026-01-01T00:00:01.500Z"}
    tokens = {"input": 30, "cached": 20, "output": 3, "thoughts": 4, "tool": 0, "total": 37}
    answer = {
        "type": "gemini",
        "model": "gemini-2.5-pro",
        "tokens": tokens,
        "thoughts": [{"subject": "Look"}],
        **stamp,
    }
    return [
        {"id": "r1", "type": "user", "content": "How many files?", **stamp},
        {**answer, "id": "r2", "content": "I look.", "toolCalls": [gemini_call("c1", "a.py"), gemini_call("c2")]},
        {"id": "r3", "type": "info", "content": "Update available", **stamp},
        {**answer, "id": "r4", "content": [{"text": "One."}], "toolCalls": []},
    ]


def gemini_cli() -> Lines:
    """The layout in JSON Lines; the first record comes twice, grown."""
    header = {"sessionId": "s1", "projectHash": "abc", "startTime": "2026-01-01T00:00:00Z", "kind": "main"}
    first, second, *rest = gemini_records()
    return [header, first, {**second, "toolCalls": []}, second, *rest]
