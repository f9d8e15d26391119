"""Parts and contents of Gemini requests, and the rules that a request breaks."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from trimtab.transcript import Frame, Transcript
from trimtab.wires.gemini import GEMINI

PNG = b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\4\0\0\0\3\0" + bytes(400)).decode()
SIGNED = {"thoughtSignature": "c2ln"}


def text(said: str, **fields: Any) -> dict[str, Any]:
    return {"text": said, **fields}


def call(name: str = "read", call_id: str = "", given: Any = None, **fields: Any) -> dict[str, Any]:
    made = {"name": name, "args": {} if given is None else given}
    return {"functionCall": {"id": call_id, **made} if call_id else made, **fields}


def answer(
    name: str = "read", call_id: str = "", response: Any = None, parts: list[Any] | None = None
) -> dict[str, Any]:
    made = {"name": name, "response": {"output": "text"} if response is None else response}
    made |= {} if parts is None else {"parts": parts}
    return {"functionResponse": {"id": call_id, **made} if call_id else made}


def inline(data: str = PNG, media_type: str = "image/png") -> dict[str, Any]:
    return {"inlineData": {"mimeType": media_type, "data": data}}


def words(said: str, media_type: str = "text/plain") -> dict[str, Any]:
    return inline(b64encode(said.encode()).decode(), media_type)


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


USER = user(text("go on"))
DONE = model(text("done"))


def broken(*contents: dict[str, Any], **fields: Any) -> list[tuple[str, str]]:
    transcript = Transcript("gemini", Frame(), tuple(map(GEMINI.message, contents)))
    found = [*GEMINI.check(transcript), *GEMINI.check_source(fields, contents)]
    return [(one.rule, one.place) for one in found]
