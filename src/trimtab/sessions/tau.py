"""Results of tau-bench and tau2-bench: what the agent's model saw of each conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.base import Call, Session
from trimtab.sessions.keys import top_level
from trimtab.sessions.reported import seconds, usage, without_nulls
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, json_text, string, value_at


class TauBench:
    """Reads results of tau-bench: a list of runs, each with the chat that was sent."""

    name: ClassVar[str] = "tau-bench"

    def sniff(self, data: bytes) -> bool:
        """A list whose first item has a trajectory and a reward."""
        return data.lstrip()[:1] == b"[" and b'"traj"' in data and b'"reward"' in data and b'"task_id"' in data

    def read(self, data: bytes) -> Iterator[Session]:
        """A session for each run. Raises WireError."""
        runs = decode(data)
        if not isinstance(runs, list):
            raise WireError("tau-bench results are a list of runs")
        for run in runs:
            recorded = run.get("traj") if isinstance(run, dict) else None
            if not isinstance(recorded, list):
                raise WireError("a tau-bench run without its `traj`")
            messages = [without_nulls(one) for one in recorded if isinstance(one, dict)]
            yield Session(
                format=self.name,
                name=_name(run),
                wire="openai_chat",
                messages=tuple(messages),
                calls=tuple(_calls(messages, None)),
                partial="tools, model",
            )


class Tau2Bench:
    """Reads results of tau2-bench. The customer's own tool calls and their results never reached the agent."""

    name: ClassVar[str] = "tau2-bench"

    def sniff(self, data: bytes) -> bool:
        """An object with simulations of tasks."""
        return b'"simulations"' in data and {"simulations", "tasks"} <= top_level(data)

    def read(self, data: bytes) -> Iterator[Session]:
        """A session for each simulation. Raises WireError."""
        file = decode(data)
        runs = file.get("simulations") if isinstance(file, dict) else None
        if not isinstance(runs, list):
            raise WireError("tau2-bench results without a list of simulations")
        model = string(value_at(file, ("info", "agent_info", "llm"))) or string(file.get("model")) or None
        rules = string(value_at(file, ("info", "environment_info", "policy")))
        for run in runs:
            if not isinstance(run, dict) or not isinstance(run.get("messages"), list):
                raise WireError("a tau2-bench simulation without messages")
            yield _simulation(run, model, string(run.get("policy")) or rules)


def _simulation(run: dict[str, Any], model: str | None, rules: str) -> Session:
    recorded = [one for one in _flat(run["messages"]) if _seen_by_agent(one)]
    messages = [_message(one) for one in recorded]
    calls = _calls(messages, model, recorded)
    shift = 1 if rules and not any(one["role"] == "system" for one in recorded) else 0
    if shift:
        messages.insert(0, {"role": "system", "content": rules})
    return Session(
        format=Tau2Bench.name,
        name=_name(run),
        wire="openai_chat",
        messages=tuple(messages),
        calls=tuple(Call(start=0, stop=c.stop + shift, at=c.at, model=c.model, usage=c.usage) for c in calls),
        fields={"model": model} if model else {},
        partial="tools, " + ("what stands around the policy" if rules else "system prompt"),
    )


def _flat(recorded: Sequence[JSON]) -> Iterator[dict[str, Any]]:
    """The messages, with results of parallel calls that are kept in one of them apart."""
    for message in recorded:
        if isinstance(message, dict):
            inner = items(message.get("tool_messages"))
            yield from (one for one in inner or (message,) if isinstance(one, dict))


def _seen_by_agent(message: dict[str, Any]) -> bool:
    match message.get("role"):
        case "tool":
            return string(message.get("requestor", "assistant")) == "assistant"
        case "user":
            return not message.get("tool_calls") and message.get("content") is not None
        case role:
            return role in ("assistant", "system")


def _message(recorded: dict[str, Any]) -> JSON:
    message: dict[str, JSON] = {"role": recorded["role"], "content": recorded.get("content")}
    if message["role"] == "tool":
        return {**message, "content": message["content"] or "", "tool_call_id": string(recorded.get("id"))}
    calls = [call for call in items(recorded.get("tool_calls")) if isinstance(call, dict)]
    if calls:
        message["tool_calls"] = list(map(_tool_call, calls))
    elif message["content"] is None:
        message["content"] = ""
    return message


def _tool_call(call: dict[str, Any]) -> JSON:
    function = {"name": string(call.get("name")), "arguments": json_text(call.get("arguments"))}
    return {"id": string(call.get("id")), "type": "function", "function": function}


def _calls(messages: Sequence[JSON], model: str | None, recorded: Sequence[dict[str, Any]] = ()) -> list[Call]:
    """A call before each answer; the greeting before anyone spoke is the program's, not the model's."""
    calls, asked = [], False
    for index, message in enumerate(messages):
        if message.get("role") == "assistant" and asked:
            source = recorded[index] if recorded else {}
            at, tokens = seconds(source.get("timestamp")), usage(source.get("usage"))
            calls.append(Call(start=0, stop=index, at=at, model=model, usage=tokens))
        asked = asked or message.get("role") in ("user", "tool")
    return calls


def _name(run: dict[str, Any]) -> str:
    parts = (("task", run.get("task_id")), ("trial", run.get("trial")))
    return ", ".join(f"{what} {value}" for what, value in parts if isinstance(value, str | int))


TAU_BENCH = TauBench()
TAU2_BENCH = Tau2Bench()
