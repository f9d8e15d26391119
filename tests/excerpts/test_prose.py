from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st
from tests.excerpts.lawful import HOSTILE, check, over, unit_of

from trimtab.excerpts.base import ODD, STRUCTURE
from trimtab.excerpts.prose import PHRASES, TELLING, Prose, sentences, telling

READ = Prose().read
CALM = (
    "The town lies on a wide river, and the boats come up from the sea in the early morning. "
    "Along the quay the houses are painted in pale colours. People walk there after supper.\n\n"
)


def cut(text: str) -> list[str]:
    return [text[start:stop].strip() for start, stop in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Ask Dr. Smith, e.g. on Monday. Then go.", ["Ask Dr. Smith, e.g. on Monday.", "Then go."]),
        ("Pi is 3.14 or so. See a.py and https://x.org/a.b?c=d. Done.", None),
        (
            "See fig. 3 and p. 4 of it. J. R. Smith wrote it.",
            ["See fig. 3 and p. 4 of it.", "J. R. Smith wrote it."],
        ),
        (
            "Am 3. Mai ist Schluss, d.h. bald. Danach nicht.",
            ["Am 3. Mai ist Schluss, d.h. bald.", "Danach nicht."],
        ),
        ("do this. then do that.", ["do this.", "then do that."]),
        ('"Really?" he said. (Yes.) "No." So it was.', ['"Really?" he said.', "(Yes.)", '"No."', "So it was."]),
        ("第一句。第二句！「第三句？」第四句", ["第一句。", "第二句！", "「第三句？」", "第四句"]),
        ("مرحبا بك؟ نعم۔ شكرا.", ["مرحبا بك؟", "نعم۔", "شكرا."]),
        ("שלום לך. מה שלומך? טוב.", ["שלום לך.", "מה שלומך?", "טוב."]),
        ("यह पहला है। यह दूसरा है।", ["यह पहला है।", "यह दूसरा है।"]),
        ("- one\n- two\n  1. three", ["- one", "- two", "1. three"]),
        ("Title\n\nBody of it", ["Title", "Body of it"]),
        ("Well… maybe. Wait... what?", ["Well… maybe.", "Wait...", "what?"]),
        ("It is 30. Use it.\r\nEnd", ["It is 30.", "Use it.", "End"]),
    ],
)
def test_sentences(text: str, expected: list[str] | None) -> None:
    whole = expected or ["Pi is 3.14 or so.", "See a.py and https://x.org/a.b?c=d.", "Done."]
    assert cut(text) == whole


def test_a_sentence_goes_on_behind_the_end_of_a_long_line() -> None:
    wrapped = "Whatever happens in the course of the migration, you must never\ndelete the old table.\nNext line."
    assert cut(wrapped) == [wrapped[:-11], "Next line."]


def test_items_and_records_below_a_long_line_are_their_own() -> None:
    long = "These are all the things that we found while looking at the machine"
    below = ["- an item", "12:03:04 started", "# heading", "> quoted", "| a | b |", "```"]
    assert cut("\n".join([long, *below])) == [long, *below]


@given(st.text(alphabet="ab .!?\n\r\t。'\")1A…é\u0301-", max_size=80) | st.text())
def test_sentences_are_the_text(text: str) -> None:
    end = 0
    for start, stop in sentences(text):
        assert start == end < stop
        end = stop
    assert end == len(text)


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("You must not push to main.", "rule"),
        ("never use sudo here", "rule"),
        ("  Use tabs for indentation.", "rule"),
        ("The people use tabs.", ""),
        ("The deadline is Friday.", "rule"),
        ("We decided on the blue one.", "decision"),
        ("Actually, the port is 8443.", "correction"),
        ("The budget was changed from 10 to 12.", "correction"),
        ("It no longer works.", "correction"),
        ("Das darf niemals passieren.", "rule"),
        ("Der Preis gilt nicht mehr.", "correction"),
        ("Il est interdit de fumer.", "rule"),
        ("On a décidé de partir.", "decision"),
        ("Nunca toques la base.", "rule"),
        ("Ya no se usa.", "correction"),
        ("The mustard is on the table.", ""),
        ("", ""),
    ],
)
def test_telling(sentence: str, why: str) -> None:
    assert telling(sentence) == why
    assert telling(f"Always. {sentence} Always.", 8, 8 + len(sentence)) == why


@given(
    st.lists(
        st.sampled_from([*PHRASES, *re.findall(r"[^\W\d_]+", TELLING.pattern), "the", "_must", "5never"]),
        max_size=6,
    )
)
def test_what_is_looked_at_no_further_is_not_telling(words: list[str]) -> None:
    sentence = " ".join(words)
    found = TELLING.search(sentence.lower())
    assert bool(telling(sentence)) == (found is not None)


@pytest.mark.parametrize("gap", ["", "\n", "\n\n"])
def test_the_rule_in_a_long_text_stands_out_alone(gap: str) -> None:
    needle = "The key of the safe must stay with Mrs. Okafor (see ch. 4). "
    text = CALM * 40 + needle + gap + CALM * 40
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert [unit for unit in outline.units if unit.weight] == [unit_of(text, outline, needle)]
    unit = unit_of(text, outline, needle)
    assert (unit.weight, unit.why, text[unit.start : unit.stop].strip()) == (ODD, "rule", needle.strip())


def test_a_line_alone_between_blank_ones_is_a_heading() -> None:
    text = "The Town\n\n" + CALM * 5 + "Its People\n\n" + CALM * 5
    outline = READ(text)
    assert outline is not None
    found = [text[unit.start : unit.stop].strip() for unit in outline.units if unit.weight == STRUCTURE]
    assert found == ["The Town", "Its People"]


def test_a_megabyte_in_one_line_is_sentences() -> None:
    text = CALM.replace("\n", " ") * 3_600
    outline = READ(text)
    assert outline is not None
    assert len(outline.units) == 3 * 3_600


@pytest.mark.parametrize(
    "sentence", ["我们昨天去了河边，看见了很多船。", "ذهبنا أمس إلى النهر ورأينا سفنا كثيرة. "]
)
def test_other_scripts_are_prose(sentence: str) -> None:
    text = f"{sentence * 4}\n" * 20
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert len(outline.units) == 80


def test_numbered_lines_are_read_behind_their_numbers() -> None:
    text = "".join(f"{n:6}\t{line}\n" for n, line in enumerate((CALM * 5).split("\n"), 1))
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert unit_of(text, outline, "People walk").start == text.index("People walk")


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        "2024-01-02 03:04:05 INFO The server has started well.\n" * 50,
        "INFO The server has started and it is well again.\n" * 50,
        "src/a.py:12: The name is not used anywhere here.\n" * 50,
        "name, place and colour of the first of them, other\n" * 50,
        "def f(x):\n    return x + 1\n\n" * 50,
        "alpha beta gamma delta epsilon zeta eta theta iota\n" * 50,
        '{"text": "The server has started. It is well.", "id": 12}\n' * 50,
        "short line.\n" * 50,
    ],
)
def test_what_is_not_prose(text: str) -> None:
    assert READ(text) is None


@given(over(CALM.strip(), "You must. ", "Heading", "", "你好。再见。"))
def test_units_are_the_text(text: str) -> None:
    check(text, READ(text))
    check(CALM * 3 + text, READ(CALM * 3 + text))
