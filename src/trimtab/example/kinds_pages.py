"""Results of the incident that people wrote: a ticket, a changelog, a page of the runbook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from textwrap import fill

from trimtab.example import read_toml

WORDS: dict[str, list[str]] = read_toml("kinds")["words"]

VERSIONS = "3.2.0 3.1.1 3.1.0 3.0.2 3.0.1 3.0.0 2.9.4 2.9.3 2.9.0 2.8.0 2.7.0"

PROMISE = (
    "Maren adds what was agreed last month: whatever fails on its way to Marlowe must be tried again"
    " within 15 minutes at most, and so on for two days."
)


def prose(random: Random) -> str:
    """A ticket with what people wrote below it; what was promised to the customer stands in the middle."""
    first = (
        "Marlowe Freight writes that parcels are shown as on their way which were handed over hours ago. Their own"
        " system was down on Tuesday for some minutes after two in the afternoon, and has been well since then."
    )
    notes = [_note(random) for _ in range(14)]
    notes.insert(8, PROMISE)
    return "\n\n".join(fill(text, 96) for text in (first, *notes)) + "\n"


def _note(random: Random) -> str:
    """Some sentences about what was looked at in vain."""
    said = random.sample(WORDS["looked"], 5)
    return " ".join(
        one.format(who=random.choice(WORDS["people"]), what=random.choice(WORDS["queues"])) for one in said
    )


def markdown(random: Random) -> str:
    """The changelog of the broker, newest version first; the unit of a delay changed in 3.0.0."""
    lines = ["# Changelog", "", "All versions of Tidemark, broker and clients."]
    for version in VERSIONS.split():
        lines += ["", f"## {version}", "", "### Changed", "", *_changes(random)]
        if version == "3.0.0":
            lines.append(
                "- `delay` of `enqueue` is in seconds now, no longer in milliseconds (`TIDEMARK_COMPAT=2`)"
            )
        lines += ["", "### Fixed", "", *_changes(random)]
    return "\n".join(lines) + "\n"


def _changes(random: Random) -> Iterator[str]:
    for change in random.sample(WORDS["changes"], random.randrange(2, 5)):
        yield f"- {change.format(verb=random.choice(WORDS['verbs']), word=random.choice(WORDS['nouns']))}"


def html(random: Random) -> str:
    """A page of the runbook, a section a task; the command that sends waiting jobs stands in one of them."""
    head = ["<!DOCTYPE html>", "<html>", "<head>", "<title>Runbook: Tidemark</title>", "</head>", "<body>"]
    body = [line for task in WORDS["tasks"] for line in _section(task, random)]
    return "\n".join([*head, "<h1>Tidemark</h1>", *body, "</body>", "</html>"]) + "\n"


def _section(task: str, random: Random) -> Sequence[str]:
    steps = [
        f"Look at the {random.choice(WORDS['nouns'])} with <code>tidemarkctl {verb} {_queue(random)}</code>."
        for verb in random.sample(WORDS["verbs"], 4)
    ]
    if task == "Jobs wait too long":
        steps.insert(2, "Send what waits: <code>tidemarkctl release courier.retry --older-than 15m</code>.")
    return [
        f"<h2>{task}</h2>",
        f"<p>{random.choice(WORDS['people'])} keeps this section; it was last tried in May.</p>",
        "<ol>",
        *(f"<li>{step}</li>" for step in steps),
        "</ol>",
        f"<p>Tell the owners of {_queue(random)} afterwards.</p>",
    ]


def _queue(random: Random) -> str:
    return f"{random.choice(('audit', 'billing', 'search'))}.{random.choice(WORDS['queues'])}"
