"""Small recorded sessions for the replay, made by hand: a question, calls with results, an answer."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from trimtab.replay.rows import Options, rows_of
from trimtab.replay.segment import Segment, segments
from trimtab.replay.totals import Results
from trimtab.sessions.base import Call, Session, Usage

WORDS = "the river bends where old trees lean over stones and slow water keeps its cold light".split()
MODEL = "claude-opus-4-5"


def asks(number: int, **arguments: Any) -> dict[str, Any]:
    call = {"name": "read", "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}],
    }


def result(number: int, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"c{number}", "content": text}


def rounds(*steps: tuple[dict[str, Any], str]) -> list[dict[str, Any]]:
    """A question, then each call with what it gave, then an answer."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Where is the fault?"}]
    for number, (arguments, text) in enumerate(steps):
        messages += [asks(number, **arguments), result(number, text)]
    return [*messages, {"role": "assistant", "content": "There."}]


def recorded(
    messages: list[dict[str, Any]],
    *,
    seconds: float | None = 10.0,
    usage: list[Usage] | None = None,
    model: str | None = MODEL,
) -> Session:
    """A session with a call before each answer, `seconds` apart."""
    stops = [n for n, one in enumerate(messages) if n and one["role"] == "assistant"]
    calls = tuple(
        Call(
            start=0,
            stop=stop,
            at=None if seconds is None else 1e9 + number * seconds,
            model=model,
            usage=usage[number] if usage else None,
        )
        for number, stop in enumerate(stops)
    )
    return Session(
        format="test",
        name="made",
        wire="openai_chat",
        messages=tuple(messages),
        calls=calls,
        fields={"model": model} if model else {},
    )


def segment(messages: list[dict[str, Any]], **options: Any) -> Segment:
    (found,) = segments(recorded(messages, **options))
    return found


def words(count: int, seed: str = "w") -> str:
    """A text of so many lines that nothing can shorten unseen, and that no other seed's text shares."""
    chosen = Random(seed)
    return "\n".join(" ".join(chosen.choices(WORDS, k=5)) + f" {seed}" for _ in range(count))


def saved(folder: Path, messages: list[dict[str, Any]], name: str = "session.json") -> Path:
    """The messages in a session file, as mini-swe-agent writes it."""
    info = {"config": {"model": {"model_name": MODEL}}}
    value = {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1", "instance_id": name}
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def results(*conversations: list[dict[str, Any]], **options: Any) -> Results:
    """What a replay of these conversations gives, without files."""
    chosen = Options(**options)
    rows = [row for messages in conversations for row in rows_of("made.json", recorded(messages), chosen)]
    return Results(options=chosen, rows=tuple(rows), failed=(), files=len(conversations))
