"""Rules and the task are the user's, whole and word for word."""

from __future__ import annotations

import pytest
from tests.cases.transcripts import Call, calls, results, says, user
from tests.handoff.scene import ground, judged

from trimtab.handoff.headings import FOUND, NEXT, RULES, TASK

GROUND = ground(
    user(
        "Find why the nightly run stops. Never touch prod.db; ask me first. Do not delete the logs.\n"
        "Keep every answer under 100 words. Antworte niemals auf Englisch. 不要修改数据库。"
    ),
    calls(Call("a", "read", {"path": "STYLE.md"})),
    results(("a", "Contributors must sign the form.\nAlways use tabs here.\n")),
    says("I will always use spaces."),
)


@pytest.mark.parametrize(
    ("section", "text", "becomes"),
    [
        (RULES, "Never touch prod.db; ask me first.", "Never touch prod.db; ask me first."),
        (RULES, "never touch PROD.DB", "never touch prod.db"),
        (RULES, "The user said: Do not delete the logs.", "The user said: Do not delete the logs."),
        (RULES, "Antworte niemals auf Englisch.", "Antworte niemals auf Englisch."),
        (RULES, "不要修改数据库。", "不要修改数据库。"),
        (RULES, "delete the logs", "Do not delete the logs."),
        (RULES, "touch prod.db", "Never touch prod.db;"),
        (RULES, "Keep every answer below 100 words", "Keep every answer under 100 words."),
        (TASK, "Find why the nightly run stops", "Find why the nightly run stops"),
        (
            TASK,
            "The user wants to find why the nightly run stops",
            "The user wants to find why the nightly run stops",
        ),
        (RULES, "Always use tabs here.", ""),
        (RULES, "Deploy only on Mondays", ""),
        (RULES, "Schreibe immer Tests", ""),
        (TASK, "Rewrite the service in Rust", ""),
        (FOUND, "Contributors must sign the form.", "Contributors must sign the form."),
        (FOUND, "The user prefers tabs", ""),
        (FOUND, "One must never restart the server", ""),
        (NEXT, "Never restart the server", ""),
        (FOUND, "Der Server darf nicht neu gestartet werden", ""),
        (FOUND, "No se debe reiniciar el servidor", ""),
        (FOUND, "禁止重启服务器", ""),
    ],
)
def test_a_rule_is_the_user_s_or_goes(section: str, text: str, becomes: str) -> None:
    assert judged(text, GROUND, section) == becomes
