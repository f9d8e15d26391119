"""A conversation whose results are ingested by given passes, and what of it is sent."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.cases.transcripts import Call, Sent, calls, compact, encoded, request, results, texts, user

from trimtab.passes import Pass

ANSWER = calls(("new", "b")), results(("new", "ok"))
"""A newer exchange, so that the results before it are old."""


class Ran(NamedTuple):
    """A call and its result."""

    call: Call
    text: str


def shell(command: str, text: str) -> Ran:
    """What a shell gave back."""
    return Ran(Call("", "shell", {"command": command}), text)


def asked(tool: str, text: str, **arguments: Any) -> Ran:
    """What any other tool gave back."""
    return Ran(Call("", tool, arguments), text)


def ingest(passes: list[Pass], *ran: Ran, wire: str = "anthropic") -> list[str]:
    """The texts of the results as they are sent; undo gives back the exact input."""
    sent = ingested(passes, *ran, wire=wire)
    assert not sent.result.report.refused, sent.result.report.refused
    return texts(sent.payload)[:-1]


def ingested(passes: list[Pass], *ran: Ran, wire: str = "anthropic", **options: Any) -> Sent:
    """The whole request as it is sent."""
    steps = [
        step
        for n, one in enumerate(ran)
        for step in (calls(one.call._replace(id=f"c{n}")), results((f"c{n}", one.text)))
    ]
    given = request(wire, user("Mend it."), *steps, *ANSWER)
    sent = compact(given, form="bytes", passes=passes, **options)
    assert sent.compactor.undo(sent.result.payload) == encoded(given)
    return sent
