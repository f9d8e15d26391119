"""What a policy sends: sizes add up, notes take the place of messages, and what is shown is found."""

from __future__ import annotations

from hypothesis import given, strategies as st
from tests.replay.recorded import rounds, segment, words

from trimtab.replay.atoms import needs
from trimtab.replay.baselines.evicting_oracle import EvictingOracle
from trimtab.replay.baselines.writing_oracle import WritingOracle
from trimtab.replay.future import Future
from trimtab.replay.play import play
from trimtab.replay.sent import Change, Noted, Sent, Shown

TALK = segment(rounds(*(({"path": f"src/f{n}.py"}, words(20, f"f{n}")) for n in range(6))))
MESSAGES, PARTS = len(TALK.messages), len(TALK.parts)


@st.composite
def changes(draw: st.DrawFn) -> list[Change]:
    made: list[Change] = []
    for number in range(draw(st.integers(1, 8))):
        if draw(st.booleans()):
            made.append(Shown(draw(st.integers(0, PARTS - 1)), f"rendition {number}", draw(st.integers(0, 40))))
        else:
            first = draw(st.integers(0, MESSAGES - 1))
            text = draw(st.sampled_from(["", f"note {number}"]))
            last = draw(st.integers(first, MESSAGES - 1))
            made.append(Noted(first, last, text, draw(st.integers(4, 40)) if text else 0))
    return made


@given(st.lists(changes(), max_size=4))
def test_the_total_is_the_sum_of_the_blocks(steps: list[list[Change]]) -> None:
    sent = Sent(TALK)
    sent.arrive(MESSAGES)
    for step in steps:
        before = sent.blocks()
        first = sent.change(step)
        assert sent.total == sum(block.tokens for block in sent.blocks())
        if first is not None and len(before) == MESSAGES + 1:
            assert sent.blocks()[: first + 1] == before[: first + 1]


def test_what_arrives_twice_counts_once() -> None:
    sent = Sent(TALK)
    sent.arrive(5)
    sent.arrive(3)
    sent.arrive(5)
    assert sent.total == TALK.frame + sum(map(TALK.tokens, range(5)))


def test_a_part_is_shown_whole_in_its_rendition_or_in_a_note() -> None:
    sent = Sent(TALK)
    sent.arrive(MESSAGES)
    assert sent.shows("f0", [2])
    assert sent.change([Shown(2, "only f0 here", 4)]) == TALK.message_of[2]
    assert sent.shows("f0", [2])
    assert sent.change([Shown(2, "nothing", 2)]) == TALK.message_of[2]
    assert not sent.shows("f0", [2])
    assert sent.shows("f0", [2, 3])
    assert sent.change([Noted(1, 4, "the files f0 to f1", 9, True)]) == 1
    assert sent.shows("f0", [2])
    assert sent.gone(4)
    assert not sent.gone(5)
    assert sent.message_tokens(2) == 0
    assert len(sent.blocks()) == 1 + MESSAGES - 3


def test_a_later_edit_in_a_note_brings_nothing_back() -> None:
    sent = Sent(TALK)
    sent.arrive(MESSAGES)
    sent.change([Noted(1, 4, "", 0)])
    total = sent.total
    assert sent.change([Shown(2, "longer than before", 500)]) is None
    assert sent.total == total


USED = segment(
    rounds(
        ({"path": "src/a.py"}, f"{words(900, 'a')}\ndef total_of_rows():\n{words(900, 'b')}"),
        ({"path": "src/b.py"}, words(900, "c")),
        ({"path": "src/c.py"}, words(900, "d")),
        ({"grep": "total_of_rows"}, words(900, "e")),
        ({"path": "src/d.py"}, words(900, "f")),
    )
)


def test_the_future_knows_the_lines_that_will_be_used() -> None:
    wanted = needs(USED)
    future = Future(USED, wanted)
    result = USED.results[0]
    text, size = future.kept(result, 1)
    assert text == "def total_of_rows():"
    assert 0 < size < 40
    assert future.used(result, 3)
    assert not future.used(result, 4)
    assert future.kept(result, 4) == ("", 0)


def test_oracles_hide_nothing_that_is_used_and_cost_less() -> None:
    wanted = needs(USED)
    assert sum(map(len, wanted)) == 1
    for policy in (WritingOracle(), EvictingOracle(most=8_000, keep=2)):
        figures = play(policy, USED, wanted).figures
        assert figures.literal.visible == figures.literal.atoms == 1
        assert (
            figures.input < sum(USED.frame + sum(map(USED.tokens, range(call.stop))) for call in USED.calls) * 0.7
        )


def test_the_meter_lets_go_when_the_rent_exceeds_the_price() -> None:
    steps = (({"path": f"src/f{n}.py", "note": words(300, f"n{n}")}, "ok") for n in range(20))
    one = segment(rounds(*steps))
    done = play(WritingOracle(), one, needs(one))
    assert done.figures.folds >= 2
    assert max(done.tokens) < one.last / 2
