from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import ODD, STRUCTURE, Outline
from trimtab.excerpts.search import Search

READ = Search().read

GREP = "".join(f"src/m{n // 20}.py:{n % 20 * 3 + 1}:  value = {n}, 'x:y'\n" for n in range(200))
CONTEXT = "src/a-1-b.py-4-above\nsrc/a-1-b.py:5:hit\nsrc/a-1-b.py-6-below\n--\nb c.py:1:one\nb c.py:9:two\n"
PLAIN = "".join(f"src/m{n // 5}.py:import os, {n}\n" for n in range(20))
HEADED = "src/a.py\n1:import os\n9:os.getcwd()\n\nsrc/b.py\n3:import sys\n4-context\n"
OPENED = "Found 3 matches\n/a/b.py:\n  Line 12: foo\n  Line 15: foo\n\n/a/c.py:\n  Line 1: x\n"
WEB = "".join(
    f"{n}. Title {n}\n   URL: https://www.x{n % 3}.org/{n}?q=1\n   what it says {n}\n\n" for n in range(1, 9)
)
ALL = (GREP, CONTEXT, PLAIN, HEADED, OPENED, WEB)


def read(text: str) -> Outline:
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    return outline


@given(over("src/a.py:1:x", "src/a.py-2-x", "--", "src/a.py", "3:x", "https://a.b/c", "Title", "rg: x: none", ""))
def test_other_texts_are_none_or_lawful(text: str) -> None:
    check(text, READ(text))


@pytest.mark.parametrize("text", ALL)
def test_a_line_is_a_unit(text: str) -> None:
    assert [text[unit.start : unit.stop] for unit in read(text).units] == text.splitlines(keepends=True)


NOT_SEARCHES = {
    "log": "2024-01-01 10:00:01 INFO x\n" * 20,
    "times": "10:00:01: x\n10:00:02: y\n" * 9,
    "stamps": "2024-01-01T10:00:01:12: x\n" * 9,
    "compiler": "src/a.c:12:5: error: x\nsrc/a.c:14:5: error: y\nsrc/a.c:19:5: warning: z\n",
    "go": "pkg/a.go:12:5: undefined: x\npkg/a.go:14:5: undefined: y\npkg/b.go:1:1: not used\n",
    "linter": "src/a.py:1:8: F401 unused\nsrc/a.py:2:8: F401 unused\nsrc/b.py:2:8: E501 long\n",
    "yaml": "a: 1\nb: 2\nc: 3\nd: 4\n",
    "keys": "key/a: b\nkey/b: c\nkey/c: d\nkey/d: e\n",
    "falling numbers": "".join(f"src/a.py:{n}:x\n" for n in range(50, 1, -1)),
    "colons": ":" * 1_000_000,
    "a line of hits": "a/b:1:" * 100_000,
    "dashes": "-1-" * 300_000,
    "blank": "\n" * 100_000,
    "more around than hits": "a\nb\nc\nd\n" + GREP[:100].rpartition("\n")[0] + "\ne\nf\ng\nh\n",
    "one address": "see\nhttps://a.b/c\nfoo\n",
}


@pytest.mark.parametrize("text", [*HOSTILE, *NOT_SEARCHES.values()])
def test_what_looks_like_a_search_is_none(text: str) -> None:
    assert READ(text) is None


@pytest.mark.parametrize("text", [CONTEXT, HEADED])
def test_a_line_of_another_sort_in_the_middle_makes_it_none(text: str) -> None:
    lines = text.splitlines(keepends=True) * 3
    middle = len(lines) // 2
    assert READ("".join([*lines[:middle], "and now this\n", *lines[middle:]])) is None


def test_the_first_hit_of_each_file_is_structure() -> None:
    heavy = [GREP[unit.start : unit.stop] for unit in read(GREP).units if unit.weight == STRUCTURE]
    assert len(heavy) == 10
    assert all(":1:" in line for line in heavy)


def test_of_many_files_those_with_most_hits_are_told() -> None:
    text = "".join(f"src/m{n}.py:1:x\n" for n in range(300)) + "src/z.py:1:x\nsrc/z.py:2:x\n"
    units = read(text).units
    assert sum(unit.weight > 0 for unit in units) == 30
    assert unit_of(text, read(text), "src/z.py:1:").weight == STRUCTURE


def test_a_hit_under_a_heading_needs_it() -> None:
    assert above(HEADED, read(HEADED), "import sys") == ["src/b.py"]
    assert above(OPENED, read(OPENED), "Line 15") == ["/a/b.py:"]
    assert above(WEB, read(WEB), "says 5") == ["5. Title 5"]


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        (CONTEXT, "3 hits in 2 files: b c.py 2 · src/a-1-b.py 1"),
        (HEADED, "3 hits in 2 files: src/a.py 2 · src/b.py 1"),
        (WEB, "8 hits in 3 sites: x1.org 3 · x2.org 3 · x0.org 2"),
    ],
)
def test_sums_count_hits_by_file(text: str, sums: str) -> None:
    assert read(text).sums == sums


def test_what_could_not_be_searched_stands_out() -> None:
    text = "rg: apps: No such file or directory (os error 2)\nTotal output lines: 200\n\n" + GREP
    assert unit_of(text, read(text), "rg:").weight == ODD


def test_a_hit_in_an_overlong_line_is_reached() -> None:
    text = GREP + "src/z.min.js:1:" + "var a=1;" * 900 + "needle" + "var b=2;" * 900 + "\n"
    unit = unit_of(text, read(text), "needle")
    assert unit.stop - unit.start <= 464
    assert above(text, read(text), "needle")[0].startswith("src/z.min.js:1:")
