from __future__ import annotations

from tests.finders.talking import finds, found, gives, says, user

from trimtab.finders.said import MOST


def test_every_identifier_and_number_of_the_user() -> None:
    facts = found("said", user("Ship 3 of KX-4417 to 10.0.0.7:8080 by 2026-10-02, 12.5 kg."), says("not A-900"))
    for one in ("3", "KX-4417", "10.0.0.7:8080", "2026-10-02", "12.5"):
        assert finds(facts, one), one
    assert not finds(facts, "A-900")
    assert all(fact.told for fact in facts)


def test_results_say_nothing_and_what_was_said_last_stays() -> None:
    facts = found("said", gives("R-1000"), user(" ".join(f"ID-{n}" for n in range(5_000))), user("LAST-1"))
    assert len(facts) == MOST
    assert finds(facts, "LAST-1")
    assert not finds(facts, "R-1000")
