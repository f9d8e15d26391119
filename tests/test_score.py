"""What units claim, by reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from trimtab import words
from trimtab.claims import REASONS, Page
from trimtab.claims.failures import ROOTS, _likely
from trimtab.claims.ranges import _beside_words
from trimtab.claims.rare import _called
from trimtab.claims.used import _held
from trimtab.edits import At
from trimtab.excerpts import read
from trimtab.facts import Fact, patterns
from trimtab.interest import Interest
from trimtab.score import claims

HERE, ELSEWHERE = At(b"here", 0), At(b"there", 0)


def claimed(text: str, line: str, interest: Interest | None = None) -> dict[str, float]:
    """The claims of the unit that holds this line, by the first word of their names."""
    outline = read(text)
    place = text.index(line)
    found = claims(text, outline, interest or Interest(), HERE)
    number = next(n for n, unit in enumerate(outline.units) if unit.start <= place < unit.stop)
    return {claim.key.split(" ", 1)[0]: claim.worth for claim in found[number]}


EVENTS = "".join(f"event {n} of the run is done in {n % 9 + 10} ms\n" for n in range(60))


def among(line: str) -> str:
    return f"{EVENTS}{line}\n{EVENTS}"


@pytest.mark.parametrize(
    "words", ["job failed", "Error: x", "access denied", "giving up", "HTTP 503", "exit status 2"]
)
def test_words_of_failure_count_where_a_text_reports(words: str) -> None:
    assert "failure" in claimed(among(f"event {words}"), words)


@pytest.mark.parametrize("words", ["0 errors", "no failures", "errors: 0", "failed=0", "terrorist", "failsafe"])
def test_no_failure_is_none(words: str) -> None:
    assert "failure" not in claimed(among(f"event {words}"), words)


@pytest.mark.parametrize(
    "words", ["ERRORS42", "xFailure_", "HTTP 503\nHTTP 200", "err!", "out of memory", "TIMED OUT"]
)
def test_a_unit_with_the_root_of_a_failure_is_likely(words: str) -> None:
    text = among(words)
    page = Page(text, read(text), Interest())
    low = text.lower()
    rooted = {n for n, unit in enumerate(page.units) for root in ROOTS if root in low[unit.start : unit.stop]}
    assert rooted
    assert _likely(page) == rooted


@given(
    st.lists(
        st.sampled_from(
            ["app/main.py", "x.main", "main", "job-7721", "7721", "(job-7721)", "./app/main.py:7", "é_a"]
        )
    )
)
def test_names_are_found_where_the_pieces_of_a_unit_have_them(chunks: list[str]) -> None:
    text = "".join(f"{one} of a, b\n" for one in chunks)
    used = dict.fromkeys(("app/main.py", "main", "job-7721", "7721", "é_a", "absent_name"), (ELSEWHERE,))
    page = Page(text, read(text), Interest(used=used, said=frozenset({"7721"})), HERE)
    lines = [{piece for chunk in words.chunks(line) for piece in words.pieces(chunk)} for line in page.lines]
    assert _held(page) == {n: used.keys() & found for n, found in enumerate(lines) if used.keys() & found}


NUMBERS = st.lists(st.sampled_from(["took", "a_b", "é", " ", "-", "7", "12", "9" * 19, "ms", "=", ":", ".", "\n"]))


@given(NUMBERS.map("".join))
def test_numbers_beside_words_are_those_the_plain_patterns_find(text: str) -> None:
    behind = re.finditer(r"(?<![A-Za-z_])([A-Za-z_]{2,})[\"' :=>(,\[]{1,4}+(-?)(\d{1,18}+)(?![\w:-])", text)
    before = re.finditer(r"(?<![\w.,:-])(-?)(\d{1,18}+) ([A-Za-z]{1,12})(?!\w)", text)
    expected = [(one.start(), (one[1], -1 if one[2] else len(one[3]))) for one in behind]
    expected += [(one.start(), (f"in {one[3]}", -1 if one[1] else len(one[2]))) for one in before]
    assert list(_beside_words(text)) == expected


@given(st.lists(st.sampled_from(["get", "on", "_x", "(", "(", ".", " ", "7", "é", ")"])).map("".join))
def test_calls_are_those_a_plain_pattern_finds(text: str) -> None:
    plain = re.finditer(r"(?<!\w)(\w{3,}+)\(([A-Za-z_][\w.]*)", text)
    assert list(_called(text)) == [(one[1], one[2], one.start()) for one in plain]


def test_a_rare_word_counts_among_lines_of_common_ones() -> None:
    assert claimed(among("primary moved to db4"), "primary")["rare"] > 1
    assert "rare" not in claimed(EVENTS, "event 7 ")


def test_a_number_a_hundred_times_as_large_counts() -> None:
    assert "number" in claimed(among("event 7 of the run is done in 94310 ms"), "94310")
    assert "number" not in claimed(EVENTS, "in 17 ms")


def test_a_rare_word_of_the_question_counts_more_than_a_common_one() -> None:
    wanted = Interest(asked={"primary": 1.0, "run": 1.0})
    text = among("primary of the run")
    rare, common = claimed(text, "primary", wanted), claimed(text, "event 3 ", wanted)
    assert rare["asked"] > 0
    assert common.get("asked", 0) < rare["asked"] / 5


def test_a_name_that_others_use_counts_more_if_it_was_said() -> None:
    text = among("event INV_7781 is done")
    used = Interest(used={"INV_7781": (ELSEWHERE,)})
    said = Interest(used={"INV_7781": (ELSEWHERE,)}, said=frozenset({"INV_7781"}))
    assert 0 < claimed(text, "INV_7781", used)["used"] < claimed(text, "INV_7781", said)["used"]
    assert "used" not in claimed(text, "INV_7781", Interest(used={"INV_7781": (HERE,)}))


CODE = "".join(
    f"def part_{n}(amount):\n    step = amount.cut(CENT)\n    return step + {n}\n\n\n" for n in range(20)
)


def test_what_comes_out_of_a_used_definition_counts() -> None:
    wanted = Interest(used={"part_7": (ELSEWHERE,)})
    assert "under" in claimed(CODE, "return step + 7\n", wanted)
    assert "under" not in claimed(CODE, "return step + 8\n", wanted)


def test_an_odd_argument_among_like_calls_counts() -> None:
    text = CODE.replace(
        "    step = amount.cut(CENT)\n    return step + 7\n", "    step = amount.cut(TENTH)\n    return step + 7\n"
    )
    assert "odd" in claimed(text, "TENTH")
    assert "odd" not in claimed(text, "CENT")


def test_a_line_of_a_section_that_has_the_words_asked_for_counts() -> None:
    text = CODE.replace("def part_7(amount):\n", "def part_7(amount):\n    # what the ledger refuses\n")
    wanted = Interest(asked={"ledg": 1.0, "refus": 1.0})
    assert claimed(text, "return step + 7\n", wanted)["within"] > 0
    assert "within" not in claimed(text, "return step + 8\n", wanted)


SETTINGS = "".join(f"[part{n}]\nname{n} = 1\n# A remark on this.\nlevel{n} = 2\n\n" for n in range(20))


def test_a_key_that_others_read_and_the_note_above_it_count() -> None:
    text = SETTINGS.replace("# A remark on this.\nlevel7 = 2", "# 2025-02-24: was 3, OPS-12.\ncut_at = 2")
    wanted = Interest(used={"cut_at": (ELSEWHERE,)})
    assert "set" in claimed(text, "cut_at", wanted)
    assert {"change", "of"} <= claimed(text, "OPS-12", wanted).keys()


def test_reading_the_environment_counts() -> None:
    text = CODE.replace("    return step + 7\n", '    return os.environ.get("STEP", step)\n')
    assert "environment" in claimed(text, "os.environ")


def test_what_else_stands_in_the_row_of_what_stands_out_counts() -> None:
    rows = ",\n".join(
        f'{{\n"id": {n},\n"owner": "C-{n}",\n"state": "{"lost" if n == 7 else "open"}"\n}}' for n in range(40)
    )
    assert "row" in claimed(f"[\n{rows}\n]\n", '"C-7"')


def test_facts_count_above_all() -> None:
    wanted = Interest(asked={"event": 1.0}, facts=[Fact(patterns(["event 7 "])[0])])
    found = claimed(EVENTS, "event 7 ", wanted)
    assert found["fact"] > 5 * sum(worth for name, worth in found.items() if name != "fact")


def test_every_reason_claims_something_somewhere() -> None:
    assert len({reason.__module__ for reason in REASONS}) >= 8


def test_an_empty_text_claims_nothing() -> None:
    assert claims("", read(""), Interest()) == []
