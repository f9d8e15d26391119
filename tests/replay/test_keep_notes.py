"""An agent that says what it keeps: the more it names the more stays in sight, for much less."""

from __future__ import annotations

import pytest
from tests.replay.recorded import results, rounds, segment, words

from trimtab.replay.atoms import needs
from trimtab.replay.baselines import KEEP_ALL
from trimtab.replay.keep_notes import KeepNotes
from trimtab.replay.play import Played, play
from trimtab.replay.rows import Options

NAMES = [f"total_of_{n}_rows" for n in range(12)]
STEPS = [
    ({"path": f"src/{n}.py"}, "\n".join([words(150, f"a{n}"), f"{name} = 1", words(150, f"b{n}")]))
    for n, name in enumerate(NAMES)
]
USES = [({"grep": name}, "found it") for name in NAMES]
TALK = segment(rounds(*STEPS, *USES))


def played(coverage: float) -> Played:
    return play(KeepNotes("default", coverage), TALK, needs(TALK))


def test_what_is_named_stays_and_the_rest_comes_back_by_its_handle() -> None:
    shares = [played(coverage).figures for coverage in (0.0, 0.5, 1.0)]
    visible = [one.literal.visible for one in shares]
    assert visible[0] < visible[1] < visible[2] == shares[2].literal.atoms
    assert all(one.literal.recoverable == one.literal.atoms for one in shares)


def test_it_costs_less_though_the_agent_writes_more() -> None:
    kept, noted = play(KEEP_ALL, TALK, needs(TALK)).figures, played(1.0).figures
    assert noted.dollars < kept.dollars
    assert noted.asked == pytest.approx(len(STEPS) * 25 * 25 / 1e6)
    assert noted.folds == len(STEPS)


def test_small_results_get_no_notes() -> None:
    small = segment(rounds(*USES))
    assert play(KeepNotes("default", 0.5), small, needs(small)).figures.asked == 0


def test_each_preset_is_replayed_with_each_share() -> None:
    found = results(rounds(*STEPS[:2]), keep_notes=(0.5, 0.9))
    assert found.names[-2:] == ["default, keep notes 50%", "default, keep notes 90%"]
    assert all(name in found.rows[0].policies for name in found.names)
    assert Options(keep_notes=(0.5,)).policies()[-1].knows_future
