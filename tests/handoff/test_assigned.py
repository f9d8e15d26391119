"""What a name is set to in a note follows that name in the source: also where both stand on one line."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, user
from tests.handoff.scene import ground, judged

LINES = """\
TIMEOUT=45 RETRIES=3 MODE=fast7
timeout: 30, retries: 5
server.port = 8080
admin.port = 9090
log.file = /var/log/a.log
data.file = /var/lib/b.db
listening on port 7070
"""
GROUND = ground(user("Look."), calls(Call("a", "env", {})), results(("a", LINES)))


@pytest.mark.parametrize(
    "text",
    [
        "TIMEOUT is 45 and RETRIES is 3",
        "timeout is 30",
        "The port is 7070",
        "server.port is 8080",
        "`log.file` is `/var/log/a.log`",
        "retries: 5, timeout: 30",
        "MODE = fast7",
    ],
)
def test_what_follows_the_name_stands(text: str) -> None:
    assert judged(text, GROUND) == text


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("TIMEOUT is 3", "TIMEOUT is 45"),
        ("RETRIES = 45", "RETRIES = 3"),
        ("timeout: 5, retries: 30", "timeout: 30, retries: 5"),
        ("The timeout is set to 5", "The timeout is set to 30"),
        ("server.port is 9090", "server.port is 8080"),
        ("log.file is /var/lib/b.db", "log.file is /var/log/a.log"),
        ("Der Wert von timeout ist 5", "Der Wert von timeout ist 30"),
    ],
)
def test_another_s_value_does_not(text: str, becomes: str) -> None:
    assert judged(text, GROUND) == becomes
