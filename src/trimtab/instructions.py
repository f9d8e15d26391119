"""Where each wire has system texts beside the messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trimtab.transcript import JSON, Path
from trimtab.wildcards import matches

_GEMINI = tuple(
    f"{where}{name}{text}"
    for where in ("", "config/")
    for name in ("systemInstruction", "system_instruction")
    for text in ("", "/*/text", "/parts/*/text")
)
PLACES: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("system", "system/*/text"),
    "bedrock": ("system/*/text",),
    "openai_responses": ("instructions",),
    "gemini": _GEMINI,
    "langchain": ("system", "system/*/text"),
}
"""The patterns of these places (see `wildcards`); OpenAI Chat Completions has system messages only."""


def instructions(wire: str, fields: Mapping[str, JSON]) -> Iterator[tuple[Path, str]]:
    """The system texts among the top-level fields, each with its path; nothing for a wire that is not known."""
    for place in PLACES.get(wire, ()):
        yield from ((path, text) for path, text in matches(fields, place) if isinstance(text, str))
