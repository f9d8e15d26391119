"""The example with a result of every kind: each is read as that kind, and hides one line that matters."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import trimtab
from trimtab import example
from trimtab.errors import ConfigError
from trimtab.example import kinds
from trimtab.excerpts import KINDS, read
from trimtab.excerpts.base import NUMBERED

SEEDS = range(4)

wires = pytest.mark.parametrize("wire", example.WIRES)
seeds = pytest.mark.parametrize("seed", SEEDS)


def command(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "trimtab.example", *arguments], capture_output=True, check=False)


@seeds
def test_there_is_a_result_of_every_kind(seed: int) -> None:
    found = {name: read(text).kind for name, text in kinds.texts(seed).items()}
    assert found == {kind.name: kind.name for kind in KINDS} | {"source": "code"}


@seeds
def test_one_source_has_line_numbers_and_the_other_has_none(seed: int) -> None:
    texts = kinds.texts(seed)
    assert all(map(NUMBERED.match, texts["code"].splitlines()))
    assert not any(map(NUMBERED.match, texts["source"].splitlines()))


@seeds
@pytest.mark.parametrize("name", kinds.TEXTS)
def test_what_matters_stands_once_away_from_head_and_tail(name: str, seed: int) -> None:
    lines, piece = kinds.texts(seed)[name].split("\n"), kinds.matters()[name]
    (at,) = (number for number, line in enumerate(lines) if piece in line)
    assert 60 <= len(lines) <= 270
    assert len(lines) / 4 < at < len(lines) * 3 / 4


@wires
def test_the_request_is_valid_and_holds_the_results_in_order(wire: str) -> None:
    request = json.loads(kinds.request(wire))
    assert trimtab.validate(request) == []
    results = [
        message["content"] if message["role"] == "tool" else message["content"][0]["content"]
        for message in request["messages"]
        if message["role"] == "tool" or (message["role"] == "user" and isinstance(message["content"], list))
    ]
    assert results[: len(kinds.TEXTS)] == [*kinds.texts().values()]


def test_another_seed_is_another_request() -> None:
    assert kinds.request() == kinds.request(seed=0)
    assert len({kinds.request(seed=seed) for seed in SEEDS}) == len(SEEDS)


def test_a_wire_that_is_not_offered_is_refused() -> None:
    with pytest.raises(ConfigError, match="gemini"):
        kinds.request("gemini")


def test_the_command_writes_each_example() -> None:
    assert command("kinds").stdout == kinds.request()
    assert command("kinds", "openai_chat").stdout == kinds.request("openai_chat")
    assert command("session").stdout == example.session()


@pytest.mark.parametrize("arguments", [(), ("other",), ("kinds", "gemini"), ("kinds", "anthropic", "x")])
def test_the_command_says_what_is_wrong(arguments: tuple[str, ...]) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert not done.stdout
    assert b"Traceback" not in done.stderr
    assert done.stderr
