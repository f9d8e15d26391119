from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import ODD, STRUCTURE, Outline
from trimtab.excerpts.markdown import Markdown

READ = Markdown().read

PAGE = """\
---
title: of it
---
# The Guide

It is about boats. They lie at
the quay and wait for the tide to come in the morning, all of them, and
they go out with it.

## How to sail

- Take the boat
  out of the shed
  - and see whether it leaks
    1. at the bow first
- Row

```sh
# no heading
row --fast
````

| Boat | Length |
|------|:------:|
| Ada  | 12     |
| Bea  | 14     |

Names
-----

They are given by the owners of the boats.

### Rules #

Children must wear a vest. Others may.
"""


def read(text: str) -> Outline:
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    return outline


def shown(text: str, why: str) -> list[str]:
    return [text[unit.start : unit.stop].strip() for unit in read(text).units if unit.why == why]


@pytest.mark.parametrize(
    ("needle", "expected"),
    [
        ("title: of it", []),
        ("They lie", ["# The Guide"]),
        ("Take the boat", ["## How to sail", "# The Guide"]),
        ("whether it leaks", ["- Take the boat", "## How to sail", "# The Guide"]),
        (
            "at the bow",
            [
                "- and see whether it leaks",
                "- Take the boat",
                "## How to sail",
                "# The Guide",
            ],
        ),
        ("out of", ["- Take the boat", "## How to sail", "# The Guide"]),
        ("Row", ["## How to sail", "# The Guide"]),
        ("row --fast", ["```sh", "## How to sail", "# The Guide"]),
        ("Ada", ["| Boat | Length |", "## How to sail", "# The Guide"]),
        ("Bea", ["| Boat | Length |", "## How to sail", "# The Guide"]),
        ("They are given", ["Names", "# The Guide"]),
        ("Others may", ["### Rules #", "Names", "# The Guide"]),
    ],
)
def test_what_stands_under_what(needle: str, expected: list[str]) -> None:
    assert above(PAGE, read(PAGE), needle) == expected


def test_headings_headers_and_rules_stand_out() -> None:
    assert shown(PAGE, "heading") == ["# The Guide", "## How to sail", "Names", "### Rules #"]
    assert shown(PAGE, "header") == ["| Boat | Length |"]
    assert shown(PAGE, "rule") == ["Children must wear a vest."]
    assert unit_of(PAGE, read(PAGE), "must wear").weight == ODD
    assert unit_of(PAGE, read(PAGE), "Names").weight == STRUCTURE


def test_sums_name_the_headings_and_their_lines() -> None:
    assert read(PAGE).sums == "4 headings: 4 The Guide, 10 How to sail, 28 Names, 33 Rules"


def test_a_sentence_over_several_lines_is_one_unit() -> None:
    unit = unit_of(PAGE, read(PAGE), "wait for the tide")
    assert PAGE[unit.start : unit.stop].endswith("the morning, all of them, and\nthey go out with it.\n\n"[:-1])


def test_numbers_in_front_change_nothing_but_the_joining_of_lines() -> None:
    text = "".join(f"{n:6}→{line}\n" for n, line in enumerate(PAGE.splitlines(), 1))
    number = text[: text.index("→")]
    assert number.strip() == "1"
    assert shown(text, "heading") == ["4→# The Guide", "10→## How to sail", "28→Names", "33→### Rules #"]
    assert above(text, read(text), "Bea")[0] == "23→| Boat | Length |"


def test_in_a_long_page_a_tenth_of_the_lines_is_structure_the_upper_first() -> None:
    text = "".join(
        f"{'## Part' if n % 50 else '# Book'} {n}\nIt is a part of words in a row.\n" for n in range(500)
    )
    headings = shown(text, "heading")
    assert len(headings) == 100
    assert [heading for heading in headings if heading[:2] == "# "] == [f"# Book {n}" for n in range(0, 500, 50)]


def test_a_sentence_in_a_megabyte_of_one_paragraph_has_its_own_unit() -> None:
    calm = "The boats lie at the quay and wait. " * 14_000
    text = f"# A\n\n# B\n\n{calm}The mast must be 7 feet. {calm}\n"
    unit = unit_of(text, read(text), "7 feet")
    assert text[unit.start : unit.stop] == "The mast must be 7 feet. "


def test_a_paragraph_ends_a_list() -> None:
    text = "# A\n\n## B\n\n- one of the things\n\nThe words of it are here.\n\n  - another of them\n"
    assert above(text, read(text), "another") == ["## B", "# A"]


def test_a_fence_that_is_not_closed_goes_on_to_the_end() -> None:
    text = PAGE + "\n````\n```\n# no heading\n"
    assert above(text, read(text), "```\n# no heading")[0] == "````"


@pytest.mark.parametrize("script", ["这是一个关于船只的说明文件，请仔细阅读。", "זה מסמך על סירות וים וגם על חוף"])
def test_other_scripts(script: str) -> None:
    text = f"# {script}\n\n{script}\n\n## {script}\n\n- {script} 👩‍👩‍👧‍👦\n"
    assert len(shown(text, "heading")) == 2


NOT_MARKDOWN = {
    "prose": "The boats lie at the quay. They wait for the tide. It comes.\n\n" * 9,
    "shell": "# Copies it.\ncp a b;\nmv b c;\n\n# Runs it.\nif x; then\n  y;\nfi;\n" * 9,
    "python": "# Of the one.\nimport os\n\n# Of the other.\ndef f(x):\n    return x\n\n# Last.\nx = f(1)\n" * 9,
    "yaml": "# of one\nname: x\njobs:\n  - one\n  - two\n\n# of two\nsteps:\n  - a\n" * 9,
    "list": "- one thing and one more\n- two things and two more\n" * 9,
    "comments only": "# one\n# two\n# three\n" * 9,
    "log": "# log\n2024-01-02 03:04:05 the server has started well\n# end\n" * 9,
    "diff": "@@ -1 +1 @@\n-# A heading of it\n+# Another heading of it\n" * 9,
    "session": "# One\n\nThe words of it are here in a row.\n$ run it\n>>> f(x)\n\n" * 9,
    "bars": "a | b\n1 | 2\n" * 20,
}


@pytest.mark.parametrize(
    "text", [*NOT_MARKDOWN.values(), *HOSTILE], ids=[*NOT_MARKDOWN, *map(str, range(len(HOSTILE)))]
)
def test_what_is_not_markdown(text: str) -> None:
    assert READ(text) is None


@given(
    over(
        "# A heading",
        "---",
        "===",
        "- an item",
        "  - it",
        "```",
        "~~~~",
        "a|b",
        "-|-",
        "|c|",
        "> q",
        "Some words here.",
    )
)
def test_units_are_the_text(text: str) -> None:
    check(text, READ(text))
    check(PAGE + text, READ(PAGE + text))
