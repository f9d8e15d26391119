from __future__ import annotations

from tests.finders.talking import calls, finds, found, gives, says, user

from trimtab.finders.identifiers import COMMON, MOST


def test_what_the_newest_turns_name_and_older_results_hold() -> None:
    facts = found(
        "identifiers",
        user("Go."),
        calls("grep"),
        gives("src/tax_rate.py:12: INV-20417 of KX-4417"),
        calls("read", '{"path": "src/tax_rate.py:12"}'),
        gives("only here: NEW-9000"),
        user("What of INV-20417, and of NEW-9000?"),
    )
    assert finds(facts, "INV-20417")
    assert finds(facts, "src/tax_rate.py:12")
    assert len(facts) == 2
    assert not any(fact.told for fact in facts)


def test_an_identifier_is_not_the_beginning_of_a_longer_one() -> None:
    (fact,) = found("identifiers", gives("INV-204"), says("INV-204 then"))
    assert fact.pattern.search("see INV-204.")
    assert not fact.pattern.search("see INV-2041")


def test_what_stands_everywhere_is_no_fact() -> None:
    for times, known in ((COMMON, True), (COMMON + 1, False)):
        facts = found("identifiers", *[gives("my_project")] * times, says("my_project"))
        assert finds(facts, "my_project") is known


def test_of_too_many_the_rarest_stay() -> None:
    twice = [gives(f"b_{n}") for n in range(MOST)] * 2
    named = " ".join(f"b_{n}" for n in range(MOST))
    facts = found("identifiers", *twice, gives("once_only"), says(f"{named} once_only"))
    assert len(facts) == MOST
    assert finds(facts[:1], "once_only")


def test_a_message_that_pastes_thousands_is_looked_at_in_part() -> None:
    pasted = " ".join(f"id_{n}" for n in range(50_000))
    assert len(found("identifiers", gives(pasted), says(pasted))) == MOST


def test_there_is_nothing_to_find_before_an_answer() -> None:
    assert not found("identifiers")
    assert not found("identifiers", user("What is INV-204?"))
    assert not found("identifiers", gives("INV-204"), user("What is INV-204?"))


def test_the_handle_of_a_marker_is_no_fact() -> None:
    marker = "[trimtab: 90 tokens cut, not shown: trimtab recall t:0123456789abcdef]"
    assert not found(
        "identifiers", gives(marker), calls("bash", '{"command": "trimtab recall t:0123456789abcdef"}')
    )
