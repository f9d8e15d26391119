"""Requests as the google-genai SDK builds and sends them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.cases.transcripts import log

from trimtab import Compactor, validate
from trimtab.body import open_body
from trimtab.compactor import Result
from trimtab.reader import Reader
from trimtab.testing import memory_store
from trimtab.transcript import Media, Opaque

types = pytest.importorskip("google.genai.types")
genai = pytest.importorskip("google.genai")
httpx = pytest.importorskip("httpx2")

IMAGE = bytes.fromhex("89504e470d0a1a0a0000000d494844520000040000000300") + bytes(range(256)) * 8
SIGNATURE = b"\xfb\xff\xfe" * 9
"""Base64 of these differs by alphabet."""


def exchange(number: int) -> list[Any]:
    """Two parallel calls of one function, without ids as the SDK's own helpers build the results."""
    first = types.FunctionCall(name="read", args={"path": f"{number}.py", "text": log(60)}, id=f"c{number}")
    second = types.FunctionCall(name="read", args={"path": f"{number}.png"}, id=f"d{number}")
    picture = types.FunctionResponsePart.from_bytes(data=IMAGE, mime_type="image/png")
    return [
        types.Content(
            role="model",
            parts=[
                types.Part(text="I look.", thought=True),
                types.Part(function_call=first, thought_signature=SIGNATURE),
                types.Part(function_call=second),
            ],
        ),
        types.Content(
            role="user",
            parts=[
                types.Part.from_function_response(name="read", response={"output": log(200, f"part {number}")}),
                types.Part.from_function_response(name="read", response={"rows": [log(90)]}, parts=[picture]),
            ],
        ),
    ]


def contents(exchanges: int = 4) -> list[Any]:
    task = types.Content(
        role="user", parts=[types.Part(text="go"), types.Part.from_bytes(data=IMAGE, mime_type="image/png")]
    )
    return [task, *(one for number in range(exchanges) for one in exchange(number))]


def sent(made: Any) -> bytes:
    """The body that the SDK puts on the wire."""
    bodies = list[bytes]()

    def answer(request: Any) -> Any:
        bodies.append(request.content)
        return httpx.Response(200, json={"candidates": []})

    http = types.HttpOptions(httpx_client=httpx.Client(transport=httpx.MockTransport(answer)))
    tool = types.Tool(function_declarations=[types.FunctionDeclaration(name="read")])
    config = types.GenerateContentConfig(system_instruction="Be brief.", tools=[tool], max_output_tokens=500)
    with genai.Client(api_key="none", http_options=http) as client:
        client.models.generate_content(model="gemini-3-pro", contents=made, config=config)
    return bodies[0]


def compacted(payload: Any) -> tuple[Compactor, Result]:
    compactor = Compactor(model="gemini-3-pro", store=memory_store(), config={"protect_results": 0}, budget=3_500)
    result = compactor.compact(payload)
    assert result.report.outcome == "applied", result.report
    return compactor, result


def signatures(made: list[Any]) -> list[tuple[int, int, bytes]]:
    return [
        (n, m, part.thought_signature)
        for n, content in enumerate(made)
        for m, part in enumerate(content.parts)
        if part.thought_signature is not None
    ]


def test_what_goes_over_the_wire_is_read_in_full() -> None:
    body = sent(contents())
    assert validate(body) == []
    request = Reader(Compactor(store=None).counter, memory_store(), "default").read(body)
    assert request.wire.name == "gemini"
    assert (request.frame.system, request.frame.max_output) == (("Be brief.",), 500)
    parts = [part for one in request.parsed for part in one.message.parts]
    assert not [part for part in parts if isinstance(part, Opaque)]
    assert [part.media_type for part in parts if isinstance(part, Media)] == ["image/png"] * 5


def test_the_body_shrinks_and_satisfies_the_types() -> None:
    body = sent(contents())
    compactor, result = compacted(body)
    assert validate(result.payload) == []
    made = [types.Content.model_validate_json(json.dumps(one)) for one in json.loads(result.payload)["contents"]]
    assert signatures(made) == signatures(contents())
    assert compactor.undo(result.payload) == body


def test_objects_come_back_as_objects_of_their_class() -> None:
    given = contents()
    before = [one.model_copy(deep=True) for one in given]
    compactor, result = compacted(given)
    assert all(type(one) is types.Content for one in result.payload)
    assert [one is other for one, other in zip(given, result.payload, strict=True)][:1] == [True]
    assert signatures(result.payload) == signatures(given)
    assert compactor.undo(result.payload) == given == before
    assert validate(sent(result.payload)) == []


def test_an_sdk_call_as_keyword_arguments() -> None:
    config = types.GenerateContentConfig(system_instruction="Be brief.", max_output_tokens=500)
    given = {"model": "gemini-3-pro", "contents": contents(), "config": config}
    _, result = compacted(given)
    assert result.payload["config"] is config
    assert result.report.model == "gemini-3-pro"


def test_dicts_with_bytes_keep_them_bytes() -> None:
    given = [one.model_dump(exclude_none=True) for one in contents()]
    compactor, result = compacted(given)
    made = [types.Content.model_validate(one) for one in result.payload]
    assert signatures(made) == signatures(contents())
    stubs = [
        part.function_response.parts[0].inline_data
        for one in made
        for part in one.parts
        if part.function_response and part.function_response.parts
    ]
    assert b"trimtab recall" in stubs[0].data
    assert stubs[0].mime_type == "text/plain"
    assert compactor.undo(result.payload) == given


def test_the_text_in_the_place_of_an_image_is_recognised_when_it_is_fed_back() -> None:
    compactor, result = compacted(sent(contents()))
    again = compactor.compact(result.payload)
    assert again.payload is result.payload
    body = open_body(result.payload)
    assert body.size == len(contents())
