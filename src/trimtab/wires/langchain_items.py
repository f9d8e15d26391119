"""One item of a LangChain message's content, as LangChain itself or the provider behind it writes it."""

from __future__ import annotations

import re

from trimtab.images import image_tokens
from trimtab.transcript import JSON, Media, Opaque, Path, Reasoning
from trimtab.wires import leaves
from trimtab.wires.leaves import items, json_text, kind, string

MEDIA = {
    "image": "image/*",
    "audio": "audio/*",
    "video": "video/*",
    "file": "application/pdf",
    "document": "application/pdf",
    "media": "application/octet-stream",
}
"""The types of content that are media, and what is assumed where no media type is given."""

SEALS = ("signature", "thought_signature", "encrypted_content")
"""Fields by which a provider knows its own reasoning again."""

BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])([A-Za-z0-9+/_-]{2400})[A-Za-z0-9+/_-]++")
"""Base64 in what is kept whole counts at most as the dearest image: 1,600 tokens, at 0.68 a character."""


def text(item: JSON, path: Path) -> tuple[str, Path] | None:
    """A text and where it stands."""
    match item:
        case str():
            return item, path
        case _ if _is_cited(item):
            return None
        case {"type": "text" | "text-plain", "text": str(text)} | {"source_type": "text", "text": str(text)}:
            return text, (*path, "text")
        case {"type": "document", "source": {"type": "text", "data": str(text)}}:
            return text, (*path, "source", "data")
    return None


def _is_cited(item: JSON) -> bool:
    """Whether it carries citations, which name positions in it, or may be cited (A16)."""
    return isinstance(item, dict) and bool(item.get("citations") or item.get("annotations"))


def thought(item: JSON, path: Path) -> Reasoning | None:
    """Reasoning as Anthropic, Bedrock, OpenAI Responses (known again by its id) and LangChain itself write it."""
    match item:
        case {"type": "redacted_thinking"}:
            return Reasoning("", True, path)
        case {"type": "reasoning_content", "reasoning_content": dict(held)}:
            text = held.get("text")
        case {"type": "thinking" | "reasoning"}:
            held, text = item, item.get("thinking") or item.get("reasoning")
        case _:
            return None
    said = [string(one.get("text")) for one in items(held.get("summary")) if isinstance(one, dict)]
    extras = held.get("extras")
    sealed = any(one.get(key) for one in (held, extras) if isinstance(one, dict) for key in SEALS)
    return Reasoning("\n".join([string(text), *said]).strip(), sealed or string(held.get("id"))[:3] == "rs_", path)


def medium(item: JSON, path: Path, call_id: str | None) -> Media | None:
    """A medium in LangChain's forms, of now and of before 1.0, or in those of OpenAI, Anthropic and Google."""
    match item:
        case {"type": "image_url" | "input_image", "image_url": str() | dict() as given}:
            name, held = "image", given if isinstance(given, dict) else {"url": given}
        case {"type": "input_audio", "input_audio": dict(held)}:
            name = "audio"
        case {"type": str(name), "source": dict(held)} | {"type": "file" as name, "file": dict(held)}:
            pass
        case {"type": str(name)}:
            held = item
        case _:
            return None
    if name not in MEDIA or _is_cited(item):
        return None
    given = string(held.get("mime_type")) or string(held.get("media_type")) or MEDIA[name]
    media_type, data = leaves.data_uri(string(held.get("url")) or string(held.get("file_data")), given)
    data = data or string(held.get("base64")) or string(held.get("data"))
    tokens = image_tokens("langchain", media_type, data, string(held.get("detail")) or "auto")
    return Media(media_type, data, tokens, call_id, path)


def kept(value: JSON, path: Path, name: str | None = None) -> Opaque:
    """A value that is kept whole."""
    return Opaque(kind(value) if name is None else name, BASE64.sub(r"\1", json_text(value)), path)
