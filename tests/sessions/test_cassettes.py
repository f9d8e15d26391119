from __future__ import annotations

import base64
import gzip
import json
import sys
from typing import Any

import pytest
import yaml
from tests.sessions import samples
from tests.sessions.reading import read, stops

from trimtab.errors import ConfigError, WireError
from trimtab.sessions.base import Usage
from trimtab.sessions.cassettes import CASSETTES


def dumped(value: Any) -> bytes:
    text: str = yaml.safe_dump(value, sort_keys=True)
    return text.encode()


def rewritten(change: Any) -> bytes:
    """The cassette with the body of each request and response changed."""
    value = samples.cassette()
    for one in value["interactions"][::2]:
        one["request"] = {**one["request"], **change(one["request"].pop("body"))}
        one["response"] = {**one["response"], **change(one["response"].pop("body")["string"])}
    return dumped(value)


FORMS: list[Any] = [
    lambda text: {"body": text},
    lambda text: {"body": text.encode()},
    lambda text: {"body": gzip.compress(text.encode())},
    lambda text: {"body": {"encoding": "UTF-8", "string": text}},
    lambda text: {"body": {"base64_string": base64.b64encode(text.encode()).decode()}},
    lambda text: {"parsed_body": json.loads(text)},
]


@pytest.mark.parametrize("change", FORMS, ids=["text", "bytes", "gzip", "string", "base64", "parsed"])
def test_bodies_in_every_form(change: Any) -> None:
    (session,) = read(CASSETTES, rewritten(change))
    assert list(session.messages) == samples.CHAT
    assert stops(session) == [2, 4]
    assert session.calls[1].usage == Usage(input=20, read=12, output=5)
    assert session.partial == ""


def test_json_cassettes_need_no_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    (session,) = read(CASSETTES, samples.cassette())
    assert list(session.messages) == samples.CHAT


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    data = dumped(samples.cassette())
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert CASSETTES.sniff(data)
    with pytest.raises(ConfigError, match=r"trimtab\[yaml\]"):
        list(CASSETTES.read(data))


def test_counting_tokens_was_no_call() -> None:
    value = samples.cassette()
    value["interactions"][0]["request"]["uri"] = "https://api.anthropic.com/v1/messages/count_tokens?beta=true"
    (session,) = read(CASSETTES, dumped(value))
    assert session.calls[0].usage is None


def test_the_model_may_stand_in_the_address() -> None:
    value = samples.cassette()
    for one in value["interactions"]:
        one["request"]["uri"] = "https://example.com/v1beta/models/gemini-x:generateContent"
    (session,) = read(CASSETTES, dumped(value))
    assert session.calls[-1].model == "gemini-x"


def test_a_stream_ends_with_the_response() -> None:
    output = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Two."}]}]
    whole: dict[str, Any] = {
        "object": "response",
        "output": output,
        "usage": {"input_tokens": 8, "output_tokens": 1},
    }
    events: list[dict[str, Any]] = [
        {"type": "response.created"},
        {"type": "response.completed", "response": whole},
    ]
    stream = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
    body: dict[str, Any] = {"model": "m", "input": [{"type": "message", "role": "user", "content": "Hi."}]}
    request = {"uri": "https://api.openai.com/v1/responses", "parsed_body": body}
    (session,) = read(CASSETTES, dumped({"interactions": [{"request": request, "response": {"body": stream}}]}))
    assert list(session.messages) == [*body["input"], *output]
    assert session.calls[0].usage == Usage(input=8, output=1)


@pytest.mark.parametrize(
    "data",
    [
        b"interactions:\n- request: {body: [\n",
        b"interactions:\n- request: !!timestamp x\n",
        b"interactions:\n- request: !!bool x\n",
        b"interactions:\n- &a\n  request: *a\n",
        b"a: " + b"[" * 5000,
        b"{}",
        b"- 1",
        b"",
    ],
)
def test_damaged_files_are_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        list(CASSETTES.read(data))


def test_references_may_not_multiply() -> None:
    bomb = b"a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for n in range(1, 12):
        bomb += b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9))
    with pytest.raises(WireError, match="reference"):
        list(CASSETTES.read(bomb + b"interactions:\n- request: {parsed_body: {messages: *a11}}\n"))


def test_references_as_such_are_fine() -> None:
    value = samples.cassette()
    shared = value["interactions"][0]["request"]["headers"] = {"accept": ["*/*"]}
    value["interactions"][2]["request"]["headers"] = shared
    data = dumped(value)
    assert b"*id001" in data
    assert len(read(CASSETTES, data)) == 1
