from __future__ import annotations

import pytest

from trimtab.bindings import adaptive_only, binds


@pytest.mark.parametrize(
    "model",
    [
        "claude-opus-5-5",
        "claude-opus-5.5",
        "claude-opus-5-5-20260914",
        "claude-opus-5-5@20260914",
        "anthropic/claude-sonnet-5.5",
        "us.anthropic.claude-haiku-5-5-20261001-v1:0",
        "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-sonnet-5-5-v1:0",
        "Claude_Fable_5_1",
        "claude-mythos-5-2-latest",
    ],
)
def test_models_that_bind_thinking(model: str) -> None:
    assert binds(model)


@pytest.mark.parametrize(
    "model",
    [
        None,
        "",
        "claude-opus-5",
        "claude-opus-4-8",
        "claude-sonnet-4-5-20250929",
        "claude-fable-5-20260101",
        "claude-opus-5-55",
        "claude-haiku-15-5",
        "octopus-5-5",
        "gpt-5.5",
    ],
)
def test_models_that_do_not(model: str | None) -> None:
    assert not binds(model)


def test_only_some_binding_models_insist_on_adaptive_thinking() -> None:
    assert adaptive_only("claude-sonnet-5.5")
    assert not adaptive_only("claude-haiku-5-5")
