from __future__ import annotations

import difflib

import pytest
from hypothesis import given, strategies as st
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import STRUCTURE
from trimtab.excerpts.diff import CHANGED, Diff

READ = Diff().read
GIT = """\
diff --git a/src/a.py b/src/a.py
index 1111111..2222222 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,4 +1,5 @@ def go():
 one
-two
+TWO
+three

 four
@@ -20 +21 @@
-old
\\ No newline at end of file
+new
\\ No newline at end of file
diff --git a/b.txt b/c.txt
similarity index 100%
rename from b.txt
rename to c.txt
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/x.png b/x.png
index 1111111..2222222 100644
Binary files a/x.png and b/x.png differ
"""
PLAIN = (
    "--- old.sql\t2024-01-02\n+++ new.sql\t2024-01-02\n@@ -1,2 +1,2 @@\n--- a comment\n+-- another\n select 1;\n"
)
SHOW = (
    "commit 0123456789abcdef\nAuthor: A <a@b>\nDate:   Mon Jan 1\n\n    Say why\n---\n src/a.py | 3 +-\n\n" + GIT
)
MAIL = (
    "From "
    + "0" * 40
    + " Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\nAny text at all.\n---\n"
    + GIT
    + "-- \n2.39.0\n"
)


@pytest.mark.parametrize("text", [GIT, PLAIN, SHOW, MAIL, "\n" + GIT, GIT + PLAIN, GIT.replace("\n", "\r\n")])
def test_diffs(text: str) -> None:
    outline = READ(text)
    assert outline is not None
    check(text, outline)


def test_lines_need_their_hunk_and_their_file() -> None:
    outline = READ(GIT)
    assert outline is not None
    assert above(GIT, outline, "+three") == ["@@ -1,4 +1,5 @@ def go():", "diff --git a/src/a.py b/src/a.py"]
    assert above(GIT, outline, "+new") == ["@@ -20 +21 @@", "diff --git a/src/a.py b/src/a.py"]
    assert unit_of(GIT, outline, "+three").weight == CHANGED
    assert unit_of(GIT, outline, " four").weight == 0
    assert unit_of(GIT, outline, "rename to").weight == STRUCTURE
    assert above(GIT, outline, "new mode") == ["diff --git a/run.sh b/run.sh"]
    assert outline.sums == "4 files, +3 -2 lines, src/a.py +3 -2, c.txt +0 -0, run.sh +0 -0, x.png +0 -0"


def test_a_plain_diff_names_both_files() -> None:
    outline = READ(PLAIN)
    assert outline is not None
    assert above(PLAIN, outline, "+-- another") == [
        "@@ -1,2 +1,2 @@",
        "+++ new.sql\t2024-01-02",
        "--- old.sql\t2024-01-02",
    ]
    assert outline.sums == "new.sql +1 -1"


def test_a_diff_of_a_diff_is_read_by_its_outer_layer() -> None:
    inner = PLAIN.splitlines(keepends=True)
    text = "".join(difflib.unified_diff(inner, [*inner, "@@ -5,1 +5,1 @@\n"], "p1", "p2", n=9))
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    assert outline.sums == "p2 +1 -0"
    assert [unit.why for unit in outline.units].count("hunk") == 1
    assert above(text, outline, "+@@ -5,1") == ["@@ -1,6 +1,7 @@", "+++ p2", "--- p1"]


def test_behind_line_numbers_in_colour_and_without_a_head() -> None:
    numbered = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(GIT.splitlines(), 1))
    coloured = GIT.replace("+TWO", "\x1b[32m+TWO\x1b[m")
    for text in (numbered, coloured):
        outline = READ(text)
        assert outline is not None
        check(text, outline)
        assert unit_of(text, outline, "TWO").weight == CHANGED
    bare = "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d"
    outline = READ(bare)
    assert outline is not None
    assert outline.sums == "hunks +2 -2"


def test_blank_context_stripped_from_the_end_is_not_missed() -> None:
    assert READ("--- a\n+++ b\n@@ -1,3 +1,3 @@\n-a\n+b\n c") is not None


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        GIT[: GIT.index("+three")],
        GIT.replace("+1,5", "+1,6"),
        GIT.replace("+1,5", "+1,4"),
        GIT.replace("-two", "two"),
        GIT.replace(" four", " four\n five"),
        GIT.replace(" one", "stray\n one"),
        GIT + "and then some prose\n",
        "Here is the diff:\n" + GIT,
        "> quoted\n" + "".join(f"> {line}\n" for line in GIT.splitlines()),
        "diff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n@@@ -1,2 -1,2 +1,3 @@@\n  a\n +b\n++c\n",
        "commit 0123456789abcdef\nAuthor: A\n\n    diff --git a/x b/x only mentioned\n",
        "--- a\n+++ b\n",
        "diff --git a/x b/x\nindex 1111111..2222222 100644\n",
    ],
)
def test_what_is_no_diff(text: str) -> None:
    assert READ(text) is None


LINES = st.lists(st.text("ab+-@\\ \t", max_size=6), max_size=12).map(lambda lines: [line + "\n" for line in lines])


@given(LINES, LINES, st.integers(0, 4))
def test_every_diff_is_read_and_counted(old: list[str], new: list[str], context: int) -> None:
    text = "".join(difflib.unified_diff(old, new, "a", "b", n=context))
    outline = READ(text)
    assert (outline is not None) == (old != new)
    if outline is not None:
        check(text, outline)
        body = [line for line in text.splitlines()[2:] if not line.startswith("@@ ")]
        counted = [sum(line.startswith(sign) for line in body) for sign in "+-"]
        assert outline.sums == f"b +{counted[0]} -{counted[1]}"


@given(
    over(
        *GIT.splitlines(), "@@ -1,2 +1,2 @@", "@@ -0,0 +1,999999999 @@", "Only in a: b", "From " + "0" * 40 + " x"
    )
)
def test_any_text(text: str) -> None:
    check(text, READ(text))
