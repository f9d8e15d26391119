"""What was ruled out is no finding, and what nobody ruled out was not."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, says, user
from tests.handoff.scene import ground, judged

from trimtab.handoff.headings import FOUND, NEXT, RULED_OUT

GROUND = ground(
    user("Why is it slow? The firewall is not to blame."),
    calls(Call("p", "bash", {"command": "pip install fastlib"})),
    results(("p", "error: needs py3.12")),
    says(
        "The DNS lookup in net/resolver.py is not the cause. Raising pool_size had no effect, so it is reverted."
    ),
    says("Maybe the scheduler drops jobs. That turned out to be wrong."),
    says("The bug isn't in src/cart.py, it's in src/basket.py."),
    says("Der Zwischenspeicher ist nicht die Ursache. El proxy no es la causa."),
)

STRUCK = [
    "The DNS lookup is the cause",
    "Cause: DNS lookup",
    "It is slow because of the DNS lookup",
    "The problem comes from net/resolver.py",
    "The firewall is to blame",
    "The scheduler drops jobs",
    "The bug is in src/cart.py",
    "Der Zwischenspeicher ist die Ursache",
    "El proxy es la causa",
]


@pytest.mark.parametrize("text", STRUCK)
@pytest.mark.parametrize("section", [FOUND, NEXT])
def test_what_was_ruled_out_is_no_finding(text: str, section: str) -> None:
    assert judged(text, GROUND, section) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The bug is in src/basket.py",
        "The DNS lookup is not the cause",
    ],
)
def test_what_holds_stands(text: str) -> None:
    assert judged(text, GROUND) == text


def test_what_the_note_itself_rules_out_is_no_finding() -> None:
    assert judged("Raising pool_size helps", GROUND, ruled_out=["Raising pool_size"]) == ""


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("The DNS lookup in net/resolver.py", True),
        ("pip install fastlib: it needs py3.12", True),
        ("The bug in src/basket.py", True),
        ("The weather report", False),
        ("Restarting db-7", False),
    ],
)
def test_what_is_told_as_ruled_out_was(text: str, stands: bool) -> None:
    assert bool(judged(text, GROUND, RULED_OUT)) is stands
