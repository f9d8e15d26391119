from __future__ import annotations

import pytest
from tests.finders.talking import finds, found, gives, says, user

from trimtab.finders.rules import MOST, MOST_AT_ONCE


@pytest.mark.parametrize(
    "rule",
    [
        "Never push to main!",
        "Use at most 3 files;",
        "and keep py39, don’t drop it.",
        "From now on use /w/new.",
        "Der Port darf nicht über 9000 liegen.",
        "Não altere o arquivo config.toml.",
        "不要修改 config.toml。",
        "テストを消してはいけない",
    ],
)
def test_a_sentence_that_states_a_rule_is_found_word_for_word(rule: str) -> None:
    facts = found("rules", user(f"Fix the build. {rule}\nThank you."))
    assert finds(facts, rule)
    assert not any(fact.pattern.search("Fix the build.") or fact.pattern.search("Thank you.") for fact in facts)


def test_INST_09_the_language_to_answer_in_is_a_rule() -> None:
    facts = found("rules", user("Find it."), says("ok"), user("Please answer in Spanish. Go on."))
    assert [fact.pattern.search("x Please answer in Spanish. y") is not None for fact in facts] == [True]


def test_a_mark_inside_a_name_ends_no_sentence() -> None:
    rule = "Never edit src/a.py or v1.2 of it"
    assert finds(found("rules", user(rule)), rule)


def test_results_and_the_assistant_state_no_rules() -> None:
    assert not found("rules", says("I must never do it."), gives("You must never read this."))


def test_a_pasted_page_does_not_crowd_out_what_was_said_before() -> None:
    page = "\n".join(f"Clause {n} must hold." for n in range(5_000))
    facts = found("rules", user("Never push to main!"), user(page))
    assert len(facts) == MOST_AT_ONCE + 1
    assert finds(facts, "Never push to main!")


def test_of_too_many_rules_the_latest_stay() -> None:
    facts = found("rules", *(user(f"Rule {n} must hold.") for n in range(200)))
    assert len(facts) == MOST
    assert finds(facts, "Rule 199 must hold.")
    assert not finds(facts, "Rule 3 must hold.")


def test_an_endless_line_is_no_sentence() -> None:
    assert not found("rules", user("never " * 100_000))
