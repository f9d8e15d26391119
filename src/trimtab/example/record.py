"""Record the example session: the repository folder, read by a scripted agent, as a request of each wire.

`python -m trimtab.example.record` writes the bundled files again, byte for byte the same. Seeds 1 to
20 give variants of the experiment, with other names, wording and line numbers (`variants.toml`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from trimtab import example
from trimtab.transcript import JSON

FAULTY = "src/billing/rounding.py"
FILES = (
    "config/settings.toml",
    "docs/operations.md",
    "logs/billing.log",
    "src/billing/invoice.py",
    FAULTY,
    "src/billing/tax.py",
)


class Step(NamedTuple):
    """One call of the agent, with the words before it and the result after it."""

    id: str
    say: str
    tool: str
    arguments: dict[str, JSON]
    result: str


class Script(NamedTuple):
    """A session before it takes the form of a wire."""

    system: str
    question: str
    steps: tuple[Step, ...]
    answer: str
    follow_up: str
    tools: list[JSON]


def build(wire: str, seed: int = 0) -> bytes:
    """The whole request of variant `seed` (0 is the bundled one). ConfigError when `wire` is not offered."""
    example.require(wire)
    return example.encode(BUILDERS[wire](script(seed)))


def facts(seed: int = 0) -> dict[str, str]:
    """The six facts of variant `seed`, named as in `trimtab.example.facts`."""
    vary = _variation(seed)
    return {name: vary(text) for name, text in example.facts().items()}


def files(seed: int = 0) -> dict[str, str]:
    """The repository of variant `seed`, text by path."""
    vary = _variation(seed)
    return {path: vary(_source(path, seed)) for path in FILES}


def script(seed: int = 0) -> Script:
    """What is said and done in variant `seed`."""
    vary, agent = _variation(seed), example.read_toml("agent")
    tree = files(seed)
    steps = (
        Step(
            hashlib.blake2b(f"{seed}/{index}".encode(), digest_size=11).hexdigest(),
            vary(step["say"]),
            step["tool"],
            step["arguments"],
            _result(step["tool"], step["arguments"], tree),
        )
        for index, step in enumerate(agent["steps"])
    )
    return Script(
        system=agent["system"],
        question=facts(seed)["question"],
        steps=tuple(steps),
        answer=vary(agent["answer"]),
        follow_up=agent["follow_up"],
        tools=agent["tools"],
    )


def _source(path: str, seed: int) -> str:
    """A file before its words are varied, the faulty one with the fillers of this seed."""
    text = example.read_text(f"repository/{path}")
    if path != FAULTY:
        return text
    fillers = example.read_toml("variants")["fillers"]
    chosen = "".join(f"{filler}\n\n" for bit, filler in enumerate(fillers) if seed >> bit & 1)
    return text.replace("def round_charge(", f"{chosen}def round_charge(")


def _variation(seed: int) -> Callable[[str], str]:
    """The change from the bundled texts to those of variant `seed`: first whole facts, then words."""
    variants, known = example.read_toml("variants"), example.facts()
    before, _ = _source(FAULTY, seed).split(known["bug"])
    phrases = _choice({known[name]: others for name, others in variants["facts"].items()}, seed)
    words = _choice(variants["words"], seed) | {"62": str(before.count("\n") + 1)}
    return lambda text: _replace(_replace(text, phrases), words)


def _choice(table: Mapping[str, list[str]], seed: int) -> dict[str, str]:
    return {text: (text, *others)[seed % (len(others) + 1)] for text, others in table.items()}


def _replace(text: str, table: Mapping[str, str]) -> str:
    """Every whole word or phrase of `table`, in one pass, so that no replacement is replaced again."""
    pattern = "|".join(map(re.escape, table))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda match: table[match[0]], text)


def _result(tool: str, arguments: Mapping[str, JSON], tree: Mapping[str, str]) -> str:
    if tool == "list_files":
        return "\n".join(f"{path}  {text.count(chr(10))} lines" for path, text in tree.items())
    lines = tree[arguments["path"]].splitlines()
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, 1))


def _anthropic(script: Script) -> JSON:
    return {
        "model": "claude-sonnet-4-5",
        "max_tokens": 8192,
        "system": script.system,
        "tools": [
            {"name": tool["name"], "description": tool["description"], "input_schema": tool["schema"]}
            for tool in script.tools
        ],
        "messages": [
            {"role": "user", "content": script.question},
            *(message for step in script.steps for message in _anthropic_step(step)),
            {"role": "assistant", "content": [{"type": "text", "text": script.answer}]},
            {"role": "user", "content": script.follow_up},
        ],
    }


def _anthropic_step(step: Step) -> Iterator[JSON]:
    call = f"toolu_01{step.id}"
    use = {"type": "tool_use", "id": call, "name": step.tool, "input": step.arguments}
    yield {"role": "assistant", "content": [{"type": "text", "text": step.say}, use]}
    result = {"type": "tool_result", "tool_use_id": call, "content": step.result}
    yield {"role": "user", "content": [result]}


def _openai_chat(script: Script) -> JSON:
    return {
        "model": "gpt-4o",
        "messages": [
            {"role": "system", "content": script.system},
            {"role": "user", "content": script.question},
            *(message for step in script.steps for message in _openai_chat_step(step)),
            {"role": "assistant", "content": script.answer},
            {"role": "user", "content": script.follow_up},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": tool["name"],
                    "description": tool["description"],
                    "parameters": tool["schema"],
                },
            }
            for tool in script.tools
        ],
    }


def _openai_chat_step(step: Step) -> Iterator[JSON]:
    call = f"call_{step.id}"
    function = {"name": step.tool, "arguments": json.dumps(step.arguments)}
    tool_calls = [{"id": call, "type": "function", "function": function}]
    yield {"role": "assistant", "content": step.say, "tool_calls": tool_calls}
    yield {"role": "tool", "tool_call_id": call, "content": step.result}


BUILDERS: dict[str, Callable[[Script], JSON]] = {"anthropic": _anthropic, "openai_chat": _openai_chat}
"""How each wire writes a script."""


def main(folder: Path = Path(__file__).parent) -> None:
    """Write the session of each wire into `folder`, by default over the bundled ones."""
    for wire in example.WIRES:
        (folder / f"session.{wire}.json").write_bytes(build(wire))


if __name__ == "__main__":
    main()
