"""What counts as an atom, and where it must stand to count."""

from __future__ import annotations

from typing import Any

import pytest
from tests.replay.recorded import asks, result, rounds, segment, words

from trimtab.replay.atoms import Need, atoms, needs


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("see https://a.example/x?y=1 now", {"https://a.example/x?y=1"}),
        ("mail bob.b@ex-ample.org", {"bob.b@ex-ample.org"}),
        ("cat src/app/main.py", {"src/app/main.py"}),
        ("git show 3fa9c1b", {"3fa9c1b"}),
        ("sed -n '220,250p' x", {"220", "250"}),
        ("call roundStage and tax_rate", {"roundStage", "tax_rate"}),
        ("plain words of no note 12", set()),
        ("module.function", {"module.function"}),
    ],
)
def test_atoms_of_a_value(value: str, found: set[str]) -> None:
    assert {text for text, _ in atoms("command", value)} == found


def test_what_an_edit_quotes_is_taken_line_by_line() -> None:
    value = "  def total(rows):\n    x\n        return sum(rows)"
    assert list(atoms("old_string", value)) == [("def total(rows):", True), ("return sum(rows)", True)]


@pytest.mark.parametrize("key", ["new_string", "content", "thought", "file_text"])
def test_the_models_own_words_hold_no_atoms(key: str) -> None:
    assert list(atoms(key, "src/app/main.py")) == []


def found(messages: list[dict[str, Any]]) -> list[list[Need]]:
    return needs(segment(messages))


def test_an_atom_counts_where_it_occurs_before_the_call() -> None:
    messages = rounds(({"path": "src/new.py"}, "the tax is in src/tax.py"), ({"path": "src/tax.py"}, "ok"))
    first, second, last = found(messages)
    assert first == []
    assert [(one.text, one.holders) for one in second] == [("src/tax.py", (2,))]
    assert last == []


def test_every_part_that_holds_an_atom_is_a_holder() -> None:
    messages = rounds(({"q": 1}, "see a/b.py"), ({"q": 2}, "and a/b.py"), ({"path": "a/b.py"}, "x"))
    (need,) = found(messages)[2]
    assert need.holders == (2, 4)


def test_a_round_number_counts_as_grounded_only_beside_its_file() -> None:
    by_chance = rounds(({"path": "z.py"}, "total 480 bytes"), ({"path": "z.py", "offset": 480}, "x"))
    named = rounds(({"path": "z.py"}, "z.py:480: here"), ({"path": "z.py", "offset": 480}, "x"))
    other = rounds(({"path": "q.py"}, "total 480 bytes"), ({"path": "z.py", "offset": 480}, "x"))
    grounded = [
        {one.text: bool(one.grounded) for one in found(messages)[1]} for messages in (by_chance, named, other)
    ]
    assert [one["480"] for one in grounded] == [True, True, False]


def test_a_number_within_a_longer_one_is_not_grounded() -> None:
    messages = rounds(({"path": "q"}, "id 99480771"), ({"path": "z.py", "offset": 480}, "x"))
    (need,) = [one for one in found(messages)[1] if one.text == "480"]
    assert need.holders
    assert need.grounded == ()


def test_what_stands_everywhere_is_never_grounded() -> None:
    messages = rounds(({"q": 1}, "todo in_progress"), ({"state": "in_progress"}, "x"))
    (need,) = found(messages)[1]
    assert need.grounded == ()


def test_an_atom_is_old_when_much_came_after_it() -> None:
    long = words(4_000)
    messages = rounds(({"q": 1}, "see a/b.py"), ({"q": 2}, long), ({"path": "a/b.py"}, "x"))
    (need,) = found(messages)[2]
    assert need.old


def test_commands_fenced_in_words_are_actions_where_there_are_no_calls() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Look at src/tax.py."},
        {"role": "assistant", "content": "I do.\n```bash\ncat src/tax.py\n```"},
    ]
    (need,) = found(messages)[0]
    assert need.text == "src/tax.py"


def test_parallel_calls_need_together() -> None:
    both = asks(0, path="a/x.py")
    both["tool_calls"] += asks(1, path="a/y.py")["tool_calls"]
    messages = [{"role": "user", "content": "a/x.py and a/y.py"}, both, result(0, "1"), result(1, "2")]
    assert {one.text for one in found(messages)[0]} == {"a/x.py", "a/y.py"}
