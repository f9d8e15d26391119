"""Why Gemini stops: of its many reasons one means that the answer is whole, and few that it was cut off."""

from __future__ import annotations

import pytest
from tests.writers.providers import Gemini
from tests.writers.serving import Answer, serving

from trimtab.edits import Ask
from trimtab.writer import answer


def stopped(why: str | None) -> tuple[str, bool, str]:
    """The text, whether it is whole, and why there is none."""
    provider = Gemini()
    body = provider.says("Read.").body
    body["candidates"][0]["finishReason"] = why
    with serving(Answer(body)) as server, provider.writer(server.url) as writer:
        said, problem = answer(writer, Ask("What?", seconds=30))
        return said.text, said.whole, problem


@pytest.mark.parametrize(("why", "whole"), [("STOP", True), (None, True), ("MAX_TOKENS", False)])
def test_an_answer(why: str | None, whole: bool) -> None:
    assert stopped(why) == ("Read.", whole, "")


@pytest.mark.parametrize("why", ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "OTHER"])
def test_an_answer_that_was_kept_back_is_none_though_some_of_it_came(why: str) -> None:
    assert stopped(why) == ("", True, f"the writer failed: the model gave no answer: {why}")
