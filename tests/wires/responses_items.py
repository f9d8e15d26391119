"""Items of OpenAI Responses requests, and the rules that a request breaks."""

from __future__ import annotations

from typing import Any

from trimtab import validate

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
URI = f"data:image/png;base64,{PNG}"
EXIT, FAILED, LATE = {"type": "exit", "exit_code": 0}, {"type": "exit", "exit_code": 2}, {"type": "timeout"}
PATCH = {"type": "update_file", "path": "a.py", "diff": "@@\n-a\n+b"}
SHELL = {"commands": ["ls -l"], "timeout_ms": 1000}

USER: dict[str, Any] = {"role": "user", "content": "go on"}


def said(text: str = "done", **fields: Any) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "role": "assistant", "content": [part], "status": "completed", **fields}


def call(call_id: str, arguments: str = "{}", **fields: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": "read", "arguments": arguments, **fields}


def output(call_id: str, text: Any = "text", **fields: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": text, **fields}


def reasoning(number: int = 1, **fields: Any) -> dict[str, Any]:
    sealed = {"encrypted_content": f"gAAAA{number}=="}
    return {"type": "reasoning", "id": f"rs_{number}", "summary": [], **sealed, **fields}


def message(role: str, content: Any) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": content}


def shell_output(*outputs: tuple[str, str, Any]) -> dict[str, Any]:
    listed = [{"stdout": out, "stderr": err, "outcome": outcome} for out, err, outcome in outputs]
    return {"type": "shell_call_output", "call_id": "c", "output": listed}


def request(*items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"model": "gpt-5", "input": list(items), **fields}


def broken(*items: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    """Rule and place of each finding."""
    return [(one.rule, one.place) for one in validate(request(*items, **fields))]
