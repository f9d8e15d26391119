"""What holds for every finder, and how a caller asks for one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from tests.finders.talking import calls, gives, says, user

from trimtab import ConfigError
from trimtab.finders import ALL, FINDERS, Finder, check, found, wanted
from trimtab.transcript import Message

each = pytest.mark.parametrize("finder", ALL, ids=lambda one: one.name)
TEXTS = st.text(max_size=200) | st.sampled_from(
    ["never a_1\ud83d", "- [ ] \x00x", "TODO: " + "a" * 900, "Error: x_1\r\n", "[" * 50, "ValueError: \ud800 9\n"]
)
MESSAGES = st.lists(
    st.builds(user, TEXTS) | st.builds(says, TEXTS) | st.builds(gives, TEXTS) | st.builds(calls, TEXTS, TEXTS),
    max_size=8,
)


@each
def test_the_name_is_that_of_the_file(finder: Finder) -> None:
    assert type(finder).__module__ == f"trimtab.finders.{finder.name}"


@each
@given(MESSAGES)
@settings(max_examples=60)
def test_whatever_is_found_stands_there_and_finding_is_pure(finder: Finder, messages: list[Message]) -> None:
    facts = [*finder.find(messages)]
    parts = [getattr(part, "text", getattr(part, "arguments", "")) for one in messages for part in one.parts]
    assert all(any(fact.pattern.search(part) for part in parts) for fact in facts)
    assert [*finder.find(messages)] == facts


@each
def test_hostile_text_yields_few_facts(finder: Finder) -> None:
    nasty = "never " * 50_000 + "- [ ] t\n" * 50_000 + "((((a.b_c/d" * 20_000 + "\ud83d" * 1_000
    many = [
        user(nasty),
        says(nasty),
        gives(nasty, is_error=True),
        calls("todo", nasty),
        says("\n".join([nasty] * 2)),
    ]
    assert len([*finder.find(many)]) <= 200


def test_what_trimtab_finds_by_itself_is_not_firm_and_what_is_asked_for_is() -> None:
    messages = [user("Never touch INV-204.")]
    assert [fact.firm for fact in found(messages)] == [False]
    assert [fact.firm for fact in wanted(["find:rules", "x"], messages)] == [True, True]
    assert "said" not in {one.name for one in FINDERS}
    assert wanted(["find:said"], messages)


def test_an_unknown_finder_is_told_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"find:rulez.*rules, todos, last_error, identifiers, said"):
        check(["find:rulez"])
