"""What is ours alone: the writer that speaks HTTP itself."""

from __future__ import annotations

from typing import Any

import pytest
from tests.writers.providers import KEY, OpenAI
from tests.writers.serving import Answer, serving

from trimtab.edits import Ask
from trimtab.errors import ConfigError, WriterError
from trimtab.writer import answer
from trimtab.writers import OpenAIChat

SAYS = OpenAI().says("Read.")
ASK = Ask("What was done?", schema={"type": "object"}, seconds=30)


def unsupported(name: str) -> Answer:
    """As OpenAI refuses a parameter of a reasoning model."""
    error = {
        "message": f"'{name}' is not supported",
        "type": "invalid_request_error",
        "param": name,
        "code": "unsup",
    }
    return Answer({"error": error}, 400)


@pytest.mark.parametrize("slash", ["", "/"])
def test_where_and_as_whom_it_asks(slash: str) -> None:
    with serving(SAYS) as server:
        OpenAIChat(f"{server.url}/v1{slash}", "m", f"{KEY}\n")(ASK)
        OpenAIChat(f"{server.url}/v1{slash}", "m")(ASK)
    assert [one.path for one in server.asked] == ["/v1/chat/completions"] * 2
    assert [one.headers.get("authorization") for one in server.asked] == [f"Bearer {KEY}", None]
    assert all(one.body["temperature"] == 0 for one in server.asked)
    assert all(one.body["response_format"]["json_schema"]["strict"] for one in server.asked)


def test_what_a_reasoning_model_refuses_gives_way_and_the_schema_stays() -> None:
    with serving(unsupported("max_tokens"), unsupported("temperature"), SAYS) as server:
        assert OpenAIChat(server.url, "m")(ASK).text == "Read."
    last = server.asked[-1].body
    assert (last["max_completion_tokens"], "response_format" in last) == (ASK.most, True)
    assert not {"max_tokens", "temperature"} & set(last)


@pytest.mark.parametrize("name", ["max_tokens", "temperature", "response_format", "model", None])
def test_a_server_that_refuses_whatever_comes_is_not_asked_for_ever(name: Any) -> None:
    with serving(unsupported(name)) as server, pytest.raises(WriterError, match=r"answered 400 \(unsup\)$"):
        OpenAIChat(server.url, "m")(ASK)
    assert len(server.asked) <= 3


def test_a_code_that_is_the_status_again_gives_way_to_the_kind_of_error() -> None:
    """As llama.cpp tells of a prompt that is too long."""
    error = {"code": 400, "type": "exceed_context_size_error", "message": "request (9031 tokens) exceeds …"}
    told = r"answered 400 \(exceed_context_size_error\)$"
    with serving(Answer({"error": error}, 400)) as server, pytest.raises(WriterError, match=told):
        OpenAIChat(server.url, "m")(Ask("What?"))


def test_a_redirect_does_not_take_the_key_elsewhere() -> None:
    with serving(SAYS) as other:
        for status in (301, 302, 303, 307, 308):
            moved = Answer({}, status, (("location", f"{other.url}/chat/completions"),))
            with serving(moved) as server, pytest.raises(WriterError, match=f"answered {status}$"):
                OpenAIChat(server.url, "m", KEY)(ASK)
    assert other.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8080/v1",
        "file:///etc/passwd",
        "ftp://host/v1",
        "http://",
        f"http://me:{KEY}@host/v1",
        f"http://host/v1?key={KEY}",
        "http://host:port/v1",
        "http://[::1/v1",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ConfigError, match="base_url") as told:
        OpenAIChat(url, "m")
    assert KEY not in str(told.value)


@pytest.mark.parametrize("key", [f"{KEY}\r\nX-Other: 1", f"{KEY} {KEY}", f"{KEY}é"])
def test_what_is_no_key_is_not_quoted(key: str) -> None:
    with pytest.raises(ConfigError, match="api_key") as told:
        OpenAIChat("http://host/v1", "m", key)
    assert KEY not in str(told.value)
    assert KEY not in repr(OpenAIChat("http://host/v1", "m", KEY))


@pytest.mark.parametrize("status", [200, 500])
def test_a_hanging_server_is_let_go_of(status: int) -> None:
    told = "answered 500$" if status == 500 else "gave no answer"
    with serving(Answer({}, status, hangs=True)) as server, pytest.raises(WriterError, match=told):
        OpenAIChat(server.url, "m")(Ask("What?", seconds=0.2))


def test_a_server_that_never_ends_is_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trimtab.writers.openai_chat.MOST_BYTES", 100_000)
    endless = Answer(b" " * 300_000 + SAYS.data)
    with serving(endless) as server, pytest.raises(WriterError, match="gave no answer"):
        OpenAIChat(server.url, "m")(ASK)


def test_text_may_come_as_parts_without_the_thinking() -> None:
    content = [{"type": "thinking", "thinking": [{"text": "hm"}]}, {"type": "text", "text": "Re"}, {"text": "ad."}]
    with serving(Answer({"choices": [{"message": {"content": content}}]})) as server:
        assert OpenAIChat(server.url, "m")(ASK).text == "Read."


def test_an_answer_that_a_filter_ended_is_none() -> None:
    ended = Answer({"choices": [{"message": {"content": "The"}, "finish_reason": "content_filter"}]})
    with serving(ended) as server, pytest.raises(WriterError, match="gave no answer: content_filter"):
        OpenAIChat(server.url, "m")(ASK)


def test_usage_that_is_none_costs_no_note() -> None:
    for usage in (None, {}, {"prompt_tokens": None, "completion_tokens": "5"}):
        with serving(Answer({**SAYS.body, "usage": usage, "model": None})) as server:
            said, why = answer(OpenAIChat(server.url, "m"), ASK)
        assert (said.text, said.tokens_in, said.tokens_out, why) == ("Read.", 0, 0, "")
