from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import ODD, STRUCTURE, VERDICT, Outline
from trimtab.excerpts.listing import Listing

READ = Listing().read

LONG = "total 44\ndrwxr-xr-x 3 me staff 96 Jan  2 03:04 .\ndrwxr-xr-x 3 me staff 96 Jan  2 03:04 src\n" + "".join(
    f"-rw-r--r--@ 1 {'root' if n == 7 else 'me'} staff {n} Mar 12  2024 file {n}.py\n" for n in range(30)
)
RECURSIVE = "a/b:\nREADME.md\nc\nd.py\n\na/b/c:\ne.py\nf.py\n"
TREE = ".\n├── src\n│   ├── a.py\n│   └── b\n│       └── c.py\n└── README.md\n\n3 directories, 3 files\n"
BULLETS = "- /repo/\n  - src/\n    - a.py\n    - b.py\n  - README.md\n"
FOUND = "".join(f"src/part{n % 4}/file{n}.{'ts' if n % 3 else 'md'}\n" for n in range(100))
GIT = (
    "On branch main\nYour branch is ahead.\n\nUnmerged paths:\n  (use git add)\n\tboth modified:   a.py\n\n"
    "Untracked files:\n\tsrc/b.py\n\tsrc/c.py\n\tsrc/d e.py\n\nno changes added\n"
)
SHORT = "## main...origin/main [ahead 1]\n M src/a.py\nUU src/b.py\n?? new/\nR  x.py -> y.py\n"
ALL = (LONG, RECURSIVE, TREE, BULLETS, FOUND, GIT, SHORT)


def read(text: str) -> Outline:
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    return outline


@given(over("a/b.py", "- a/", "  - b", "├── x", " M a", "a:", "total 3", "-rw-r--r-- 1 a b 3 Jan  1 00:00 x", ""))
def test_other_texts_are_none_or_lawful(text: str) -> None:
    check(text, READ(text))


@pytest.mark.parametrize("text", ALL)
def test_a_line_is_a_unit(text: str) -> None:
    assert [text[unit.start : unit.stop] for unit in read(text).units] == text.splitlines(keepends=True)


@pytest.mark.parametrize("text", [LONG, RECURSIVE, BULLETS, FOUND, SHORT])
def test_a_line_of_another_sort_makes_it_none(text: str) -> None:
    lines = text.splitlines(keepends=True)
    assert READ("".join([*lines[:4], "And now, for something: else\n", *lines[4:]])) is None


NOT_LISTINGS = {
    "prose in bullets": "- foo bar baz\n- hello there\n  - x y\n- z\n- /tmp/\n",
    "words": "apple\nbanana\npear\ncherry\nplum\n",
    "code": "import a\nimport b\nx.y()\nfoo.bar\nz\n",
    "yaml": "key:\n  a: 1\n  b: 2\n  c: 3\n",
    "log": "2024/01/01 10:00:01 foo\n" * 9,
    "grep": "a/b.py:1:x\na/b.py:2:y\na/b.py:3:z\na/b.py:4:z\n",
    "letters": "".join(f"Z{n}k{'xQ/+' * 9}{n}pQ\n" for n in range(99)),
    "bullets of words": "- and/or/\n- hello there you\n  - x and y\n- z of w\n- a b\n",
    "one path again and again": "src/a.py\n" * 50,
    "blank": "\n" * 100_000,
}


@pytest.mark.parametrize("text", [*HOSTILE, *NOT_LISTINGS.values()])
def test_what_looks_like_a_listing_is_none(text: str) -> None:
    assert READ(text) is None


def test_a_file_needs_the_directory_it_is_listed_under() -> None:
    assert above(RECURSIVE, read(RECURSIVE), "f.py") == ["a/b/c:"]
    assert above(TREE, read(TREE), "c.py") == ["│   └── b", "├── src", "."]
    assert above(BULLETS, read(BULLETS), "b.py") == ["- src/", "- /repo/"]
    assert above(GIT, read(GIT), "src/c.py") == ["Untracked files:"]


def test_what_stands_out() -> None:
    assert unit_of(LONG, read(LONG), "root").why == "rare owner"
    assert unit_of(GIT, read(GIT), "both").weight == ODD
    assert unit_of(SHORT, read(SHORT), "UU").weight == ODD
    assert unit_of(TREE, read(TREE), "3 dir").weight == VERDICT
    assert unit_of(RECURSIVE, read(RECURSIVE), "a/b/c:").weight == STRUCTURE


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        (FOUND, "100 files: part0/ 25 · part1/ 25 · part2/ 25 · part3/ 25; .ts 66 · .md 34"),
        (TREE, "3 files: src/ 2 · ./ 1; .py 2 · .md 1"),
        (RECURSIVE, "5 files: ./ 3 · c/ 2; .py 3 · .md 1 · no extension 1"),
    ],
)
def test_sums_count_files_by_directory_and_extension(text: str, sums: str) -> None:
    assert read(text).sums == sums


def test_what_counts_the_paths_may_stand_around_them() -> None:
    text = "Found 100 files\n" + FOUND + "(Results are truncated. Use a more specific path.)\n"
    assert read(text).sums.startswith("100 files")
