"""Made-up agent sessions of any length, the same on every run: code, logs, JSON and listings as tool results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

import msgspec

SYSTEM = "You are a careful engineer. Read before you write, run the tests, and say what you changed. " * 12
TASK = "Invoices are off by a few cents. Find out why, mend it, and show that the tests pass."
VOCABULARY = """
    invoice total rounding customer region billing tax setting parse render queue retry timeout order ledger
    account amount currency discount quantity price worker request response handler session token cache index
"""
WORDS = VOCABULARY.split()
TOOLS = ("read_file", "run_command", "search", "list_files", "fetch", "write_file")


class Exchange(NamedTuple):
    """A call with its result; `said` is what the assistant says beside the call."""

    said: str
    tool: str
    arguments: Mapping[str, str]
    result: str


def exchanges(seed: int, characters: int) -> Iterator[Exchange]:
    """Without end; results have about `characters` characters, some a third of it, some three times that."""
    random = Random(seed)
    while True:
        tool, make = random.choice(TOOLS), random.choice((_code, _log, _json, _listing))
        size = int(characters * random.choice((0.3, 0.5, 0.8, 1.0, 2.4)))
        arguments = {"path": _path(random), "why": _words(random, 6)}
        if tool == "write_file":
            arguments["content"] = _filled(random, _code, size // 2)
        yield Exchange(_words(random, 14).capitalize() + ".", tool, arguments, _filled(random, make, size))


def first(number: int, seed: int, characters: int) -> list[Exchange]:
    """The first `number` exchanges of a session."""
    return list(islice(exchanges(seed, characters), number))


def openai_chat(session: Sequence[Exchange]) -> bytes:
    """The session as the body of an OpenAI Chat Completions request."""
    messages: list[object] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": TASK}]
    for n, one in enumerate(session):
        function = {"name": one.tool, "arguments": json.dumps(one.arguments)}
        call = {"id": f"call_{n:08d}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": one.said, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": one.result})
    tools = [{"type": "function", "function": {"parameters": schema, **about}} for about, schema in _tools()]
    return msgspec.json.encode({"model": "gpt-5", "tools": tools, "messages": messages})


def anthropic(session: Sequence[Exchange], model: str = "claude-sonnet-4-5") -> bytes:
    """The session as the body of an Anthropic Messages request."""
    messages: list[object] = [{"role": "user", "content": TASK}]
    for n, one in enumerate(session):
        call = {"type": "tool_use", "id": f"toolu_{n:08d}", "name": one.tool, "input": one.arguments}
        messages.append({"role": "assistant", "content": [{"type": "text", "text": one.said}, call]})
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": one.result}
        messages.append({"role": "user", "content": [result]})
    tools = [{"input_schema": schema, **about} for about, schema in _tools()]
    head = {"model": model, "max_tokens": 8192, "system": SYSTEM}
    return msgspec.json.encode({**head, "tools": tools, "messages": messages})


WIRES: Mapping[str, Callable[[Sequence[Exchange]], bytes]] = {"openai_chat": openai_chat, "anthropic": anthropic}
"""A writer for each wire."""


def texts(session: Sequence[Exchange]) -> list[str]:
    """All text of a session that a model is charged for, as an encoder would get it."""
    said = [text for one in session for text in (one.said, one.tool, json.dumps(one.arguments), one.result)]
    return [SYSTEM, TASK, *(json.dumps({**about, "schema": schema}) for about, schema in _tools()), *said]


def _tools() -> list[tuple[dict[str, str], dict[str, object]]]:
    fields = {
        name: {"type": "string", "description": f"The {name} in words."} for name in ("path", "why", "content")
    }
    schema: dict[str, object] = {"type": "object", "properties": fields, "required": ["path"]}
    return [({"name": name, "description": f"Does what its name says: {name}."}, schema) for name in TOOLS]


def _filled(random: Random, make: Callable[[Random], str], size: int) -> str:
    """Lines of one kind until there are `size` characters."""
    lines, length = list[str](), 0
    while length < size:
        lines.append(make(random))
        length += len(lines[-1]) + 1
    return "\n".join(lines)


def _words(random: Random, number: int) -> str:
    return " ".join(random.choices(WORDS, k=number))


def _path(random: Random) -> str:
    return f"src/{random.choice(WORDS)}/{random.choice(WORDS)}_{random.choice(WORDS)}.py"


def _code(random: Random) -> str:
    one, two, three = random.choices(WORDS, k=3)
    return random.choice(
        (
            f"def {one}_{two}({three}: int) -> str:",
            f"    return {one}.{two}({three}, key=lambda item: item.{one}_id)",
            f"    if {one} is None or len({two}) > {random.randrange(500)}:",
            f'        raise ValueError(f"{one} of {{{two}!r}} is not {three}")',
            "",
        )
    )


def _log(random: Random) -> str:
    minute, second = divmod(random.randrange(86_400), 60)
    when = f"2025-03-{random.randrange(1, 29):02d}T{minute // 60:02d}:{minute % 60:02d}:{second:02d}Z"
    head = f"{when} {random.choice(('INFO', 'WARN', 'ERROR'))} [{random.choice(WORDS)}-{random.randrange(64)}]"
    return f"{head} {_words(random, 7)} id={random.getrandbits(64):016x}"


def _json(random: Random) -> str:
    names = random.sample(WORDS, 4)
    return json.dumps({name: random.choice((random.randrange(10**6), _words(random, 2), None)) for name in names})


def _listing(random: Random) -> str:
    size, when = random.randrange(90_000), f"{random.randrange(1, 29):2d} 11:{random.randrange(60):02d}"
    return f"-rw-r--r-- 1 dev dev {size:6d} Mar {when} {_path(random)}"
