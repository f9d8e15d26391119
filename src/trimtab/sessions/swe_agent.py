"""Trajectories of SWE-agent: the history of each agent, as it was kept for the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from trimtab.errors import WireError
from trimtab.jsonbytes import decode
from trimtab.sessions.base import Call, Session
from trimtab.sessions.keys import top_level
from trimtab.sessions.reported import calls_of
from trimtab.transcript import JSON
from trimtab.wires.leaves import items, string, value_at

_ROLES = frozenset({"system", "user", "assistant", "tool"})
_SENT = ("tool_calls", "thinking_blocks")
"""What SWE-agent sends of a history entry besides role and content."""


class SweAgent:
    """Reads `.traj` files of SWE-agent 0.x and 1.x, those of several attempts too.

    Each agent of a run is a session of its own: SWE-agent shows an agent only its own entries.
    """

    name: ClassVar[str] = "swe-agent"

    def sniff(self, data: bytes) -> bool:
        """An object with a trajectory and a history, or with attempts that have them."""
        if b'"trajectory"' not in data or b'"history"' not in data:
            return False
        keys = top_level(data)
        return {"trajectory", "history"} <= keys or {"attempts", "info"} <= keys

    def read(self, data: bytes) -> Iterator[Session]:
        """A session for each agent of each attempt. Raises WireError."""
        file = decode(data)
        if not isinstance(file, dict):
            raise WireError("a SWE-agent trajectory is an object")
        attempts = [one for one in items(file.get("attempts")) if isinstance(one, dict)] or [file]
        for number, attempt in enumerate(attempts):
            if not isinstance(attempt.get("history"), list):
                raise WireError(f"a SWE-agent trajectory without a history (attempt {number + 1})")
            label = f"attempt {number + 1}" if len(attempts) > 1 else ""
            yield from _agents(attempt, _model(attempt.get("replay_config", file.get("replay_config"))), label)


def _agents(attempt: dict[str, Any], model: str | None, label: str) -> Iterator[Session]:
    histories: dict[str, list[dict[str, Any]]] = {}
    for entry in attempt["history"]:
        if isinstance(entry, dict) and string(entry.get("role")) in _ROLES:
            histories.setdefault(string(entry.get("agent")), []).append(entry)
    for agent, history in histories.items():
        name = " ".join(filter(None, (label, agent)))
        yield _session(name, model, history)


def _session(name: str, model: str | None, history: Sequence[dict[str, Any]]) -> Session:
    calls = [
        Call(start=0, stop=index, model=model)
        for index, entry in enumerate(history)
        if entry["role"] == "assistant" and index and not entry.get("is_demo")
    ]
    tools = any(calls_of(entry) for entry in history)
    return Session(
        format=SweAgent.name,
        name=name,
        wire="openai_chat",
        messages=tuple(map(_message, history)),
        calls=tuple(calls),
        fields={"model": model} if model else {},
        partial=("tools, " if tools else "") + "what history processors cut from requests",
    )


def _message(entry: dict[str, Any]) -> JSON:
    message = {"role": entry["role"], "content": entry.get("content")}
    message |= {key: entry[key] for key in _SENT if entry.get(key)}
    if entry["role"] == "tool":
        answered = items(entry.get("tool_call_ids"))
        message["tool_call_id"] = string(answered[0]) if answered else ""
    return message


def _model(config: JSON) -> str | None:
    """The model's name in the configuration to replay the run, given as an object or as its text."""
    if isinstance(config, str):
        try:
            config = decode(config.encode(errors="replace"))
        except WireError:
            return None
    return string(value_at(config, ("agent", "model", "name"))) or None


SWE_AGENT = SweAgent()
