"""What the lines of a Markdown text are, told by their beginnings (CommonMark, tables of GitHub's)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})([^`]*)$")
HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)$")
UNDERLINE = re.compile(r" {0,3}(?:={3,}|-{3,})$")
ITEM = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+\S")
RULES = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)+\|?$")
"""The line below the header of a table."""


MARKS = frozenset("`~#=-*+•|>0123456789")
"""What lines begin with that are more than text."""


class Line(NamedTuple):
    """What a line is: "blank", "heading", "fence", "code", "item", "header", "row", "break" or "text".

    `level` is a heading's, from 1; of an item the columns it is indented by. A "break" belongs to nothing:
    an underline, a table's rule, front matter. The fence that closes is a "code" line.
    """

    sort: str
    level: int = 0


BLANK, CODE, BREAK, TEXT = Line("blank"), Line("code"), Line("break"), Line("text")


def read_lines(own: Sequence[str]) -> list[Line]:
    """What each line is. The lines have no ends."""
    found: list[Line] = []
    fence = ""
    for number, body in enumerate(own):
        if fence:
            found.append(CODE)
            mark = FENCE.match(body)
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif body.lstrip()[:1] not in MARKS and "|" not in body:
            found.append(TEXT if body else BLANK)
        elif mark := FENCE.match(body):
            fence = mark[1]
            found.append(Line("fence"))
        else:
            found.append(_line(own, number, found))
    return found


def _line(own: Sequence[str], number: int, found: list[Line]) -> Line:
    """What a line outside of fences is; it may make a heading or a header of the one above."""
    body = own[number]
    above = found[-1] if found else BLANK
    if heading := HEADING.match(body):
        return Line("heading", len(heading[1]))
    if UNDERLINE.match(body):
        if above is TEXT and (number < 2 or found[-2] is BLANK) and len(own[number - 1]) <= 3 * len(body):
            found[-1] = Line("heading", 1 if "=" in body else 2)
        return BREAK
    if item := ITEM.match(body):
        return Line("item", len(item[1].expandtabs(4)))
    if "|" in body:
        if RULES.match(body) and above.sort in ("text", "row"):
            found[-1] = Line("header")
            return BREAK
        if (
            body.lstrip().startswith("|")
            or above.sort in ("row", "header")
            or (above is BREAK and found[-2:-1] == [Line("header")])
        ):
            return Line("row")
    return TEXT


WORDY = re.compile(r"(?:[^\W\d_]++[,;:.'’)\"”*`_]*+[ ]+[(\"'“*`_]*+){3}|[^\x00-\u1fff]{6}")
"""Words in a row as sentences have them, or letters of a script without blanks."""

ALIEN = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:|@@ -|\$ |>>> |.*[;{}]$"
    r"|(?:import|from|def|return|package|using|const|let|var)\s.*[\w)(:;{]$"
)
"""What logs, diffs, sessions and code have between what looks like headings and items."""


def is_markdown(own: Sequence[str], lines: Sequence[Line]) -> bool:
    """Whether enough of a text's lines are signs of Markdown, and what stands between them is language."""
    count = {
        sort: sum(1 for line in lines if line.sort == sort) for sort in ("heading", "fence", "item", "header")
    }
    solid = sum(1 for line in lines if line.sort not in ("blank", "code"))
    signs = sum(count.values())
    if count["heading"] + min(count["fence"], 1) < 1 or signs < 2 or (count["heading"] < 2 and signs < 4):
        return False
    spoken = [body for body, line in zip(own, lines, strict=True) if line.sort in ("text", "item")]
    wordy = sum(len(body) for body in spoken if WORDY.search(body, 0, 400))
    alien = sum(1 for body, line in zip(own, lines, strict=True) if line is TEXT and ALIEN.match(body.strip()))
    return 2 * count["heading"] <= solid + 4 and 2 * wordy >= sum(map(len, spoken)) and 10 * alien <= solid
