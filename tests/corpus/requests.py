"""Requests of the two wires out of recorded transcripts; a few lines of extraction, not readers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CORPUS = os.environ.get("TRIMTAB_CORPUS")


def requests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each request of the corpus that is OpenAI Chat or Anthropic Messages, by a name for the test's id."""
    for path in sorted(Path(CORPUS).iterdir()) if CORPUS else ():
        yield from _openhands(path)
        yield from _tau(path)
        yield from _moatless(path)
        yield from _cassettes(path)


def _load(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _openhands(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if path.name.startswith(("openhands-llm-completions", "openhands-sdk-llm-logs")):
        log = _load(path)
        body = {"model": log.get("response", {}).get("model", "gpt-4o"), "messages": log["messages"]}
        tools = (log.get("kwargs") or {}).get("tools") or log.get("tools")
        yield path.name, body | ({"tools": tools} if tools else {})


def _tau(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if path.name.startswith("tau-bench"):
        for number, run in enumerate(_load(path)):
            yield f"{path.name}[{number}]", {"model": "gpt-4o", "messages": run["traj"]}


def _moatless(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if path.name.startswith("moatless"):
        for number, body in enumerate(_inputs(_load(path))):
            yield f"{path.name}[{number}]", body


def _inputs(value: Any) -> Iterator[dict[str, Any]]:
    """The Anthropic requests inside the nodes of a search tree."""
    if isinstance(value, dict):
        messages = value.get("input")
        if isinstance(messages, list) and messages and isinstance(messages[0], dict) and "role" in messages[0]:
            head = [one["content"] for one in messages if one["role"] == "system"]
            rest = [one for one in messages if one["role"] != "system"]
            model = value.get("model", "claude-3-5-sonnet-20241022")
            yield {"model": model, "max_tokens": 1000, "system": "\n".join(map(str, head)), "messages": rest}
        for item in value.values():
            yield from _inputs(item)
    elif isinstance(value, list):
        for item in value:
            yield from _inputs(item)


def _cassettes(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if path.suffix == ".yaml":
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        for number, one in enumerate(yaml.load(path.read_bytes(), loader)["interactions"]):
            request = one["request"]
            body = request.get("parsed_body")
            if str(request["uri"]).split("?")[0].endswith(("/v1/messages", "/chat/completions")) and body:
                yield f"{path.name}[{number}]", body
