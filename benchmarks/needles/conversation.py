"""The conversation a sample stands in: asked, read, gone on from, and asked again."""

from __future__ import annotations

import msgspec

from benchmarks.needles.base import Sample
from trimtab.transcript import JSON

SYSTEM = "You are a careful engineer. Read before you write, and say what you changed."
CALL = "call_content"
LATER = ("call_later", "read_file", {"path": "README.md"}, "# Readme\n\nStart with `make run`.\n")


def messages(sample: Sample) -> list[JSON]:
    """OpenAI messages; five follow the question, so the result is old when the last are sent."""
    return [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": sample.question},
        _call(CALL, sample.tool, {"target": sample.kind}),
        {"role": "tool", "tool_call_id": CALL, "content": sample.text},
        {"role": "assistant", "content": sample.said},
        {"role": "user", "content": "Yes, do that, then answer my questions."},
        _call(*LATER[:3]),
        {"role": "tool", "tool_call_id": LATER[0], "content": LATER[3]},
    ]


def body(sample: Sample) -> bytes:
    """The messages as a request."""
    return msgspec.json.encode({"model": "gpt-5", "tools": [_tool(sample.tool)], "messages": messages(sample)})


def result_of(sent: list[JSON]) -> str:
    """What is left of the result, as text, whatever form its content has taken."""
    found = next((one for one in sent if one.get("tool_call_id") == CALL), None)
    content = (found or sent[3]).get("content") if found or len(sent) > 3 else ""
    return content if isinstance(content, str) else "\n".join(_texts(content))


def _texts(content: JSON) -> list[str]:
    return [part["text"] for part in content or [] if isinstance(part, dict) and isinstance(part.get("text"), str)]


def _call(name: str, tool: str, arguments: JSON) -> JSON:
    function = {"name": tool, "arguments": msgspec.json.encode(arguments).decode()}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }


def _tool(name: str) -> JSON:
    parameters = {"type": "object", "properties": {"target": {"type": "string"}}}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}
