"""Trajectories in ATIF, the Agent Trajectory Interchange Format of Harbor (versions 1.x).

Source: https://www.harborframework.com/docs/agents/trajectory-format
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any, ClassVar

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.base import Call, Session
from trimtab.sessions.keys import top_level
from trimtab.sessions.lines import mapping
from trimtab.sessions.reported import calls_of, seconds, usage
from trimtab.transcript import JSON
from trimtab.wires.leaves import count, items, json_text, string

_VERSION = re.compile(rb'"schema_version"\s*:\s*"ATIF-v1\.')
_ROLES = {"system": "system", "user": "user", "agent": "assistant"}


class Atif:
    """Reads ATIF documents; embedded trajectories of subagents are sessions of their own."""

    name: ClassVar[str] = "atif"

    def sniff(self, data: bytes) -> bool:
        """An object that names a version 1 of the format."""
        return _VERSION.search(data) is not None and {"schema_version", "steps"} <= top_level(data)

    def read(self, data: bytes) -> Iterator[Session]:
        """The trajectory, then those embedded in it. Raises WireError."""
        todo: list[tuple[JSON, str | None]] = [(decode(data), None)]
        while todo:
            document, model = todo.pop()
            if not isinstance(document, dict) or not isinstance(document.get("steps"), list):
                raise WireError("an ATIF trajectory without steps")
            agent = mapping(document.get("agent"))
            model = string(agent.get("model_name")) or model
            yield _session(document, agent, model)
            todo += [(one, model) for one in reversed(items(document.get("subagent_trajectories")))]


def _session(document: dict[str, Any], agent: dict[str, Any], model: str | None) -> Session:
    steps = [one for one in document["steps"] if isinstance(one, dict) and string(one.get("source")) in _ROLES]
    tools = items(agent.get("tool_definitions"))
    messages: list[JSON] = []
    calls: list[Call] = []
    for number, step in enumerate(steps):
        if step["source"] == "agent" and messages and _asked(step):
            calls.append(_call(step, model, len(messages)))
        message = _message(step)
        messages += [message] if message else []
        if step["source"] == "agent":
            messages += _results(step, calls_of(message), last=number == len(steps) - 1)
    called = any(calls_of(message) for message in messages)
    return Session(
        format=Atif.name,
        name=string(document.get("trajectory_id")) or string(document.get("session_id")),
        wire="openai_chat",
        messages=tuple(messages),
        calls=tuple(calls),
        fields={**({"model": model} if model else {}), **({"tools": tools} if tools else {})},
        partial="tools" if called and not tools else "",
    )


def _asked(step: dict[str, Any]) -> bool:
    """Whether the step asked the model: not one copied from an earlier trajectory, nor a fixed dispatch."""
    return step.get("is_copied_context") is not True and step.get("llm_call_count") != 0


def _call(step: dict[str, Any], model: str | None, stop: int) -> Call:
    """What several inferences used together says nothing of the one request that the step shows."""
    metrics = mapping(step.get("metrics"))
    alone = (count(step.get("llm_call_count")) or 1) == 1
    cached = count(metrics.get("cached_tokens"))
    reported = usage({**mapping(metrics.get("extra")), **metrics, "cached_tokens": cached}) if alone else None
    return Call(
        start=0,
        stop=stop,
        at=seconds(step.get("timestamp")),
        model=string(step.get("model_name")) or model,
        usage=reported,
    )


def _message(step: dict[str, Any]) -> JSON:
    """The step's own message; None when it says nothing."""
    content = _content(step.get("message"))
    if step["source"] != "agent":
        return {"role": _ROLES[step["source"]], "content": content} if content else None
    message: dict[str, JSON] = {"role": "assistant", "content": content}
    if reasoning := string(step.get("reasoning_content")):
        message["reasoning_content"] = reasoning
    if calls := [_tool_call(one) for one in items(step.get("tool_calls")) if isinstance(one, dict)]:
        message["tool_calls"] = calls
    return message


def _tool_call(call: dict[str, Any]) -> JSON:
    function = {"name": string(call.get("function_name")), "arguments": json_text(call.get("arguments"))}
    return {"id": string(call.get("tool_call_id")), "type": "function", "function": function}


def _results(step: dict[str, Any], wanted: list[str], last: bool) -> Iterator[JSON]:
    """A result for each call: the one that names it, else the next that names none; what is left is the user's."""
    results = [one for one in items(mapping(step.get("observation")).get("results")) if isinstance(one, dict)]
    if last and not results:
        return
    asked = set(wanted)
    answering = ((string(one.get("source_call_id")), one) for one in reversed(results))
    named = {call_id: one for call_id, one in answering if call_id in asked}
    loose = deque(one for one in results if one is not named.get(string(one.get("source_call_id"))))
    for call_id in wanted:
        result = named.pop(call_id, None) or (loose.popleft() if loose else {})
        yield {"role": "tool", "tool_call_id": call_id, "content": _content(result.get("content"))}
    for result in loose:
        if content := _content(result.get("content")):
            yield {"role": "user", "content": content}


def _content(value: JSON) -> JSON:
    """Text, or a list of parts; media stand for themselves by the path they were saved under."""
    if not isinstance(value, list):
        return string(value)
    return [_part(one) for one in value if isinstance(one, dict)] or ""


def _part(part: dict[str, Any]) -> JSON:
    path = string(mapping(part.get("source")).get("path"))
    match part.get("type"):
        case "text":
            return {"type": "text", "text": string(part.get("text"))}
        case "image":
            return {"type": "image_url", "image_url": {"url": path}}
        case kind:
            return {"type": "text", "text": f"[{string(kind) or 'media'}: {path}]"}


ATIF = Atif()
