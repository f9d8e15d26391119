"""How each wire writes the definition of a tool whose arguments are all optional texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trimtab.errors import ConfigError
from trimtab.transcript import JSON


def definitions(name: str, description: str, parameters: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """What goes into the list of tools, by wire; LangChain's `bind_tools` takes the shape of OpenAI.

    `parameters` says of each argument what it is.
    """

    def schema() -> JSON:
        properties = {one: {"type": "string", "description": text} for one, text in parameters.items()}
        return {"type": "object", "properties": properties}

    bare = {"name": name, "description": description}
    return {
        "anthropic": {**bare, "input_schema": schema()},
        "openai_chat": {"type": "function", "function": {**bare, "parameters": schema()}},
        "openai_responses": {"type": "function", **bare, "parameters": schema(), "strict": False},
        "gemini": {"functionDeclarations": [{**bare, "parameters": schema()}]},
        "bedrock": {"toolSpec": {**bare, "inputSchema": {"json": schema()}}},
        "langchain": {"type": "function", "function": {**bare, "parameters": schema()}},
    }


def definition(wire: str, name: str, description: str, parameters: Mapping[str, str]) -> dict[str, Any]:
    """The definition for one wire, the caller's own to change. Raises ConfigError for an unknown wire."""
    made = definitions(name, description, parameters)
    if wire not in made:
        raise ConfigError(f"wire {wire[:40]!r}, expected one of: {', '.join(made)}")
    return made[wire]
