"""What fuzzing starts from: valid requests of every wire, and a small session file of every format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import yaml
from tests import strategies, strategies_bedrock, strategies_gemini, strategies_responses
from tests.sessions import agents, samples

from trimtab import example

BUILDERS = (
    partial(strategies.build, "openai_chat"),
    partial(strategies.build, "anthropic"),
    strategies_responses.build,
    strategies_gemini.build,
    strategies_bedrock.build,
)
MOST_WORD = 24


def request(dice: Random) -> bytes:
    """A valid request of any wire: short, since what is long leaves time for few."""
    turns = [
        (dice.getrandbits(32), [dice.getrandbits(32) for _ in range(dice.randrange(3))])
        for _ in range(dice.randint(1, 2))
    ]
    built = dice.choice(BUILDERS)(dice.getrandbits(32), turns)
    indent = dice.choice((None, None, 1))
    try:
        return json.dumps(built, ensure_ascii=dice.random() < 0.5, indent=indent).encode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8
        return json.dumps(built, indent=indent).encode()


def _examples() -> Iterator[bytes]:
    """The first messages of the bundled session, in both its wires."""
    for wire in example.WIRES:
        body = json.loads(example.session(wire))
        yield json.dumps({**body, "messages": body["messages"][:9]}).encode()


def _documents() -> Iterator[Any]:
    yield samples.mini_swe_agent()
    yield samples.swe_agent()
    yield {"attempts": [samples.swe_agent(tools=True)], "info": {}}
    yield samples.tau_bench()
    yield samples.tau2_bench()
    yield samples.openhands_events()
    yield {"history": samples.openhands_events(answered=False)}
    yield samples.openhands_log()
    yield {**samples.atif(), "subagent_trajectories": [samples.atif()]}
    yield samples.cassette()
    yield samples.CHAT
    yield {"request": samples.requests()[1], "response": samples.response(samples.SAYS)}


LINES = (agents.claude_code(), agents.codex(), agents.pi(), agents.copilot_cli(), agents.gemini_cli())
FILES: tuple[bytes, ...] = (
    *(agents.jsonl(lines) for lines in LINES),
    samples.json_lines(samples.requests()),
    yaml.safe_dump(samples.cassette()).encode(),
    *(json.dumps(document).encode() for document in _documents()),
    *_examples(),
)
"""Session files, and requests that are no builder's."""


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words(inner)
    elif isinstance(value, str) and len(value) <= MOST_WORD:
        yield value


WORDS: tuple[str, ...] = tuple(sorted({
    *(word for lines in LINES for word in _words(lines)),
    *(word for document in _documents() for word in _words(document)),
    *(word for seed in range(40) for word in _words(json.loads(request(Random(seed))))),
}))  # fmt: skip
"""Short texts and keys of the formats: in the place of one another they make what is almost valid."""


def seed(dice: Random) -> bytes:
    """A file or a request."""
    return dice.choice(FILES) if dice.random() < 0.5 else request(dice)
