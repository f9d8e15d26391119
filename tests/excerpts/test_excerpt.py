"""What an excerpt looks like, and what it keeps of texts of each kind."""

from __future__ import annotations

import json

import pytest
from tests.cases.gaps import pieces

from trimtab.edits import At
from trimtab.excerpt import Excerpt, excerpts, sheet
from trimtab.facts import Fact, patterns
from trimtab.interest import Interest
from trimtab.tokens import counter_for
from trimtab.words import named

HANDLE = "t:0123456789abcdef"
NOWHERE = Interest()


def count(text: str) -> int:
    return counter_for(None).count([text])[0]


def cut(text: str, room: int, interest: Interest = NOWHERE, at: At | None = None) -> Excerpt:
    """An excerpt of one text."""
    [made] = excerpts([sheet(text, count(text), interest, at)], [HANDLE], room, count)
    return made


def said(words: str, **asked: float) -> Interest:
    """What is wanted when another part says these words, and the question holds these stems."""
    names = named(words)
    return Interest(asked=asked, used={name: (At(b"said", 0),) for name in names}, said=frozenset(names))


LOG = [f"2026-03-03T06:00:{n % 60:02d}Z INFO worker-{n % 3} batch {n} of 90, {n % 7 + 50} ms\n" for n in range(90)]


def log(number: int, line: str) -> str:
    return "".join([*LOG[:number], f"2026-03-03T06:00:30Z INFO {line}\n", *LOG[number:]])


@pytest.mark.parametrize(
    ("line", "interest"),
    [
        ("worker-1 could not write, disk is full", NOWHERE),
        ("worker-1 batch 31 of 90, 94310 ms", NOWHERE),
        ("primary is now db-4", NOWHERE),
        ("worker-2 wrote invoice 20413", said("Look at 20413.")),
        ("worker-2 retries after refusals", Interest(asked={"retri": 1.0, "retry": 1.0, "refusal": 1.0})),
        ("worker-2 batch 31 of 90, 55 ms X", Interest(facts=[Fact(patterns(["55 ms X"])[0])])),
    ],
)
def test_a_line_in_the_middle_of_a_log_is_kept_for_its_reason(line: str, interest: Interest) -> None:
    text = log(41, line)
    made = cut(text, 150, interest)
    assert line in made.text
    assert sum(map(len, pieces(text, made.text))) < len(text) / 3


def test_an_excerpt_tells_why() -> None:
    made = cut(log(41, "worker-1 could not write"), 150)
    assert made.why.startswith("log: ")
    assert " of 91 units (" in made.why
    assert "rare 1" in made.why


def test_what_is_shown_is_verbatim_and_what_is_hidden_is_told() -> None:
    text = log(41, "worker-1 could not write")
    shown = pieces(text, cut(text, 150).text)
    assert "".join(shown) != text
    assert all(piece in text for piece in shown)


def test_of_a_function_that_was_named_the_body_stays() -> None:
    others = "".join(
        f"def other_{n}(value):\n    result = value + {n}\n    return result * 2\n\n\n" for n in range(40)
    )
    body = "def settle_amount(value):\n    kept = value / 7\n    return kept\n\n\n"
    text = f"{others[: len(others) // 2]}{body}{others[len(others) // 2 :]}"
    assert "return kept" in cut(text, 120, said("What does settle_amount do?")).text


def test_a_setting_that_code_elsewhere_reads_stays_with_the_note_above_it() -> None:
    rest = "".join(f"[part{n}]\nname{n} = {n}\nlevel{n} = {n + 1}\n\n" for n in range(40))
    text = (
        rest
        + "[last]\nplain = 1\n# 2025-02-24: was once, OPS-12.\ncut_policy = 'always'\n"
        + rest.replace("part", "p")
    )
    interest = Interest(used={"cut_policy": (At(b"code", 0),)})
    made = cut(text, 120, interest, At(b"settings", 0)).text
    assert "cut_policy = 'always'" in made
    assert "OPS-12" in made


def test_names_of_the_part_itself_are_no_reason() -> None:
    text = log(41, "worker-2 batch 31 of 90, 7f20413c")
    own = Interest(used={"7f20413c": (At(b"log", 0),)})
    assert "used" in cut(text, 150, own, At(b"other", 0)).why
    assert "used" not in cut(text, 150, own, At(b"log", 0)).why


def test_failing_words_in_source_are_no_failures() -> None:
    code = "".join(
        f"def f{n}(x):\n    if x < {n}:\n        raise ValueError(x)\n    return x\n\n\n" for n in range(60)
    )
    assert "failure" not in cut(code, 200).why


def test_rows_of_json_on_one_line_are_counted_as_items() -> None:
    rows = [{"id": n, "state": "open" if n != 61 else "lost", "note": "x" * 30} for n in range(120)]
    text = json.dumps({"rows": rows})
    made = cut(text, 300).text
    assert '"lost"' in made
    assert "items]" in made
    pieces(text, made)


def test_several_texts_share_one_room() -> None:
    plain, telling = "".join(LOG), log(41, "worker-1 could not write")
    sheets = [sheet(text, count(text), NOWHERE) for text in (plain, telling)]
    made = excerpts(sheets, [HANDLE, HANDLE], 260, count)
    assert sum(one.tokens for one in made) <= 260
    assert "could not write" in made[1].text


def test_a_gap_that_is_no_longer_than_its_marker_stays_text() -> None:
    lines = [f"event {n} is done\n" for n in range(400)]
    lines[200:200] = ["ERROR a\n", *["\n"] * 5, "ERROR b\n"]
    assert "ERROR a\n\n\n\n\n\nERROR b\n" in cut("".join(lines), 90).text


def test_where_nothing_fits_the_way_back_is_left() -> None:
    text = log(41, "worker-1 could not write")
    made = cut(text, 1)
    assert pieces(text, made.text) == []
    assert HANDLE in made.text
