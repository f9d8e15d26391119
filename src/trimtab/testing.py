"""Conversations, a store and a pass for tests of what is built on trimtab.

request = conversation("anthropic", exchanges=8)
result = Compactor(store=memory_store(), budget=4_000).compact(request)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar

from trimtab.edits import Edit, Loss, Place
from trimtab.errors import ConfigError
from trimtab.passes import Stage, View
from trimtab.stores import Store, open_store

MODELS = {"anthropic": "claude-sonnet-4-5", "openai_chat": "gpt-4o"}
"""The model that a built conversation names, by wire."""

TOKENS_PER_LINE = 11


def memory_store() -> Store:
    """A store of its own that lasts as long as the process."""
    return open_store("memory:")


def lines(tokens: int, about: str = "file") -> str:
    """A text of roughly so many tokens, in lines that all differ."""
    count = tokens // TOKENS_PER_LINE + 1
    return "".join(f"{about} line {n}: value {n * n * 7919 % 997} is set\n" for n in range(count))


def conversation(wire: str = "anthropic", *, exchanges: int = 4, size: int = 500) -> dict[str, Any]:
    """A valid request: a task, then `exchanges` calls, each answered by a result of roughly `size` tokens.

    The messages of a shorter one are the beginning of those of a longer one, as a session grows.
    Raises ConfigError for a wire that is not in `MODELS`.
    """
    if wire not in MODELS:
        raise ConfigError(f"wire {wire!r}, expected one of: {', '.join(MODELS)}")
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Find the error and mend it."}]
    for number in range(exchanges):
        messages += exchange(wire, f"call_{number}", f"src/part_{number}.py", lines(size, f"part {number}"))
    return {"model": MODELS[wire], "max_tokens": 1_000, "tools": [_tool(wire)], "messages": messages}


def exchange(wire: str, call_id: str, path: str, text: str) -> list[dict[str, Any]]:
    """An assistant's call that reads a file, and the result."""
    if wire == "anthropic":
        call = {"type": "tool_use", "id": call_id, "name": "read", "input": {"path": path}}
        result = {"type": "tool_result", "tool_use_id": call_id, "content": text}
        return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    function = {"name": "read", "arguments": f'{{"path": "{path}"}}'}
    made = {"id": call_id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [made]},
        {"role": "tool", "tool_call_id": call_id, "content": text},
    ]


def _tool(wire: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    if wire == "anthropic":
        return {"name": "read", "description": "Read a file.", "input_schema": schema}
    return {"type": "function", "function": {"name": "read", "description": "Read a file.", "parameters": schema}}


def note_of(*facts: str) -> str:
    """What a well-behaved writer answers: these facts, under headings that trimtab asks for."""
    found = "\n".join(f"- {one}" for one in facts)
    return f"## Facts found\n{found}\n\n## Next step\n- Go on.\n"


class Scripted:
    """A fold pass that proposes what a function says; the guard judges its edits as those of any pass."""

    name: ClassVar[str] = "scripted"
    stage: ClassVar[Stage] = Stage.FOLD
    loss: ClassVar[Loss] = Loss.LOSSY
    places: ClassVar[frozenset[Place]] = frozenset(Place)

    def __init__(self, script: Callable[[View], Iterable[Edit]]) -> None:
        self.script = script

    def propose(self, view: View) -> Iterator[Edit]:
        """What the script yields for this view."""
        yield from self.script(view)


class ScriptedIngest(Scripted):
    """The same as an ingest pass: it sees what has arrived and was never sent."""

    stage: ClassVar[Stage] = Stage.INGEST
