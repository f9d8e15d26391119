from __future__ import annotations

from collections import Counter

from hypothesis import given, strategies as st

from trimtab.excerpts.columns import LONGEST_SUM, Column, few, odd, summary


def column(*values: str, name: str = "c") -> Column:
    return Column(name, range(len(values)), values)


def test_one_in_fifty_is_rare_two_in_fifty_are_not() -> None:
    assert few({"ok": 49, "bad": 1}, 50) == {"bad"}
    assert few({"ok": 48, "bad": 2}, 50) == frozenset()
    assert few({"ok": 98, "bad": 2}, 100) == {"bad"}


def test_values_as_rare_as_each_other_are_rare_together_or_not_at_all() -> None:
    assert few({"ok": 97, "a": 1, "b": 1, "c": 1}, 100) == {"a", "b", "c"}
    assert few({"ok": 90, **dict.fromkeys("abcdefghij", 1)}, 100) == frozenset()
    assert few({"ok": 190, "two": 4, **dict.fromkeys("abcdef", 1)}, 200) == set("abcdef") | {"two"}
    assert few({"ok": 189, "five": 4, **dict.fromkeys("abcdefg", 1)}, 200) == set("abcdefg")


def test_too_few_rows_and_one_value_for_all_have_nothing_rare() -> None:
    assert few({"ok": 6, "bad": 1}, 7) == frozenset()
    assert few({"ok": 100}, 100) == frozenset()


def test_of_values_that_all_differ_only_the_type_can_be_rare() -> None:
    assert list(odd(column(*map(str, range(100))))) == []
    assert [one.at for one in odd(column(*map(str, range(100)), "N/A", *map(str, range(100, 150))))] == [100]


def test_a_summary_tells_what_is_rare_first_and_as_much_as_fits() -> None:
    plain, rare = column(*["1.5", "-2", "1e3"] * 40, name="n"), column(*["ok"] * 119, "bad", name="s")
    assert summary("120 rows", [plain, rare]) == "120 rows: s ok ×119 · bad ×1, n 1.5 ×40 · -2 ×40 · 1e3 ×40"
    assert summary("9 rows", [column("2024-01-02", "2023-12-31")]) == "9 rows: c 2023-12-31 to 2024-01-02"
    assert summary("9 rows", [column("a", "b")]) == "9 rows"


@given(
    st.lists(
        st.lists(st.text(max_size=30), min_size=9, max_size=9).map(lambda values: column(*values)), max_size=30
    )
)
def test_a_summary_has_its_length(columns: list[Column]) -> None:
    assert len(summary("9 rows", columns)) <= LONGEST_SUM


@given(st.lists(st.sampled_from("aaaaaaaaaaaaaaaaaaab"), max_size=300))
def test_what_is_odd_is_one_row_in_twenty_at_most_or_a_single_one(values: list[str]) -> None:
    found = list(odd(column(*values)))
    assert len(found) <= max(1, len(values) // 20)
    assert all(Counter(values)[values[one.at]] == one.rows for one in found)
