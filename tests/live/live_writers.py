"""Writers and real models: run by `make test-models` alone, never collected by an ordinary run."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import pytest

import trimtab
from trimtab.edits import Ask
from trimtab.presets.summarization import Summarization
from trimtab.testing import conversation, lines
from trimtab.writer import answer
from trimtab.writers import AnthropicMessages, OpenAIChat

MODELS = Path(os.environ["MODELS"]).absolute()
ROOT = Path(__file__).parents[2]
CONTEXT = 2_048
PATIENCE = 300.0
"""Seconds: a busy machine may write a token a second."""

SCHEMA = {
    "type": "object",
    "properties": {
        "files": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 2},
        "next_step": {"type": "string", "maxLength": 40},
    },
    "required": ["files", "next_step"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module", params=["smollm2-135m", "qwen2.5-coder-0.5b"])
def model(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """Where a model answers, and its name."""
    python = MODELS / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    asked = [str(python), "-m", "scripts.models", "serve", request.param, "--context", str(CONTEXT)]
    with subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[-1], request.param
        finally:
            server.terminate()


def ask(prompt: str, **more: Any) -> Ask:
    return Ask(prompt, **{"most": 200, "seconds": PATIENCE, **more})


def test_a_model_answers_and_says_so_twice(model: tuple[str, str]) -> None:
    said, why = answer(OpenAIChat(*model), ask("Name three colours.", system="Answer in one line."))
    assert (why, said.model) == ("", model[1])
    assert said.text
    assert said.tokens_in > 5
    assert 0 < said.tokens_out <= 200
    assert (
        answer(OpenAIChat(*model), ask("Name three colours.", system="Answer in one line."))[0].text == said.text
    )


def test_a_limit_cuts_the_answer_off(model: tuple[str, str]) -> None:
    said, why = answer(OpenAIChat(*model), ask("Tell the story of a lighthouse in twenty sentences.", most=7))
    assert (said.whole, said.tokens_out, why) == (False, 7, "")


def test_a_schema_is_held_to_with_its_bounds(model: tuple[str, str]) -> None:
    told = "src/parser.py, src/lexer.py, src/printer.py and docs/manual.md were read. Next: mend the parser."
    said, why = answer(OpenAIChat(*model), ask(f"{told} Which files, and what is next? As JSON.", schema=SCHEMA))
    assert (why, said.whole) == ("", True)
    found = json.loads(said.text)
    assert set(found) == {"files", "next_step"}
    assert len(found["files"]) <= 2
    assert all(len(one) <= 20 for one in found["files"])
    assert len(found["next_step"]) <= 40


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_a_question_that_is_too_long_fails_cleanly(model: tuple[str, str], schema: Any) -> None:
    said, why = answer(OpenAIChat(*model), ask(lines(3 * CONTEXT), schema=schema))
    host = model[0].split("/")[2]
    assert (said.text, why) == ("", f"the writer failed: {host} answered 400 (exceed_context_size_error)")


def test_a_model_that_is_too_slow_does_not_hold_anybody_up(model: tuple[str, str]) -> None:
    _, why = answer(OpenAIChat(*model), ask("Count to a thousand.", most=1_500, seconds=0.2))
    assert why == "the writer did not answer within 0.2 s"


def test_the_sdk_of_anthropic_gets_the_same_from_its_own_route(model: tuple[str, str]) -> None:
    url = model[0].removesuffix("/v1")
    with anthropic.Anthropic(base_url=url, api_key="none", max_retries=0, timeout=PATIENCE) as client:
        writer = AnthropicMessages(client, model[1])
        said, why = answer(writer, ask("Name three colours.", system="Answer in one line."))
        assert (why, bool(said.text), said.model) == ("", True, model[1])
        assert 0 < said.tokens_out <= 200
        cut, why = answer(writer, ask("Tell the story of a lighthouse in twenty sentences.", most=7))
        assert (cut.whole, why) == (False, "")
        _, why = answer(writer, ask(lines(3 * CONTEXT)))
        assert "answered 400" in why


def compacted(model: tuple[str, str], **settings: Any) -> tuple[Any, trimtab.Result]:
    payload = conversation(exchanges=8, size=120)
    preset = Summarization(tokens=500, keep=4, summary_timeout=PATIENCE, **settings)
    one = trimtab.Compactor(store="memory:", config={}, preset=preset, writer=OpenAIChat(*model))
    return payload, one.compact(payload)


def test_a_compactor_puts_the_note_of_a_model_in_place(model: tuple[str, str]) -> None:
    payload, result = compacted(model, prompt="Say in one short sentence what was read.", max_summary_tokens=300)
    report = result.report
    assert report.outcome == "applied", report.refused
    assert len(result.payload["messages"]) < len(payload["messages"])
    assert report.tokens_after < report.tokens_before


def test_a_compactor_takes_no_note_that_ran_into_its_limit(model: tuple[str, str]) -> None:
    payload, result = compacted(model, max_summary_tokens=3)
    assert result.payload is payload
    assert any("cut off at 3 tokens" in one.text for one in result.report.refused)
