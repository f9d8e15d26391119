"""What holds for an excerpt of any text: what is shown is the text, what is hidden is counted, room is kept."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.cases.gaps import GAP, pieces
from tests.excerpts.lawful import HOSTILE

from trimtab.excerpt import Excerpt, excerpts, sheet
from trimtab.facts import Fact, patterns
from trimtab.interest import Interest
from trimtab.tokens import counter_for
from trimtab.words import named, stems

HANDLE = "t:0123456789abcdef"

LINES = st.sampled_from(
    [
        "def settle(amount):\n",
        "    return amount * 2\n",
        "# 2025-02-24: was once, OPS-12\n",
        "cut_at = 'line'\n",
        "[section]\n",
        "2026-03-03T06:00:01Z INFO batch 12 done\n",
        "2026-03-03T06:00:02Z ERROR batch 13 failed\n",
        "src/a.py:12:    x = 1\n",
        "a,b,c\n",
        "1,2,3\n",
        "| a | b |\n",
        "## Heading\n",
        "Goods above two tons must never be moved alone.\n",
        '{"id": 1, "name": "x"}\n',
        "@@ -1,2 +1,2 @@\n",
        "+added\n",
        "\x1b[31mred\x1b[0m\n",
        "e\u0301 👨\u200d👩\u200d👧 \ud83d\ude00\n",
        "שלום 漢字\r\n",
        "\r",
        "\n",
        "x" * 900 + "\n",
        "[…3-9 · 7 lines]\n",
        "[trimtab: 9 lines cut, not shown: trimtab recall t:0000000000000000]\n",
    ]
)
TEXTS = st.lists(st.one_of(LINES, LINES, st.text(max_size=12)), min_size=1, max_size=60).map("".join)
INTERESTS = st.sampled_from(
    [
        Interest(),
        Interest(asked=dict.fromkeys(stems("which batch failed, and what moves the goods"), 1.0)),
        Interest(
            said=frozenset(named("settle cut_at OPS-12")), used=dict.fromkeys(named("settle( cut_at OPS-12"), ())
        ),
        Interest(facts=[Fact(pattern) for pattern in patterns(["re:batch 1[0-9]", "added"])]),
    ]
)


def count(text: str) -> int:
    return counter_for(None).count([text])[0]


def cut(texts: list[str], room: int, interest: Interest) -> list[Excerpt]:
    sheets = [sheet(text, count(text), interest) for text in texts]
    return excerpts(sheets, [HANDLE] * len(texts), room, count)


@given(text=TEXTS, room=st.integers(0, 400), interest=INTERESTS)
def test_what_is_shown_and_the_gaps_are_the_whole_text_in_its_order(
    text: str, room: int, interest: Interest
) -> None:
    [made] = cut([text], room, interest)
    if not GAP.search(text) and "[trimtab: " not in text:
        pieces(text, made.text)


@given(texts=st.lists(TEXTS, min_size=1, max_size=4), room=st.integers(0, 600), interest=INTERESTS)
def test_no_more_room_is_taken_than_there_is(texts: list[str], room: int, interest: Interest) -> None:
    bare = sum(one.tokens for one in cut(texts, 0, interest))
    made = cut(texts, room, interest)
    assert sum(one.tokens for one in made) == sum(count(one.text) for one in made) <= max(room, bare)


@given(lines=st.lists(LINES.filter(lambda line: len(line) < 100), min_size=80, max_size=120), interest=INTERESTS)
def test_the_room_is_used_where_there_is_more_to_show(lines: list[str], interest: Interest) -> None:
    text = "".join(lines)
    room = count(text) // 2
    [made] = cut([text], room, interest)
    assert made.tokens >= 0.85 * room


@given(texts=st.lists(TEXTS, min_size=1, max_size=3), room=st.integers(30, 400), interest=INTERESTS)
def test_the_same_is_shown_each_time(texts: list[str], room: int, interest: Interest) -> None:
    assert cut(texts, room, interest) == cut(texts, room, interest)


@given(text=TEXTS, room=st.integers(30, 400), interest=INTERESTS)
def test_no_gap_is_larger_than_what_it_hides(text: str, room: int, interest: Interest) -> None:
    if GAP.search(text) or "[trimtab: " in text:
        return
    [made] = cut([text], room, interest)
    gaps = [gap[0] for gap in GAP.finditer(made.text)]
    shown = pieces(text, made.text) if gaps else []
    place = 0 if made.text.startswith(gaps[0] if gaps else "\0") else len(shown.pop(0)) if gaps else 0
    for gap, piece in zip(gaps, shown, strict=False):
        beyond = text.index(piece, place + 1)
        assert beyond - place > 60 or count(text[place:beyond]) > count(gap)
        place = beyond + len(piece)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_texts_are_cut_like_others(text: str) -> None:
    interest = Interest(asked={"lone": 1.0, "red": 1.0}, said=frozenset({"a_b"}), used={"a_b": ()})
    [made] = cut([text], 200, interest)
    assert made.tokens <= 200
    pieces(text, made.text)
