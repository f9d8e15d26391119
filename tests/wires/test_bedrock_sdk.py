"""Requests as boto3 takes and sends them, held against the service model that comes with botocore."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from tests.cases.transcripts import log
from tests.wires.bedrock_requests import POINT, SPEC, assistant, result, text, use, user

from trimtab import Compactor, validate
from trimtab.compactor import Result
from trimtab.reader import Reader
from trimtab.testing import memory_store
from trimtab.transcript import Media, Opaque

loaders = pytest.importorskip("botocore.loaders")
model = pytest.importorskip("botocore.model")
serialize = pytest.importorskip("botocore.serialize")
validation = pytest.importorskip("botocore.validate")

IMAGE = bytes.fromhex("89504e470d0a1a0a0000000d494844520000040000000300") + bytes(range(256)) * 8
SEALED = b"\xfb\xff\xfe" * 9


@pytest.fixture(scope="module")
def converse() -> Any:
    service = model.ServiceModel(loaders.Loader().load_service_model("bedrock-runtime", "service-2"))
    return service.operation_model("Converse")


def exchange(number: int) -> list[Any]:
    thought = {"reasoningContent": {"reasoningText": {"text": "I look.", "signature": "c2ln"}}}
    image = {"image": {"format": "png", "source": {"bytes": IMAGE}}}
    pdf = {"document": {"format": "pdf", "name": "a", "source": {"bytes": bytearray(b"%PDF" * 99)}}}
    return [
        assistant(
            thought,
            {"reasoningContent": {"redactedContent": SEALED}},
            use(f"a{number}", {"path": f"{number}.py", "text": log(60)}),
            use(f"b{number}"),
        ),
        user(
            result(f"b{number}", {"json": {"rows": [log(90)]}}, image, pdf, status="success"),
            result(f"a{number}", text(log(200, f"part {number}")), status="error"),
            POINT,
        ),
    ]


def request(exchanges: int = 4) -> dict[str, Any]:
    """Keyword arguments of `client.converse`, with media as bytes."""
    task = user(text("go"), {"image": {"format": "png", "source": {"bytes": IMAGE}}})
    return {
        "modelId": "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "system": [text("Be brief."), POINT],
        "toolConfig": {"tools": [SPEC]},
        "inferenceConfig": {"maxTokens": 500},
        "messages": [task, *(one for number in range(exchanges) for one in exchange(number))],
    }


def sent(converse: Any, arguments: Any) -> bytes:
    """The body that goes over the wire, for arguments that fit the service model."""
    report = validation.ParamValidator().validate(arguments, converse.input_shape)
    assert not report.has_errors(), report.generate_report()
    body: bytes = serialize.create_serializer("rest-json").serialize_to_request(arguments, converse)["body"]
    return body


def compacted(payload: Any) -> tuple[Compactor, Result]:
    compactor = Compactor(
        model="claude-sonnet-4-5", store=memory_store(), config={"protect_results": 0}, budget=14_000
    )
    result = compactor.compact(payload)
    assert result.report.outcome == "applied", result.report
    return compactor, result


def test_what_goes_over_the_wire_is_read_in_full(converse: Any) -> None:
    body = sent(converse, request())
    assert validate(body) == validate(request()) == []
    found = Reader(Compactor(store=None).counter, memory_store(), "default").read(body)
    assert found.wire.name == "bedrock"
    parts = [part for one in found.parsed for part in one.message.parts]
    assert not [part for part in parts if isinstance(part, Opaque)]
    assert len([part for part in parts if isinstance(part, Media) and part.data]) == 9


def test_bytes_and_their_base64_have_the_same_names(converse: Any) -> None:
    reader = Reader(Compactor(store=None).counter, memory_store(), "default")
    assert reader.read(sent(converse, request())).names == reader.read(request()).names


def test_arguments_for_boto3_stay_such(converse: Any) -> None:
    given = request()
    before = deepcopy(given)
    compactor, result = compacted(given)
    assert given == before
    assert validate(sent(converse, result.payload)) == []
    old, new = given["messages"], result.payload["messages"]
    assert new[0] is old[0]
    assert [one["content"][1] for one in new[1::2]] == [one["content"][1] for one in old[1::2]]
    assert compactor.undo(result.payload) == given
    assert compactor.compact(result.payload).payload is result.payload


def test_the_body_shrinks_and_comes_back(converse: Any) -> None:
    body = sent(converse, request())
    compactor, result = compacted(body)
    assert validate(result.payload) == []
    assert compactor.undo(result.payload) == body


def test_a_cut_image_comes_back_as_its_bytes(converse: Any) -> None:
    compactor, result = compacted(request())
    stub = result.payload["messages"][2]["content"][0]["toolResult"]["content"][1]["text"]
    handle = stub.rsplit(" ", 1)[1].rstrip("]")
    assert compactor.recall(handle).data == IMAGE


def test_a_message_whose_reasoning_went_comes_back_with_its_bytes(converse: Any) -> None:
    """With thinking bound to what precedes it, a fold drops it as a whole."""
    given = request() | {"modelId": "anthropic.claude-opus-5-5-v1:0"}
    given["messages"] = [*given["messages"], assistant(text("done")), user(text("and now?"))]
    compactor = Compactor(store=memory_store(), config={"protect_results": 0}, budget=14_000)
    result = compactor.compact(given)
    kept = [n for n, one in enumerate(result.payload["messages"]) if "reasoningContent" in one["content"][0]]
    assert kept == [1]  # nothing before it was cut
    assert validate(sent(converse, result.payload)) == []
    assert compactor.undo(result.payload) == given
