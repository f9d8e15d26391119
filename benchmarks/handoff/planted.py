"""Facts planted in a transcript: three files with a setting each, so alike that a model mixes them up.

Containment alone cannot see that a true path was given another file's line. What is planted can be told apart.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

WORDS = (
    "retry_window session_limit queue_depth cache_lease batch_ceiling probe_interval audit_horizon lock_budget"
).split()
FILES = "ledger gateway archive billing courier mailbox turbine foundry".split()
FILLER = "def step_{n}(order): return order.advance({n})"


class Fact(NamedTuple):
    """A setting: its file, its line, its name, its value, and the ticket that stands beside it."""

    path: str
    line: str
    name: str
    value: str
    ticket: str

    @property
    def told(self) -> tuple[str, ...]:
        """What must not be given to another file or setting."""
        return (self.line, self.value, self.ticket)


class Planted(NamedTuple):
    """What was planted: the settings, what the user demands, and the identifiers that a note should have."""

    facts: tuple[Fact, ...]
    rule: str
    task: str
    reverted: str

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Twelve identifiers."""
        return tuple(text for one in self.facts for text in (one.path, one.name, one.value, one.ticket))

    @property
    def required(self) -> tuple[str, ...]:
        """The texts that must stay, as a caller would name them: the rule, and each setting as its line has it."""
        return (self.rule, *(f"{one.name} = {one.value}  # {one.ticket}" for one in self.facts))


def planted(seed: int) -> Planted:
    """Three settings with made-up names."""
    chance = Random(seed)
    files, names = chance.sample(FILES, 3), chance.sample(WORDS, 3)
    lines = [around + chance.randint(-9, 9) for around in chance.sample((140, 240, 340, 440), 3)]
    values = chance.sample(range(1021, 9887), 3)
    facts = tuple(
        Fact(
            f"services/{file}/{name}_settings.py",
            str(line),
            name,
            str(value),
            f"OPS-{chance.randint(10000, 99999)}",
        )
        for file, name, line, value in zip(files, names, lines, values, strict=True)
    )
    reverted = f"{chance.randint(10_000, 99_999)}"
    return Planted(
        facts=facts,
        rule=f"Never write to services/{files[0]}/vault_{chance.randint(1000, 9999)} without asking me.",
        task="Find out which of the three settings makes the nightly run stop, and say where it stands.",
        reverted=f"I set {names[1]} to {reverted} to try it; that did not help, so it is reverted.",
    )


def exchanges(wire: str, what: Planted) -> list[list[Any]]:
    """The messages that show the planted facts, an exchange a list."""
    made = [_read(wire, number, one) for number, one in enumerate(what.facts)]
    made[1].append(_says(wire, what.reverted))
    return [[user(wire, f"{what.task} {what.rule}")], *made]


def user(wire: str, text: str) -> Any:
    """A message of the user."""
    return {"role": "user", "content": text}


def _says(wire: str, text: str) -> Any:
    return {"role": "assistant", "content": text}


def _read(wire: str, number: int, one: Fact) -> list[Any]:
    """A call that reads a file from twenty lines before the setting, and its result."""
    first, last = int(one.line) - 20, int(one.line) + 20
    rows = {n: FILLER.format(n=n) for n in range(first, last)} | {
        int(one.line): f"{one.name} = {one.value}  # {one.ticket}"
    }
    text = "\n".join(f"{n}\t{row}" for n, row in rows.items())
    call, arguments = f"planted{number}", {"path": one.path, "offset": first}
    if wire == "anthropic":
        use = {"type": "tool_use", "id": call, "name": "read", "input": arguments}
        result = {"type": "tool_result", "tool_use_id": call, "content": text}
        return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    asked = f'{{"path": "{one.path}", "offset": {first}}}'
    if wire == "openai_responses":
        return [
            {"type": "function_call", "call_id": call, "name": "read", "arguments": asked},
            {"type": "function_call_output", "call_id": call, "output": text},
        ]
    function = {"id": call, "type": "function", "function": {"name": "read", "arguments": asked}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [function]},
        {"role": "tool", "tool_call_id": call, "content": text},
    ]
