"""Every writer, with its real client, against a server that answers well, badly and not at all."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.writers.providers import KEY, PROVIDERS, USAGE
from tests.writers.serving import Answer, serving

import trimtab
from trimtab.edits import Ask
from trimtab.presets.summarization import Summarization
from trimtab.testing import conversation, note_of
from trimtab.writer import Written, answer

SCHEMA = {
    "type": "object",
    "properties": {"task": {"type": "string", "maxLength": 90}, "maximum": {"type": "integer", "maximum": 9}},
    "required": ["task"],
    "additionalProperties": False,
}
ASK = Ask("What was done?", system="Be brief.", most=64, seconds=30)
HELD = Ask("What was done?", system="Be brief.", most=64, seconds=30, schema=SCHEMA)

providers = pytest.mark.parametrize("provider", PROVIDERS, ids=lambda one: type(one).__name__)


def asked(provider: Any, ask: Ask, *answers: Answer) -> tuple[Written, str, list[Any]]:
    """What is answered, why not, and the bodies that were sent."""
    with serving(*answers) as server, provider.writer(server.url) as writer:
        said, why = answer(writer, ask)
        assert KEY not in why
        assert "What was done" not in why
        return said, why.replace(server.host, "HOST"), [one.body for one in server.asked]


@providers
def test_a_question_brings_the_text_and_what_it_cost(provider: Any) -> None:
    with serving(provider.says("All parts.", thought="Let me see.")) as server:
        with provider.writer(server.url) as writer:
            said, why = answer(writer, ASK)
        [sent] = server.asked
    assert (said, why) == (Written("All parts.", True, "m-1", *USAGE), "")
    assert provider.prompt(sent.body) == ["Be brief.", "What was done?"]
    assert provider.most(sent.body) == 64
    assert not {"tools", "response_format", "output_config"} & set(sent.body)
    assert provider.schema(sent.body) is None


@providers
def test_an_answer_that_a_limit_cut_off_says_so(provider: Any) -> None:
    said, why, _ = asked(provider, ASK, provider.says("All pa", cut=True))
    assert (said.text, said.whole, why) == ("All pa", False, "")


@providers
def test_a_cut_off_answer_by_schema_is_handed_on_as_it_is(provider: Any) -> None:
    said, why, _ = asked(provider, HELD, provider.says('{"task": "mend', cut=True))
    assert (said.text, said.whole, why) == ('{"task": "mend', False, "")


@providers
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"thought": "Hm."}, "only thinking"),
        ({"call": True}, "only (tool_calls|tool_use|function_call)"),
        ({}, "only nothing"),
        ({"text": " \n"}, "only nothing"),
        ({"thought": "Hm.", "cut": True}, "only thinking, and its limit of tokens ended it"),
    ],
    ids=lambda one: str(one)[:24],
)
def test_what_is_no_text_is_no_answer(provider: Any, given: dict[str, Any], told: str) -> None:
    said, why, _ = asked(provider, ASK, provider.says(**given))
    assert said == Written("")
    assert re.search(f"^the writer failed: the model gave no text, {told}$", why)


@providers
def test_a_refusal_is_no_answer(provider: Any) -> None:
    said, why, _ = asked(provider, ASK, provider.declines())
    assert said == Written("")
    assert why.startswith("the writer failed: the model gave no answer: ")


@providers
@pytest.mark.parametrize(("status", "word"), [(400, "bad_request"), (401, "auth_error"), (500, "api_error")])
def test_an_error_names_host_status_and_kind_alone(provider: Any, status: int, word: str) -> None:
    said, why, sent = asked(provider, ASK, provider.fails(status, word))
    assert said == Written("")
    assert why == f"the writer failed: HOST answered {status} ({word})"
    assert len(sent) == 1


@providers
@pytest.mark.parametrize("word", [f"no such key: {KEY}", "you said: What was done?", "x" * 99])
def test_an_error_s_kind_is_one_word_or_not_told(provider: Any, word: str) -> None:
    assert asked(provider, ASK, provider.fails(500, word))[1] == "the writer failed: HOST answered 500"


@providers
@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"", b'{"error": "no"}', b"[]"])
def test_an_error_need_not_be_readable(provider: Any, body: bytes) -> None:
    _, why, _ = asked(provider, ASK, Answer(body, 502))
    assert why.startswith("the writer failed: HOST answered 502")


@providers
@pytest.mark.parametrize("body", [b"<html>hello</html>", b"", b"null", b"[1]", b"{}", b'{"choices": []}'])
def test_an_answer_that_is_none_fails_cleanly(provider: Any, body: bytes) -> None:
    said, why, _ = asked(provider, ASK, Answer(body))
    assert said == Written("")
    assert re.match(r"the writer failed: (HOST|the provider|the model gave)", why)


@providers
def test_a_schema_goes_along_and_one_that_is_refused_is_left_out(provider: Any) -> None:
    for status in (400, 422):
        said, why, sent = asked(provider, HELD, provider.fails(status, "bad_schema"), provider.says("In words."))
        assert (said.text, why) == ("In words.", "")
        assert [provider.schema(body) is None for body in sent] == [False, True]
        assert set(provider.schema(sent[0])["properties"]) == {"task", "maximum"}


@providers
def test_a_refusal_that_is_not_about_the_schema_is_told_after_one_more_try(provider: Any) -> None:
    said, why, sent = asked(provider, HELD, provider.fails(400, "too_long"))
    assert (said, why, len(sent)) == (Written(""), "the writer failed: HOST answered 400 (too_long)", 2)
    said, why, sent = asked(provider, HELD, provider.fails(429, "rate_limit"))
    assert (why, len(sent)) == ("the writer failed: HOST answered 429 (rate_limit)", 1)


@providers
def test_a_server_that_hangs_costs_no_more_than_the_time_given(provider: Any) -> None:
    ask = Ask("What was done?", seconds=0.3)
    _, why, _ = asked(provider, ask, Answer({}, hangs=True))
    assert why == "the writer did not answer within 0.3 s"


@providers
def test_nobody_at_the_address(provider: Any) -> None:
    with serving() as server:
        url, host = server.url, server.host
    with provider.writer(url) as writer:
        said, why = answer(writer, ASK)
    assert said == Written("")
    assert why.startswith(f"the writer failed: {host} gave no answer (")


@providers
def test_a_connection_is_used_again_and_again(provider: Any) -> None:
    """An async client's open connections are of use to the next question too: there is one loop for all."""
    with serving(provider.says("Yes.")) as server, provider.writer(server.url) as writer:
        found = [answer(writer, ASK) for _ in range(3)]
        assert [why for _, why in found] == [""] * 3
        assert {said.text for said, _ in found} == {"Yes."}
        assert len(server.connections) == (3 if type(provider).__name__ == "OpenAI" else 1)


@providers
def test_a_compactor_takes_every_writer(provider: Any) -> None:
    said = provider.says(note_of("The parts were read."))
    with serving(said) as server, provider.writer(server.url) as writer:
        compactor = trimtab.Compactor(
            store="memory:", config={}, preset=Summarization(tokens=900, keep=2), writer=writer
        )
        result = compactor.compact(conversation(exchanges=8))
    assert result.report.outcome == "applied"
    assert "The parts were read." in str(result.payload)


@providers
def test_a_compactor_takes_no_note_that_was_cut_off(provider: Any) -> None:
    payload = conversation(exchanges=8)
    with serving(provider.says("The parts we", cut=True)) as server, provider.writer(server.url) as writer:
        compactor = trimtab.Compactor(
            store="memory:", config={}, preset=Summarization(tokens=900, keep=2), writer=writer
        )
        result = compactor.compact(payload)
    assert result.payload is payload
    assert any("cut off" in one.text for one in result.report.refused)
