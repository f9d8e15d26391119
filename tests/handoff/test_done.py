"""Done is what a call did, and nothing that was done is next."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, says, user
from tests.handoff.scene import ground, judged

from trimtab.handoff.headings import DOING, DONE, NEXT

GROUND = ground(
    user("Send the update to team-x, then edit a.py and b.py, and deploy."),
    calls(Call("s", "send_message", {"to": "team-x", "text": "weekly update"})),
    results(("s", "sent id 991")),
    says("I will now edit a.py and b.py."),
    calls(Call("e", "edit", {"path": "src/a.py", "old": "x", "new": "y"})),
    results(("e", "ok")),
    calls(Call("r", "read", {"path": "src/c.py"})),
    results(("r", "text")),
    calls(Call("g", "bash", {"command": "git push origin release-7"})),
    results(("g", "main -> main")),
    calls(Call("d", "bash", {"command": "./deploy.sh staging"})),
    results(("d", "error: no such host\nexit code 1")),
)


@pytest.mark.parametrize(
    ("section", "text", "stands"),
    [
        (DONE, "Edited src/a.py", True),
        (DONE, "Sent the weekly update to team-x", True),
        (DONE, "Pushed release-7 to origin", True),
        (DONE, "Edited b.py", False),
        (DONE, "Edited src/c.py", False),
        (DONE, "Deployed to staging", False),
        (DONE, "Committed src/a.py", False),
        (DONE, "Wrote the release announcement", False),
        (NEXT, "Edit b.py", True),
        (NEXT, "Deploy to staging", True),
        (NEXT, "Send the weekly update to team-x", False),
        (DOING, "Sending the update to team-x", False),
        (NEXT, "Push release-7 to origin", False),
        (NEXT, "Send b.py to the customer", True),
    ],
)
def test_done_and_next(section: str, text: str, stands: bool) -> None:
    assert bool(judged(text, GROUND, section)) is stands
