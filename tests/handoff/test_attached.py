"""What a note says of a commit, a ticket, a file, the source says of that one and not of another."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, user
from tests.handoff.scene import ground, judged

ONELINE = "a1b2c3d Fix rounding of totals\ne4f5a6b Bump the version for release\n"
FULL = """\
commit 77aa88b
Author: Ana

    Drop the old parser

commit 99cc00d
Author: Ben

    Shrink the big cache
"""
TICKETS = "OPS-4471 login page is slow\nOPS-4472 invoice mail is empty\n"
GROUND = ground(
    user("Look."),
    calls(Call("a", "bash", {"command": "git log --oneline"})),
    results(("a", ONELINE)),
    calls(Call("b", "bash", {"command": "git log"})),
    results(("b", FULL)),
    calls(Call("c", "tickets", {})),
    results(("c", TICKETS)),
    calls(Call("d", "read", {"path": "src/mail.py"})),
    results(("d", "def send_invoice():\n    compose the greeting line\n")),
    calls(Call("e", "read", {"path": "src/menu.py"})),
    results(("e", "def draw():\n    paint the colourful border\n")),
)


@pytest.mark.parametrize(
    "text",
    [
        "a1b2c3d fixes rounding of totals",
        "Commit e4f5a6b bumps the version for the release",
        "77aa88b drops the old parser",
        "OPS-4472: the invoice mail is empty",
        "src/mail.py composes the greeting line",
        "a1b2c3d is a commit that touches totals",
    ],
)
def test_what_is_said_of_it_stands(text: str) -> None:
    assert judged(text, GROUND) == text


@pytest.mark.parametrize(
    "text",
    [
        "e4f5a6b fixes rounding of totals",
        "Commit a1b2c3d bumps the version for the release",
        "99cc00d drops the old parser",
        "77aa88b shrinks the big cache",
        "OPS-4471: the invoice mail is empty",
        "src/menu.py composes the greeting line",
    ],
)
def test_what_is_said_of_another_is_struck(text: str) -> None:
    assert judged(text, GROUND) == ""
