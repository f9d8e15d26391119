"""What sentences of a conversation are worth, seen through what a choice would show of them."""

from __future__ import annotations

import pytest
from msgspec import structs

from trimtab.choice import Choice
from trimtab.edits import At
from trimtab.facts import given
from trimtab.interest import Interest
from trimtab.statements import is_bare, leans, says_nothing, stated
from trimtab.talk import Talk
from trimtab.transcript import Message, Role, Text

PLAIN = "The weather was nice when we walked along the river yesterday."


def worth(sentence: str) -> float:
    return sum(claim.worth for claim in stated(sentence))


def sheet_worths(texts: list[str], role: Role = Role.USER, facts: tuple[str, ...] = ()) -> list[float]:
    """The worth of the units of the last text, the others being said before it."""
    talk = Talk([Message(role, (Text(text),)) for text in texts])
    made = talk.sheet(texts[-1], 40, Interest(facts=given(facts)), At(b"m", 0), role, set())
    return [sum(claim.worth for claim in own) for own in made.claims]


@pytest.mark.parametrize(
    "sentence",
    [
        "NOTE: the keys are in the drawer by the door.",
        "Never write to the archive.",
        "We decided to rent the blue van.",
        "Actually the talk is in room four.",
        "I would rather have short answers.",
        "When you list prices, use euros.",
        "The locker is KX-4471.",
        "The password file is etc/keys.json.",
        "Next step: call the printer.",
        "Antworte bitte immer auf Deutsch.",
        "Il ne faut jamais effacer ce dossier.",
        "Nunca borres esta carpeta.",
    ],
)
def test_what_states_something_is_worth_more_than_small_talk(sentence: str) -> None:
    assert worth(sentence) > worth(PLAIN)


@pytest.mark.parametrize("line", ["ERROR: the disk is full", "INFO: 12 rows", "WARNING: old style"])
def test_the_level_of_a_log_is_no_label(line: str) -> None:
    assert not any(claim.key.startswith("label ") for claim in stated(line))


@pytest.mark.parametrize("text", ["Thanks!", "OK, got it.", "Danke, alles klar.", "…", "Noted and recorded."])
def test_an_acknowledgement_says_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["Yes, delete it.", "No.", "The second one.", "OK, use tabs."])
def test_an_answer_says_something(text: str) -> None:
    assert not says_nothing(text)


def test_bare_sentences() -> None:
    assert is_bare("Going on now.")
    assert not is_bare("Never.")
    assert not is_bare("The lock is KX-4471.")


@pytest.mark.parametrize("text", ["Never exceed without explicit approval.", "Use it in confirmations."])
def test_a_sentence_that_leans_stays_with_the_one_before_it(text: str) -> None:
    assert leans(text)
    assert len(sheet_worths([f"The card is KX-4471. {text}"])) == 1


def test_a_sentence_with_an_object_of_its_own_does_not_lean() -> None:
    assert not leans("Never delete the archive.")


def test_what_is_said_often_is_worth_less() -> None:
    assert sheet_worths([PLAIN, "Never fly."])[0] > sheet_worths(["Never fly."] * 4)[0] > 0


def test_the_user_counts_more_than_the_assistant() -> None:
    said = ["Never fly.", PLAIN, "Use the train."]
    assert sheet_worths(said)[0] > sheet_worths(said, Role.ASSISTANT)[0]


def test_a_label_carries_over_its_line_but_not_to_the_next() -> None:
    one, other = (
        sheet_worths([f"PLAN: we go by train. {PLAIN}"]),
        sheet_worths([f"PLAN: we go by train.\n{PLAIN}"]),
    )
    assert one[1] > other[1]


def test_what_is_replaced_is_never_shown_unless_it_is_a_fact_of_the_callers() -> None:
    old, new = "The limit is 3.", "The limit is 5."
    talk = Talk([Message(Role.USER, (Text(text),)) for text in (old, new)])
    for facts, shown in (((), False), (("limit is 3",), True)):
        made = talk.sheet(old, 8, Interest(facts=given(facts)), At(b"m", 0), Role.USER, set())
        assert (sum(claim.worth for claim in made.claims[0]) > 0) is shown


def test_of_code_a_user_pasted_nothing_is_barred() -> None:
    code = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n" * 6
    assert min(sheet_worths([code])) >= 0


def test_a_choice_without_markers_counts_a_unit_by_its_own_length() -> None:
    """Ten sentences of one worth, each in a text of its own: as many are shown as there is room for."""
    texts = [f"Never open door {n} of the hall." for n in range(10)]
    talk = Talk([Message(Role.USER, (Text(text),)) for text in texts])
    sheets = [
        structs.replace(talk.sheet(text, 9, Interest(), At(b"%d" % n, 0), Role.USER, set()), marked=False)
        for n, text in enumerate(texts)
    ]
    choice = Choice(sheets)
    choice.widen(50)
    assert sum(map(len, choice.chosen)) == 5
