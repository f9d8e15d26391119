from __future__ import annotations

from trimtab.sessions.base import Damage, Session
from trimtab.sessions.recording import REPEATS, Recording, Reply, Step


def recording(*steps: Step) -> Recording:
    return Recording(format="f", wire="anthropic", name="s", steps=list(steps))


def step(number: int, parent: int | None, answers: bool = False) -> Step:
    said = {"role": "assistant" if answers else "user", "content": str(number)}
    return Step(line=number, parent=parent, messages=[said], reply=Reply() if answers else None)


def said(session: Session) -> str:
    return "".join(message["content"] for message in session.messages)


def test_nothing_but_damage_is_a_session_that_tells_it() -> None:
    empty = recording()
    empty.damage.append(Damage(1, "x"))
    (only,) = empty.sessions()
    assert (only.messages, only.calls, only.damage, only.name) == ((), (), (Damage(1, "x"),), "s")


def test_an_answer_to_nothing_is_no_call() -> None:
    (only,) = recording(step(1, None, answers=True), step(2, 0, answers=True)).sessions()
    assert [call.stop for call in only.calls] == [1]


def test_each_call_belongs_to_one_branch() -> None:
    steps = [step(0, None), step(1, 0, answers=True), step(2, 1), step(3, 2, answers=True), step(4, 1)]
    main, fork = recording(*steps, step(5, 4, answers=True)).sessions()
    assert (said(main), said(fork)) == ("0145", "0123")
    assert [[call.stop for call in one.calls] for one in (main, fork)] == [[1, 3], [3]]
    assert fork.damage == ()


def test_forks_repeat_no_more_than_the_file_can_bear() -> None:
    """A long trunk with a fork for each of its steps would otherwise take the square of the file."""
    trunk = [step(number, number - 1 if number else None) for number in range(200)]
    forks = [step(200 + number, 199, answers=True) for number in range(200)]
    found = list(recording(*trunk, *forks).sessions())
    told = found[0].damage
    assert sum(len(one.messages) for one in found) <= (REPEATS + 2) * 400
    assert len(found) + len(told) == 200
    assert {one.text for one in told} == {"a fork is left out: too many share too much"}


def test_what_is_kept_beside_summaries_repeats_no_more_than_the_file_can_bear() -> None:
    steps = [step(number, number - 1 if number else None) for number in range(200)]
    steps += [Step(line=number, parent=number - 1, again=(None, number - 1)) for number in range(200, 400)]
    (only,) = recording(*steps).sessions()
    assert len(only.messages) <= (REPEATS + 1) * 400
    assert only.damage
    assert len(only.messages) > 400


def test_what_is_kept_of_another_branch_is_nothing() -> None:
    other = [step(0, None), step(1, 0), step(2, 1)]
    again = Step(line=9, parent=0, fresh=True, again=(1, 2))
    (only,) = recording(*other, again).sessions()
    assert said(only) == "0"
