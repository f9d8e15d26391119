"""An incident that an agent looks into, with a tool result of every content kind: late webhooks after an upgrade.

Fourteen results of some 60 to 260 lines, each with one line that matters far from its head and its tail,
and three short ones after them. Everything is invented. `python -m trimtab.example kinds` writes the request
to standard output.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from random import Random

from trimtab import example
from trimtab.example import kinds_code, kinds_pages, kinds_records
from trimtab.example.record import BUILDERS, Script, Step

TEXTS: Mapping[str, Callable[[Random], str]] = {
    "prose": kinds_pages.prose,
    "json": kinds_records.json,
    "table": kinds_records.table,
    "json_lines": kinds_records.json_lines,
    "log": kinds_records.log,
    "listing": kinds_code.listing,
    "search": kinds_code.search,
    "code": kinds_code.code,
    "diff": kinds_code.diff,
    "markdown": kinds_pages.markdown,
    "source": kinds_code.source,
    "terminal": kinds_records.terminal,
    "trace": kinds_code.trace,
    "html": kinds_pages.html,
}
"""What writes each result: named by its kind, `source` being code without line numbers."""


def request(wire: str = "anthropic", seed: int = 0) -> bytes:
    """The whole request body. ConfigError when `wire` is not offered.

    `seed` varies what surrounds the lines that matter.
    """
    example.require(wire)
    return example.encode(BUILDERS[wire](script(seed)))


def texts(seed: int = 0) -> dict[str, str]:
    """The results by name, in the order in which they come."""
    return {name: write(Random(f"{seed}/{name}")) for name, write in TEXTS.items()}  # noqa: S311


def matters() -> dict[str, str]:
    """What matters in each result, by its name: a piece of one line that stands there once."""
    return {step["text"]: step["matters"] for step in example.read_toml("kinds")["steps"] if "text" in step}


def script(seed: int = 0) -> Script:
    """What is said and done."""
    told, results = example.read_toml("kinds"), texts(seed)
    steps = (
        Step(
            hashlib.blake2b(f"kinds/{seed}/{index}".encode(), digest_size=11).hexdigest(),
            step["say"],
            step["tool"],
            step["arguments"],
            results[step["text"]] if "text" in step else step["result"],
        )
        for index, step in enumerate(told["steps"])
    )
    return Script(told["system"], told["question"], tuple(steps), told["answer"], told["follow_up"], told["tools"])
