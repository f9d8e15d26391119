"""A small file of each format, made by hand: a question, a call with its result, an answer."""

from __future__ import annotations

import json
from typing import Any

SYSTEM = {"role": "system", "content": "You count files."}
USER = {"role": "user", "content": "How many?"}
CALLS: list[dict[str, Any]] = [
    {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command":"ls"}'}}
]
ASKS = {"role": "assistant", "content": "I look.", "tool_calls": CALLS}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "a\nb"}
SAYS = {"role": "assistant", "content": "Two."}
CHAT: list[dict[str, Any]] = [SYSTEM, USER, ASKS, RESULT, SAYS]
TOOLS = [{"type": "function", "function": {"name": "bash", "parameters": {"type": "object"}}}]
USED = {"prompt_tokens": 20, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 12}}


def response(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "r1",
        "created": 1700000000,
        "model": "m",
        "choices": [{"message": message}],
        "usage": USED,
        **more,
    }


def mini_swe_agent() -> dict[str, Any]:
    own = {"extra": {"response": response(ASKS), "timestamp": 1700000001.5}, "function_call": None}
    end = {"role": "exit", "content": "a patch", "extra": {"exit_status": "Submitted"}}
    return {
        "info": {"config": {"model": {"model_name": "org/m"}}},
        "messages": [SYSTEM, USER, {**ASKS, **own}, {**RESULT, "extra": {"raw_output": "a\nb"}}, SAYS, end],
        "trajectory_format": "mini-swe-agent-1.1",
        "instance_id": "demo-1",
    }


def swe_agent(tools: bool = False) -> dict[str, Any]:
    """The schema of 1.x with tools, that of 0.x without."""
    asks: dict[str, Any] = {
        "role": "assistant",
        "content": "I look.\n```\nls\n```",
        "thought": "I look.",
        "action": "ls",
    }
    result: dict[str, Any] = {"role": "user", "content": "a\nb\nbash-$"}
    if tools:
        asks = {**ASKS, "thought": "I look.", "action": "ls", "message_type": "action"}
        result = {"role": "tool", "content": "a\nb", "tool_call_ids": ["c1"], "message_type": "observation"}
    history = [{**one, "agent": "main"} for one in (SYSTEM, USER, asks, result, SAYS)]
    config = {"agent": {"model": {"name": "m"}}}
    return {"trajectory": [{"action": "ls"}], "history": history, "info": {}, "replay_config": config}


def tau_bench() -> list[dict[str, Any]]:
    return [{"task_id": 7, "reward": 1.0, "info": {}, "traj": CHAT, "trial": 2}]


def tau2_bench() -> dict[str, Any]:
    def call(name: str, requestor: str) -> dict[str, Any]:
        return {"id": name, "name": "look", "arguments": {"what": name}, "requestor": requestor}

    def said(role: str, content: str | None, *calls: dict[str, Any]) -> dict[str, Any]:
        return {"role": role, "content": content, "tool_calls": list(calls) or None}

    def result(name: str, requestor: str) -> dict[str, Any]:
        return {"id": name, "role": "tool", "content": f"found {name}", "requestor": requestor, "error": False}

    answer = said("assistant", None, call("a1", "assistant"), call("a2", "assistant"))
    messages = [
        said("assistant", "Hi! How can I help?"),
        said("user", "My phone is dead."),
        {**answer, "timestamp": "2025-06-01T10:00:00", "usage": {"prompt_tokens": 30, "completion_tokens": 4}},
        {"role": "tool", "tool_messages": [result("a1", "assistant"), result("a2", "assistant")]},
        said("assistant", "Restart it."),
        said("user", None, call("u1", "user")),
        result("u1", "user"),
        said("user", "Done."),
        said("assistant", "Good."),
    ]
    info = {"agent_info": {"llm": "m"}, "environment_info": {"policy": "Be kind."}}
    run = {"id": "s", "task_id": "phone", "trial": 0, "messages": messages}
    return {"info": info, "tasks": [], "simulations": [run]}


def openhands_events(answered: bool = True) -> list[dict[str, Any]]:
    made = {"function_name": "bash", "tool_call_id": "c1", "model_response": response(ASKS)}
    last = {"function_name": "finish", "tool_call_id": "c2"}
    calls = [{"id": "c2", "type": "function", "function": {"name": "finish", "arguments": "{}"}}]
    ends = {**last, "model_response": response({**SAYS, "tool_calls": calls}, id="r2")}

    def event(number: int, source: str, **more: Any) -> dict[str, Any]:
        return {"id": number, "timestamp": f"2025-04-30T16:32:5{number}", "source": source, "message": "", **more}

    events = [
        event(0, "agent", action="system", args={"content": "You count files.", "tools": TOOLS}),
        event(1, "user", action="message", args={"content": "How many?"}),
        event(2, "user", action="recall", args={"query": "How many?"}),
        event(3, "agent", action="run", args={"command": "ls"}, tool_call_metadata=made),
        event(4, "agent", observation="run", content="a\nb", extras={}, tool_call_metadata=made),
        event(5, "agent", observation="error", content="No such option.", extras={}),
        event(6, "agent", action="finish", args={}, tool_call_metadata=ends),
    ]
    return events if answered else [one for one in events if one["id"] != 4]


def openhands_log() -> dict[str, Any]:
    kwargs = {"tools": TOOLS, "temperature": 0}
    body = {"messages": CHAT[:4], "response": response(SAYS), "args": [], "kwargs": kwargs}
    return {**body, "timestamp": 1700000002.5, "cost": 0.1}


def atif() -> dict[str, Any]:
    call = {"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "ls"}}
    results = {"results": [{"source_call_id": "c1", "content": "a\nb"}]}
    metrics = {"prompt_tokens": 20, "completion_tokens": 5, "cached_tokens": 12}
    steps = [
        {"step_id": 1, "source": "system", "message": "You count files."},
        {"step_id": 2, "source": "user", "message": [{"type": "text", "text": "How many?"}]},
        {
            "step_id": 3,
            "source": "agent",
            "timestamp": "2026-01-01T00:00:00Z",
            "message": "I look.",
            "reasoning_content": "Files.",
            "tool_calls": [call],
            "observation": results,
            "metrics": metrics,
        },
        {"step_id": 4, "source": "agent", "message": "Two.", "llm_call_count": 2, "metrics": metrics},
    ]
    agent = {"name": "demo", "version": "1", "model_name": "m", "tool_definitions": TOOLS}
    return {"schema_version": "ATIF-v1.7", "session_id": "s1", "agent": agent, "steps": steps}


def requests() -> list[dict[str, Any]]:
    return [{"model": "m", "tools": TOOLS, "messages": CHAT[:size]} for size in (2, 4)]


def cassette() -> dict[str, Any]:
    first, second = requests()
    uri = "https://api.openai.com/v1/chat/completions"
    pairs = ((first, response(ASKS)), (second, response(SAYS)))
    kept = [
        {
            "request": {"method": "POST", "uri": uri, "headers": {}, "body": json.dumps(body)},
            "response": {"status": {"code": 200}, "headers": {}, "body": {"string": json.dumps(answer)}},
        }
        for body, answer in pairs
    ]
    image = {"request": {"method": "GET", "uri": "https://example.com/a.png", "body": None}, "response": {}}
    return {"interactions": [kept[0], image, kept[1]], "version": 1}


def json_lines(values: list[Any]) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)
