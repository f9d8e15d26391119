"""Reported bugs about cuts inside characters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.cases.gaps import pieces
from tests.cases.transcripts import (
    Step,
    calls,
    compact,
    encoded,
    forms,
    request,
    results,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.passes import ShortenOutputs
from trimtab.stubs import clip, clip_start

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
MARKED = ["e\u0301", "नि", "❤\ufe0f", "👍🏽", "\u1112\u1161\u11ab"]
GRAPHEMES = [*MARKED, "🇩🇪", FAMILY, SCOTLAND, "\r\n", "한", "𠀀", "x"]


def read_all(given: Sequence[str]) -> list[Step]:
    """One exchange with these results."""
    names = [f"c{number}" for number in range(len(given))]
    return [calls(*((one, "a") for one in names)), results(*zip(names, given, strict=True))]


def shortened(wire: str, form: str, given: Sequence[str], keep: int = 40) -> list[str]:
    """Results of these texts, shortened to `keep` tokens each."""
    options: dict[str, Any] = {"passes": [ShortenOutputs(keep=keep)], "protect_results": 0}
    sent = compact(
        request(wire, user("task"), *read_all(given), *read_all(["ok"])), form, force=True, target=1, **options
    )
    json.dumps(sent.payload, ensure_ascii=False).encode("utf-8")
    found = texts(sent.payload)[:-1]
    assert all(after != before for after, before in zip(found, given, strict=True))
    return found


def shown(before: str, after: str) -> list[str]:
    """The pieces of a text that an excerpt shows; with the gaps they are the whole."""
    found = pieces(before, after)
    assert found
    return found


@wires
@forms
@pytest.mark.parametrize("character", ["😀", "𠀀", "\u00e9", "\u3042"], ids=ascii)
def test_UNI_01_UNI_02_no_cut_is_inside_a_character(wire: str, form: str, character: str) -> None:
    given = ["a" * pad + f"{character}b" * 4_000 + "a" * (pad % 7) for pad in range(0, 60, 9)]
    for before, after in zip(given, shortened(wire, form, given, 1_300), strict=True):
        assert shown(before, after)[0].startswith("a" * (len(before) % 2))
        assert "\ufffd" not in after


@wires
def test_UNI_01_UNI_02_escaped_surrogates_come_out_in_pairs(wire: str) -> None:
    given = ["a" * pad + "\N{GRINNING FACE}b" * 4_000 for pad in range(0, 60, 9)]
    body = encoded(request(wire, user("task"), *read_all(given), *read_all(["ok"])))
    assert b"\\ud83d\\ude00b" in body
    passes = [ShortenOutputs(keep=1_300)]
    compactor = trimtab.Compactor(store="memory:", target=1, passes=passes, config={"protect_results": 0})
    payload = json.loads(compactor.compact(body, force=True).payload)
    json.dumps(payload, ensure_ascii=False).encode("utf-8")
    for before, after in zip(given, texts(payload), strict=False):
        assert shown(before, after)


def test_UNI_02_surrogates_in_a_str_are_not_parted() -> None:
    text = "\ud83d\ude00" * 40
    for limit in range(81):
        assert len(clip(text, limit)) == len(clip_start(text, limit)) == limit // 2 * 2


@pytest.mark.parametrize("grapheme", GRAPHEMES, ids=ascii)
def test_UNI_06_cuts_fall_between_graphemes(grapheme: str) -> None:
    text = grapheme * 30
    for limit in range(len(text) + 1):
        whole = limit // len(grapheme)
        assert clip(text, limit) == grapheme * whole
        assert clip_start(text, limit) == grapheme * whole


def test_UNI_06_a_grapheme_without_end_is_cut_all_the_same() -> None:
    text = "e" + "\u0301" * 10_000
    assert len(clip(text, 5_000)) == len(clip_start(text, 5_000)) == 5_000


@wires
@forms
@pytest.mark.parametrize("line", ["value {n} is set\n", "value {n} is set\r\n", f"{{n}} {FAMILY} 🇩🇪 e\u0301\r\n"])
def test_UNI_06_cuts_fall_on_lines_where_one_is_near(wire: str, form: str, line: str) -> None:
    given = ["a" * pad + "".join(line.format(n=n) for n in range(400)) for pad in range(30)]
    for before, after in zip(given, shortened(wire, form, given, 150), strict=True):
        lines = before.splitlines(keepends=True)
        for piece in shown(before, after):
            assert "".join(piece.splitlines(keepends=True)) == piece
            assert [line for line in piece.splitlines(keepends=True) if line not in lines] == []


@wires
@forms
@pytest.mark.parametrize("grapheme", ["e\u0301", FAMILY, "🇩🇪"], ids=ascii)
def test_UNI_06_a_single_line_is_cut_between_graphemes(wire: str, form: str, grapheme: str) -> None:
    given = ["a" * pad + grapheme * 1_500 + "b" * (pad % 5) for pad in range(0, 9, 2)]
    for before, after in zip(given, shortened(wire, form, given, 900), strict=True):
        for piece in shown(before, after):
            assert piece.strip("ab").replace(grapheme, "") == ""
            assert piece.count(grapheme) > 0
