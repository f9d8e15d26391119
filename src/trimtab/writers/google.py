"""Gemini, asked by a client of Google's SDK."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from typing import Any

from trimtab.edits import Ask
from trimtab.writer import Written
from trimtab.writers.base import asked, refused, said, tokens

WHOLE = frozenset({"STOP", "FINISH_REASON_UNSPECIFIED", ""})
CUT_OFF = frozenset({"MAX_TOKENS", "CONTINUATION"})
"""Reasons to stop; every other one means that the answer was kept back."""


class GoogleGenerate:
    """A writer by `client.models.generate_content`; give `client.aio` to be asked asynchronously.

    Give an async client of its own: its connections belong to the event loop of the writers. No temperature is
    sent, since newer models loop at low ones. The client's own retries hold.
    """

    def __init__(self, client: Any, model: str) -> None:
        self._client, self._model = client, model

    def __call__(self, ask: Ask) -> Written | Awaitable[Written]:
        """The text of the answer. Raises WriterError, at once or when awaited."""
        return asked(self._send, _read, ask)

    def _send(self, ask: Ask) -> Any:
        config: dict[str, Any] = {
            "max_output_tokens": ask.most,
            "http_options": {"timeout": int(ask.seconds * 1000)},  # milliseconds
        }
        if ask.system:
            config["system_instruction"] = ask.system
        if ask.schema is not None:
            config |= {"response_mime_type": "application/json", "response_json_schema": dict(ask.schema)}
        return self._client.models.generate_content(model=self._model, contents=ask.prompt, config=config)


def _read(response: Any) -> Written:
    if not response.candidates:
        raise refused(getattr(response.prompt_feedback, "block_reason", None) or "no candidate")
    [first, *_] = response.candidates
    why = getattr(first.finish_reason, "name", first.finish_reason or "")
    parts = (first.content and first.content.parts) or []
    if why not in WHOLE | CUT_OFF and not any(part.function_call for part in parts):
        raise refused(why)
    usage = response.usage_metadata
    made = (getattr(usage, f"{what}_token_count", 0) for what in ("candidates", "thoughts"))
    written = Written(
        text="".join(part.text for part in parts if part.text and not part.thought),
        whole=why not in CUT_OFF,
        model=response.model_version or "",
        tokens_in=tokens(getattr(usage, "prompt_token_count", 0)),
        tokens_out=tokens(*made),
    )
    return said(written, ", ".join(dict.fromkeys(_others(parts))))


def _others(parts: list[Any]) -> Iterator[str]:
    for part in parts:
        if part.thought:
            yield "thinking"
        elif part.function_call:
            yield "function_call"
