"""Whether a shortened text and the gaps it names are the whole text."""

from __future__ import annotations

import re
from itertools import accumulate

from tests.cases.transcripts import CHARACTER_GAP, LINE_GAP, MARKER, Sent, texts

from trimtab.selection import rows


def adds_up(before: str, sent: Sent) -> list[str]:
    """The shown pieces, after a check that they and the gaps are the whole, and that each gap comes back."""
    after = texts(sent.payload)[0]
    starts = list(accumulate(map(len, rows(before)), initial=0))
    for gap in LINE_GAP.finditer(after):
        first, last, count, tokens = numbers(gap)
        cut = before[starts[first - 1] : starts[last]]
        assert (count, tokens) == (last - first + 1, sent.compactor.counter.count([cut])[0])
        assert sent.compactor.recall(MARKER.findall(gap[0])[0], lines=f"{first}-{last}").text == cut
    pieces = aligned(before, after, starts)
    assert pieces is not None, after
    return pieces


def aligned(before: str, after: str, starts: list[int], at: int = 0) -> list[str] | None:
    """The pieces of `after` if, with its gaps filled, it is `before` from `at` on."""
    gap = re.search(f"{LINE_GAP.pattern}|{CHARACTER_GAP.pattern}", after)
    if gap is None:
        return [after] if before[at:] == after else None
    piece, (first, last, *_, characters) = after[: gap.start()], numbers(gap)
    for shown in (piece,) if first else (piece, piece.removesuffix("\n")):
        stop = at + len(shown)
        if before.startswith(shown, at) and (not first or starts[first - 1] == stop):
            rest = aligned(before, after[gap.end() :], starts, starts[last] if first else stop + characters)
            if rest is not None:
                return [shown, *rest]
    return None


def numbers(gap: re.Match[str]) -> list[int]:
    return [int(one.replace(",", "")) if one else 0 for one in gap.groups()]
