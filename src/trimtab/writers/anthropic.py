"""Claude, asked by a client of Anthropic's SDK."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any

from trimtab.edits import Ask
from trimtab.transcript import JSON
from trimtab.writer import Written
from trimtab.writers.base import asked, refused, said, tokens

BOUNDS = frozenset(
    "minLength maxLength pattern minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum"
    " multipleOf minProperties maxProperties".split()
)
"""Keywords that structured outputs refuse (the SDK's `transform_schema` takes them out as well)."""

CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded"})


class AnthropicMessages:
    """A writer by `client.messages.create`, the client being sync or async, for Anthropic, Bedrock or Vertex.

    Give an async client of its own: its connections belong to the event loop of the writers. No temperature is
    sent, since newer models refuse one. The client's own retries hold.
    """

    def __init__(self, client: Any, model: str) -> None:
        self._client, self._model = client, model

    def __call__(self, ask: Ask) -> Written | Awaitable[Written]:
        """The text of the answer. Raises WriterError, at once or when awaited."""
        return asked(self._send, _read, ask)

    def _send(self, ask: Ask) -> Any:
        given: dict[str, Any] = {"system": ask.system} if ask.system else {}
        if ask.schema is not None:  # in the body itself: older SDKs do not know the argument
            given["extra_body"] = {
                "output_config": {"format": {"type": "json_schema", "schema": bare(ask.schema)}}
            }
        return self._client.messages.create(
            model=self._model,
            max_tokens=ask.most,
            messages=[{"role": "user", "content": ask.prompt}],
            timeout=ask.seconds,
            **given,
        )


def bare(schema: Mapping[str, JSON]) -> dict[str, JSON]:
    """A schema as structured outputs take it: without bounds, and with every object closed."""
    kept = {key: _bare(key, value) for key, value in schema.items() if key not in BOUNDS}
    return kept | {"additionalProperties": False} if schema.get("type") == "object" else kept


def _bare(key: str, value: JSON) -> JSON:
    if key in ("properties", "$defs") and isinstance(value, Mapping):
        return {name: bare(one) for name, one in value.items()}
    if key in ("anyOf", "allOf", "oneOf") and isinstance(value, list | tuple):
        return [bare(one) for one in value]
    return bare(value) if key == "items" and isinstance(value, Mapping) else value


def _read(message: Any) -> Written:
    if message.stop_reason == "refusal":
        raise refused("refusal")
    usage = message.usage
    cached = (getattr(usage, f"cache_{how}_input_tokens", 0) for how in ("creation", "read"))
    written = Written(
        text="".join(part.text for part in message.content if part.type == "text"),
        whole=message.stop_reason not in CUT_OFF,
        model=message.model,
        tokens_in=tokens(usage.input_tokens, *cached),
        tokens_out=tokens(usage.output_tokens),
    )
    return said(written, ", ".join(dict.fromkeys(part.type for part in message.content if part.type != "text")))
