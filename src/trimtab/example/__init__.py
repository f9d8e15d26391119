"""A recorded agent session to try things on: an agent looks for a rounding fault in a billing service.

Six tool results: the listing, four files and a log. Everything is invented, and the library proper
knows nothing of what is in here.
"""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from typing import Any

from trimtab.errors import ConfigError
from trimtab.transcript import JSON

WIRES = ("anthropic", "openai_chat")
"""The wires the session is recorded in."""


def session(wire: str = "anthropic") -> bytes:
    """The whole request body, as a client would send it. ConfigError when it is not recorded in `wire`."""
    require(wire)
    return resources.files(__name__).joinpath(f"session.{wire}.json").read_bytes()


def bundled(wire: str = "anthropic") -> str:
    """The path of the file with the session. ConfigError when it is not recorded in `wire`."""
    require(wire)
    return str(resources.files(__name__).joinpath(f"session.{wire}.json"))


def facts() -> dict[str, str]:
    """Six texts the rest of the task needs: question, bug, number, environment, setting, ticket.

    Each stands exactly once in what a model reads in `cut(5)`.
    """
    return dict(read_toml("facts"))


def cut(after_result: int, request: bytes | None = None) -> bytes:
    """The request (the bundled one by default) as it stood after its nth tool result, counted from 1.

    Everything but the later messages stays. ConfigError when there are fewer results.
    """
    body = json.loads(session() if request is None else request)
    results = [index for index, message in enumerate(body["messages"]) if _is_result(message)]
    if not 1 <= after_result <= len(results):
        raise ConfigError(f"cannot cut after result {after_result}: the session has {len(results)}")
    del body["messages"][results[after_result - 1] + 1 :]
    return encode(body)


def require(wire: str) -> None:
    """ConfigError when the example is not recorded in `wire`."""
    if wire not in WIRES:
        raise ConfigError(f"no example session for wire {wire!r}, expected one of: {', '.join(WIRES)}")


def encode(body: JSON) -> bytes:
    """A request body as the providers' own clients write it: no spaces, letters as they are."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def read_toml(name: str) -> dict[str, Any]:
    """One of the TOML files of the example."""
    return tomllib.loads(read_text(f"{name}.toml"))


def read_text(path: str) -> str:
    """A text file of the example, with plain line feeds."""
    return resources.files(__name__).joinpath(path).read_text(encoding="utf-8")


def _is_result(message: JSON) -> bool:
    content = message["content"]
    return message["role"] == "tool" or (isinstance(content, list) and content[0]["type"] == "tool_result")
