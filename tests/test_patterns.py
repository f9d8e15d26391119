from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import assume, example, given, strategies as st

from trimtab import patterns
from trimtab.errors import HandleError
from trimtab.patterns import Pattern

ATOMS = ["a", "b", "A", "é", "1", " ", "_", ".", r"\d", r"\w", r"\s", r"\S", "[ab]", "[^a]", "[a-cé]", r"[^\d ]"]
EDGES = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
TEXTS = st.text(st.sampled_from("abcAB1_ é\u017f\u212a\r\t"), max_size=14)


def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeats = st.sampled_from(["*", "+", "?", "*?", "+?", "{2}", "{0,2}", "{1,}", ""])
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        st.tuples(inner, repeats).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
        inner.map("({})".format),
        inner.map("(?i:{})".format),
    )


SOURCES = st.recursive(st.sampled_from(ATOMS + EDGES), joined, max_leaves=7)


@given(SOURCES, st.sampled_from(["", "(?i)", "(?a)", "(?ia)", "(?s)"]), TEXTS, st.integers(0, 3))
@example(r"(a|b)*c", "", "abab", 0)
@example(r"(?:a|ab)(?:c|bcd)", "", "xabcd", 0)
def test_it_finds_a_match_wherever_re_does(source: str, flags: str, text: str, start: int) -> None:
    assume(not (r"\B" in source and not text))  # Python 3.14 has changed what this means
    start = min(start, len(text))
    compiled = re.compile(flags + source)
    expected = compiled.search(text, start)
    found = Pattern(flags + source).search(text, start)
    assert (found is None) == (expected is None)
    if found is not None and not any(edge in source for edge in EDGES):
        assert any(compiled.fullmatch(text, begin, found) for begin in range(start, found + 1))


@pytest.mark.parametrize(
    "source",
    ["(a+)+b", "(a|a)*b", "(a|aa)+b", "(.*)*b", ".*.*.*.*b", "a*a*a*a*a*a*b", "(?:a?){40}a{40}b", "(a+a+)+b"],
)
def test_no_pattern_explodes(source: str) -> None:
    assert Pattern(source).search("a" * 3000) is None
    assert Pattern(source).search("a" * 3000 + "b") == 3001


def test_one_choice_after_another_does_not_explode() -> None:
    assert Pattern("(a|a)" * 40 + "b").search("a" * 200) is None


BROKEN = ["(", "[z-a]", "(?P<x>", "x{99999999999999999999}", "(" * 9000]
LARGE = ["x{2000}", "(x{99}){99}", "(()){0,4000000000}", "(x?){0,4000000000}"]
BEYOND = [r"(a)\1*", "(?=a)b*", "(?<!a)b+", "(?>a*)b", "a*+b", "(a)?(?(1)b|c)"]


@pytest.mark.parametrize("source", BROKEN + LARGE + BEYOND)
def test_what_cannot_be_is_refused_in_one_line(source: str) -> None:
    with pytest.raises(HandleError, match=r"^pattern [^\n]*$"):
        Pattern(source)


def test_a_pattern_that_repeats_nothing_may_look_around() -> None:
    assert Pattern("(?<!no )error").search("no error, error") == 15
    assert Pattern(r"(a|b)\1").search("abb") == 3


def test_empty_repeats_end() -> None:
    assert Pattern("(?:){0,4000000000}a(?:)*").search("ba") == 2
    assert Pattern("(a*)*$").search("") == 0


def test_what_would_take_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST_WORK", 10_000)
    slow = Pattern("(a|b)*a(a|b){60}c")
    text = "".join(Random(7).choices("ab", k=10_000))
    with pytest.raises(HandleError, match="too long"):
        slow.search(text)


def test_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST_EDGES", 3)
    pattern = Pattern("(a|b)+c$")
    assert [pattern.search(text) for text in ("abac", "xabc", "abx", "bc")] == [4, 4, None, 2]
