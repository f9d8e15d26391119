"""Whether an excerpt and the gaps it names are the whole text."""

from __future__ import annotations

import re
from itertools import accumulate

from tests.cases.transcripts import MARKER, Sent, texts

from trimtab.selection import rows

LINES = r"(?P<first>\d+)(?:-(?P<last>\d+))? · (?P<lines>[\d,]+) lines?"
GAP = re.compile(
    rf"\[…{LINES}\]\n|\[…(?P<characters>[\d,]+) characters\]|\[…\$[^\n]*? · (?P<items>[\d,]+) items?\]"
)
END = re.compile(
    rf"\[trimtab: (?:{LINES}; )?excerpt of (?P<all>[\d,]+) lines?(?: \([^\n]*\))?: trimtab recall [^\]]*\]"
)
NOTHING = re.compile(r"\[trimtab: (?P<all>[\d,]+) lines?(?: \([^\n]*\))? cut, not shown: trimtab recall [^\]]*\]")


def adds_up(before: str, sent: Sent) -> list[str]:
    """The shown pieces, after a check that they and the gaps are the whole, and that the handle brings it back."""
    after = texts(sent.payload)[0]
    handle = MARKER.findall(after)[-1]
    assert sent.compactor.recall(handle, whole=True).text == before
    return pieces(before, after)


def pieces(before: str, after: str) -> list[str]:
    """The shown pieces of an excerpt; AssertionError when they and the gaps are not the whole text."""
    starts = list(accumulate(map(len, rows(before)), initial=0))
    if (nothing := NOTHING.fullmatch(after)) is not None:
        assert number(nothing, "all") == len(starts) - 1
        return []
    end = END.search(after, after.rfind("[trimtab: "))
    assert end is not None, after
    assert end.end() == len(after), after
    assert number(end, "all") == len(starts) - 1
    found, place, done = list[str](), 0, 0
    for gap in GAP.finditer(after, 0, end.start()):
        place = shown(before, place, after[done : gap.start()], found)
        place = beyond(before, place, gap, starts, after)
        done = gap.end()
    last = after[done : end.start()]
    place = shown(before, place, last if before.startswith(last, place) else last.removesuffix("\n"), found)
    if end["first"]:
        assert starts[number(end, "first") - 1] <= place
        assert number(end, "last") or number(end, "first") == len(starts) - 1
    else:
        assert place == len(before), before[place:]
    return found


def shown(before: str, place: int, piece: str, found: list[str]) -> int:
    assert before.startswith(piece, place), (piece, before[place : place + len(piece)])
    if piece:
        found.append(piece)
    return place + len(piece)


def beyond(before: str, place: int, gap: re.Match[str], starts: list[int], after: str) -> int:
    """Where the text goes on after a gap."""
    if gap["first"]:
        first = number(gap, "first")
        last = number(gap, "last") or first
        assert starts[first - 1] == place
        assert number(gap, "lines") == last - first + 1
        return starts[last]
    if gap["characters"]:
        return place + number(gap, "characters")
    following = GAP.search(after, gap.end()) or END.search(after, gap.end())
    assert following is not None, after
    return before.index(after[gap.end() : following.start()].removesuffix("\n"), place)


def number(match: re.Match[str], name: str) -> int:
    return int(match[name].replace(",", "")) if match[name] else 0
