"""A session with all four sources of bloat, before and after `four-places`: `python -m benchmarks.four_places`.

Forty turns, twelve tool calls, three attached files of 85,000 characters in all, fifty tools. Each source hides
facts that a later step may want; beside the tokens stands how many of them are no longer to be seen.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from trimtab import Compactor, context
from trimtab.stubs import HANDLE
from trimtab.tokens import counter_for

TURNS, CALLS, TOOLS, CHARACTERS = 40, 12, 50, 85_000
MODEL = "gpt-4o"
QUESTION = (
    "The nightly invoice export to Marlowe stopped after the upgrade. Find out why, and how to roll it back."
)
SYSTEM = (
    "You help the engineer on call. Quote the line that a claim rests on. Propose changes, and wait for a yes."
)

ACTS = ("create", "update", "delete", "list", "get", "search", "send", "archive", "export", "assign")
THINGS = ("issue", "branch", "invoice", "customer", "report")
GIVES_DATA = ("internal_query_exports", "internal_read_file", "internal_fetch_log")
NOUNS = ("queue", "export", "ledger", "invoice", "mirror", "worker", "quota", "customer", "archive", "token")
VERBS = ("keeps", "counts", "moves", "checks", "reports", "closes", "reads", "sorts")


class Source(NamedTuple):
    """Where tokens go, how many, and the facts that can be seen there."""

    tokens: int
    facts: frozenset[str]


def sentence(random: Random) -> str:
    """Words that say nothing."""
    one, two, three = random.sample(NOUNS, 3)
    return (
        f"The {one} {random.choice(VERBS)} the {two} before the {three} is due on day {random.randrange(1, 29)}."
    )


def tools(random: Random) -> tuple[list[Any], list[str]]:
    """Fifty tools whose parameters are described at length; a fact is a rule that stands in a description."""
    found, facts = list[Any](), list[str]()
    for number in range(TOOLS):
        name = f"{ACTS[number // len(THINGS)]}_{THINGS[number % len(THINGS)]}"
        fact = f"at most {random.randrange(100, 999)} of {name}"
        facts.append(fact)
        fields = {
            f"{noun}_name": {
                "type": "string",
                "description": f"Name of the {noun}. {sentence(random)} Must not be empty. {sentence(random)}",
            }
            for noun in random.sample(NOUNS, 4)
        }
        limit = {"type": "integer", "default": 20, "description": f"How many, {fact}. {sentence(random)}"}
        schema = {"type": "object", "properties": {**fields, "limit": limit}, "required": [*fields][:2]}
        about = f"Use it to {name.replace('_', ' ')}s."
        found.append({"type": "function", "function": {"name": name, "description": about, "parameters": schema}})
    return found, facts


def files(random: Random) -> tuple[dict[str, str], list[str]]:
    """A runbook, an architecture page and a changelog; a fact is a command or a value in one of their sections."""
    found, facts = dict[str, str](), list[str]()
    for name in ("runbook.md", "architecture.md", "changelog.md"):
        rows = [f"# {name.removesuffix('.md').capitalize()}"]
        while sum(map(len, rows)) + 2 * len(rows) < CHARACTERS // 3 - 1_000:
            facts.append(f"limit of {random.randrange(10_000, 99_999)} rows")
            said = [sentence(random) for _ in range(14)]
            said.insert(random.randrange(14), f"It has a {facts[-1]}.")
            rows += [f"## {random.choice(NOUNS).capitalize()} {len(facts)}", *said]
        if name == "runbook.md":
            facts.append("exportctl revert --to 41")
            rows.insert(len(rows) // 2, f"## Roll back\n\nAn export that stopped after an upgrade: `{facts[-1]}`.")
        found[name] = "\n\n".join(rows) + "\n"
    return found, facts


def results(random: Random) -> tuple[list[tuple[str, str]], list[str]]:
    """Twelve results: rows, files and logs whose facts stand in the middle, confirmations, a screenshot."""
    found, facts = list[tuple[str, str]](), list[str]()
    for number in range(CALLS):
        fact = f"X-{random.randrange(10_000, 99_999)}"
        facts.append(fact)
        if number % 4 < len(GIVES_DATA):
            rows = [f"{n},{sentence(random)}" for n in range(75)]
            rows[random.randrange(20, 55)] = f"error {fact}: stopped"
            found.append((GIVES_DATA[number % 4], "\n".join(rows)))
        else:
            body = {"id": fact, "success": True, "log": [sentence(random) for _ in range(30)]}
            if number == CALLS - 1:
                body["screenshot"] = "QUJDREVGR0hJ" * 1500
            found.append(("create_issue", json.dumps(body)))
    return found, facts


def messages(random: Random, gave: list[tuple[str, str]]) -> list[Any]:
    """The turns; every third asks a tool."""
    made: list[Any] = []
    waiting = list(enumerate(gave))
    for turn in range(TURNS):
        made.append({"role": "user", "content": QUESTION if turn == 0 else f"{sentence(random)} What next?"})
        if turn % 3 == 2 and waiting:
            number, (tool, text) = waiting.pop(0)
            call = {"name": tool, "arguments": json.dumps({"query": f"part {number}"})}
            asked = [{"id": f"c{number}", "type": "function", "function": call}]
            made.append({"role": "assistant", "content": None, "tool_calls": asked})
            made.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})
        made.append({"role": "assistant", "content": f"{sentence(random)} {sentence(random)}"})
    return [*made[:-1], {"role": "user", "content": "Then go on."}] if waiting else made[:-1]


def sources(payload: Any, known: dict[str, list[str]]) -> Iterator[tuple[str, Source]]:
    """Tokens of each source as it is sent, and how many of its facts can be seen."""
    spoken = payload["messages"]
    parts = {
        "tool schemas": [json.dumps(one, separators=(",", ":")) for one in payload["tools"]],
        "attached files": [spoken[0]["content"].removeprefix(SYSTEM)],
        "tool results": [one["content"] for one in spoken if one["role"] == "tool"],
        "what was said": [SYSTEM, *(one["content"] or "" for one in spoken[1:] if one["role"] != "tool")],
    }
    for name, texts in parts.items():
        whole = "\n".join(texts)
        seen = frozenset(one for one in known.get(name, ()) if one in whole)
        yield name, Source(sum(counter_for(MODEL).count(texts)), seen)


def run() -> Iterator[tuple[str, Source, Source, str]]:
    """Each source before and after, and what comes back by the handles in what was sent."""
    random = Random(41)
    (offered, rules), (attached, told), (gave, found) = tools(random), files(random), results(random)
    known = {"tool schemas": rules, "attached files": told, "tool results": found}
    spoken = messages(random, gave)
    compactor = Compactor(MODEL, preset="four-places", store="memory:")
    whole = "".join(f'\n<file name="{name}">\n{text}</file>' for name, text in attached.items())
    given = context(attached, QUESTION, compactor, conversation="bench")

    def request(system: str, upto: int) -> Any:
        return {
            "model": MODEL,
            "tools": offered,
            "messages": [{"role": "system", "content": system}, *spoken[:upto]],
        }

    ends = [n for n, one in enumerate(spoken, 1) if one["role"] in ("user", "tool")]
    sent = [compactor.compact(request(f"{SYSTEM}\n{given}", end)).payload for end in ends][-1]
    before = dict(sources(request(f"{SYSTEM}{whole}", ends[-1]), known))
    handles = dict.fromkeys(HANDLE.findall(json.dumps(sent)))
    back = "\n".join(compactor.recall(one, whole=True).text for one in handles)
    for name, after in sources(sent, known):
        yield name, before[name], after, back


def main() -> None:
    """Print the table."""
    logging.disable(logging.WARNING)
    table = Table(title=f"{TURNS} turns, {CALLS} tool calls, {TOOLS} tools, {CHARACTERS:,} characters of files")
    for heading in ("source", "tokens before", "after", "facts in it", "hidden", "of these by recall"):
        table.add_column(heading, justify="left" if heading == "source" else "right")
    rows = list(run())
    for name, given, sent, back in rows:
        hidden = given.facts - sent.facts
        recalled = sum(one in back for one in hidden)
        figures = given.tokens, sent.tokens, len(given.facts), len(hidden), recalled
        table.add_row(name, *(f"{one:,}" for one in figures))
    table.add_section()
    before, after = (sum(one.tokens for one in column) for column in ([r[1] for r in rows], [r[2] for r in rows]))
    table.add_row("all", f"{before:,}", f"{after:,}")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
