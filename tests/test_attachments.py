from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from trimtab.attachments import attachments, without


def found(text: str, *tags: str) -> list[tuple[str, str]]:
    files = attachments(text, tags) if tags else attachments(text)
    return [(one.name, text[one.start : one.stop]) for one in files]


@pytest.mark.parametrize(
    ("text", "files"),
    [
        (
            "See <file name=\"a.md\">one</file> and <file path='b.md'>two</file>.",
            [("a.md", "one"), ("b.md", "two")],
        ),
        ('<document index="1">\n<source>a.md</source>\nx</document>', [("a.md", "\n<source>a.md</source>\nx")]),
        ("<file>x</file><document>y</document>", [("file 1", "x"), ("file 2", "y")]),
        ('<file name="a"><file name="b">x</file></file>', [("a", '<file name="b">x')]),
        ('<file name="a">x', []),
        ('<files name="a">x</files>', []),
        ("no tags", []),
    ],
)
def test_what_stands_between_declared_tags_is_a_file(text: str, files: list[tuple[str, str]]) -> None:
    assert found(text) == files


def test_other_tags_can_be_declared() -> None:
    text = "<context.file name='a'>x</context.file><file>y</file>"
    assert found(text, "context.file") == [("a", "x")]
    assert attachments(text, ()) == []


def test_without_its_files_a_text_is_what_was_asked() -> None:
    text = 'Compare <file name="a">one</file> with <file name="b">two</file>.'
    assert without(text, attachments(text)) == "Compare  with ."


@given(st.lists(st.sampled_from(["<file>", "</file>", '<document name="x">', "</document>", "<", "text ", "\n"])))
def test_files_stand_in_order_between_their_tags(pieces: list[str]) -> None:
    text, at = "".join(pieces), 0
    for one in attachments(text):
        assert at <= one.first < one.start <= one.stop < one.last
        assert text[one.start - 1] == ">"
        assert text.startswith("</", one.stop)
        at = one.last


def test_long_hostile_texts_end() -> None:
    for text in (
        "<file>" * 100_000,
        "<file " * 100_000,
        "<file><document>" * 50_000 + "</file>",
        "<file>" + " " * 500_000,
    ):
        assert len(attachments(text)) <= 1
