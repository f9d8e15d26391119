"""Quotations were said so, and what a note is about the source is about."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, user
from tests.handoff.scene import ground, judged

GROUND = ground(
    user("Why does the billing job stop at night?"),
    calls(Call("a", "read", {"path": "log"})),
    results(("a", "billing job stopped: the disk of the archive is full\n")),
)


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ('The log says "the disk of the archive is full"', True),
        ("The log says “The disk of the  archive is full.”", True),
        ('The log says "the network of the archive is down"', False),
        ("Das Protokoll sagt „die Platte des Archivs ist voll und kaputt“", False),
        ('A "billing job" stopped', True),
        ("The billing job stops as the disk is full", True),
        ("The garden needs water and sunlight every morning", False),
        ("Die Platte des Archivs ist voll und der Auftrag hielt an", True),
    ],
)
def test_quotations_and_subjects(text: str, stands: bool) -> None:
    assert bool(judged(text, GROUND)) is stands
