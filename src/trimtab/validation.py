"""Whether a provider will accept a request: every structural rule it breaks, with place and mend."""

from __future__ import annotations

from typing import Any

from trimtab import wires
from trimtab.body import open_body
from trimtab.transcript import Finding, Transcript


def validate(payload: Any) -> list[Finding]:
    """The rules a request breaks, in the order of its messages; empty when it is fine. Raises WireError."""
    body = open_body(payload)
    fields = body.fields()
    messages = [body.source(index) for index in range(body.size)]
    wire = wires.sniff(fields, messages)
    transcript = Transcript(wire.name, wire.frame(fields), tuple(map(wire.message, messages)))
    return [*wire.check(transcript), *wire.check_source(fields, messages)]
