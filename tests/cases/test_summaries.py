"""Reported bugs about what a summary keeps, loses and makes up."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.cases.summing import DONE, FAILED, IDS, OLD_TURNS, SUMS_UP, Writer, noted, presets, under, work
from tests.cases.transcripts import (
    Call,
    Step,
    calls,
    log,
    request,
    results,
    says,
    strings,
    user,
    wires,
)

import trimtab
from trimtab.edits import Ask
from trimtab.testing import memory_store, note_of


@wires
@presets
def test_SUM_01_identifiers_that_the_model_altered_or_dropped_are_there(wire: str, preset: Any) -> None:
    shown = "".join(f"item {number}: {one}\n" for number, one in enumerate(IDS))
    wrong = IDS[1].replace("c0ffee", "c0ffef")
    told = [f"item {n}: {one}" for n, one in enumerate([IDS[0], wrong, *IDS[4:]])]
    look: list[Step] = [user("Look at the items."), calls(Call("i", "show", {})), results(("i", shown))]
    writer = Writer(*[note_of(*told)] * 3)
    sent, note = noted(wire, *look, says("Seen."), writer=writer, preset=preset, facts=IDS)
    assert note
    assert [one for one in IDS if one not in "\n".join(strings(sent.payload))] == []
    assert wrong not in note
    assert "note-corrected" in {one.rule for one in sent.result.report.refused}


@wires
def test_SUM_02_paths_and_commands_with_what_they_gave_are_in_the_note(wire: str) -> None:
    steps: list[Step] = [user("Measure it.")]
    for number in range(20):
        made = [Call(f"r{number}", "read", {"path": f"src/mod{number}.py"})]
        made += [Call(f"b{number}", "bash", {"command": f"make bench-{number}"})]
        gave = (f"b{number}", f"took {number * 37 + 11} ms" if number % 5 else "error: exit code 2")
        steps += [calls(*made), results((f"r{number}", log(20, f"mod {number}")), gave)]
    sent, note = noted(wire, *steps, says("Measured."))
    listed = [n for n in range(20) if f"src/mod{n}.py: read t:" in note]
    assert listed == [*range(20 - len(listed), 20)]
    assert len(listed) >= 8
    assert "(earlier ones are left out)" in note
    whole = sent.compactor.recall(re.findall(r"note (t:[0-9a-f]{16}) begins", note)[0]).text
    assert [n for n in range(20) if f"src/mod{n}.py" not in whole] == []
    assert [n for n in range(20) if n % 5 and f"bash: make bench-{n} → took {n * 37 + 11} ms" not in note] == []
    assert [n for n in range(0, 20, 5) if f"bash: make bench-{n} → failed: error: exit code 2" not in note] == []
    handle = re.findall(r"src/mod17\.py: read (t:[0-9a-f]{16})", note)[0]
    assert "mod 17 7:" in sent.compactor.recall(handle).text


def rolled(
    wire: str, writer: Any, marks: list[str], feeds_back: bool, folds: int = 2, **options: Any
) -> tuple[str, str]:
    """A conversation that grows and is compacted again and again: what goes out at last, and its note."""
    compactor = trimtab.Compactor(
        preset=options.pop("preset", OLD_TURNS),
        store=memory_store(),
        writer=writer,
        config={"window": 2_500},
        **options,
    )
    sent: list[Any] = []
    given: list[Any] = []
    for fold in range(folds):
        new = [step for mark in marks[fold::folds] for step in (user(mark), says("Noted."))]
        grown = request(wire, *new, *work(fold * 6), user(f"And now, {fold}?"))["messages"]
        payload = {**request(wire, user("x")), "messages": [*(sent if feeds_back else given), *grown]}
        result = compactor.compact(payload)
        assert result.report.outcome == "applied"
        closing = request(wire, says(f"Well, {fold}."))["messages"]
        given += [*grown, *closing]
        sent = [*result.payload["messages"], *closing]
    shown = list(strings(sent))
    return "\n".join(shown), next(text for text in shown if text.startswith("[trimtab: note"))


@wires
@pytest.mark.parametrize("feeds_back", [True, False])
def test_SUM_07_all_that_was_said_is_told_to_a_writer_or_stands(wire: str, feeds_back: bool) -> None:
    marks, writer = [f"Remember mark F{number}." for number in range(1, 9)], Writer()
    shown, _ = rolled(wire, writer, marks, feeds_back)
    assert [one for one in marks if one not in f"{writer.prompts}\n{shown}"] == []
    assert [one for one in marks if one not in shown] == []


@wires
def test_SUM_08_the_note_before_is_told_to_the_writer_of_the_next(wire: str) -> None:
    """By itself, by force, and by another preset: one way, and the earlier note goes in."""
    compactor = trimtab.Compactor(
        preset=OLD_TURNS, store=memory_store(), config={"window": 2_500}, writer=(first := Writer())
    )
    first.answers = [note_of("Part 3 is the slow one.")]
    given = request(wire, *work(), user("And now?"))
    sent = compactor.compact(given).payload
    more = {
        **sent,
        "messages": [*sent["messages"], *request(wire, says("Well."), *work(6), user("Then?"))["messages"]],
    }
    compactor.compact(more, force=True)
    assert "Part 3 is the slow one." in first.asked[-1].prompt
    other = Writer()
    trimtab.Compactor(preset=SUMS_UP, store=compactor.store, writer=other, config={}).compact(more, force=True)
    assert "Part 3 is the slow one." in other.prompts


class Forgets(Writer):
    """A model that keeps three of five lines of what it is told."""

    def __call__(self, ask: Ask) -> Any:
        self.asked.append(ask)
        lines = [line for line in ask.prompt.splitlines() if len(line) < 200 and not line.startswith("#")]
        return note_of(*[line for number, line in enumerate(lines) if number % 5 < 3][-12:])


@wires
@pytest.mark.parametrize("feeds_back", [True, False])
def test_SUM_09_what_the_user_said_first_outlives_five_folds(wire: str, feeds_back: bool) -> None:
    marks = ["The deploy code is KX-4417, the region eu-7.", *(f"Then do step {n}." for n in range(1, 5))]
    shown, note = rolled(wire, Forgets(), marks, feeds_back, folds=5, facts=["KX-4417"])
    assert marks[0] in note
    assert "KX-4417" in shown


@wires
@presets
def test_SUM_13_what_was_sent_is_told_as_executed_and_not_as_next(wire: str, preset: Any) -> None:
    send = Call("s", "send_message", {"to": "team-x", "text": "the weekly update"})
    steps: list[Step] = [
        user("Send the update to team-x."),
        calls(send),
        results(("s", "sent id 991")),
        says("Sent."),
    ]
    lie = "## Facts found\n- Part 3 was looked at.\n## Next step\n- Send the update to team-x\n"
    sent, note = noted(wire, *steps, *work(10, 12), writer=Writer(*[lie] * 6), preset=preset)
    assert "send_message: to=team-x, text=the weekly update → sent id 991" in under(note, DONE)
    assert "Send the update" not in under(note, "Next step")
    assert sent.result.report.outcome == "applied"


@wires
def test_SUM_14_what_was_only_announced_is_not_done(wire: str) -> None:
    edit = Call("e", "edit", {"path": "a.py", "old": "x", "new": "y"})
    steps: list[Step] = [
        user("Edit a.py and b.py."),
        says("I will now edit a.py, b.py."),
        calls(edit),
        results(("e", "ok")),
    ]
    lie = "## Facts found\n- Part 3 was looked at.\n## Done\n- Edited a.py\n- Edited b.py\n"
    _, note = noted(wire, *steps, says("Interrupted."), writer=Writer(lie))
    assert "edit: path=a.py" in under(note, DONE)
    assert "b.py" not in under(note, DONE)
    assert "Edited b.py" not in note


@wires
@presets
def test_SUM_19_what_failed_is_told_with_its_reason(wire: str, preset: Any) -> None:
    pip = Call("p", "bash", {"command": "pip install x"})
    uv = Call("u", "bash", {"command": "uv add x"})
    steps: list[Step] = [
        user("Install x."),
        calls(pip),
        results(("p", "error: needs py3.12")),
        calls(uv),
        results(("u", "added")),
    ]
    _, note = noted(wire, *steps, says("Installed."), preset=preset)
    assert "bash: pip install x → failed: error: needs py3.12" in under(note, FAILED)
    assert "uv add x" not in under(note, FAILED)
    assert "uv add x" in under(note, DONE)


@wires
@presets
def test_SUM_22_what_was_started_and_goes_on_is_told(wire: str, preset: Any) -> None:
    start = [Call(f"j{n}", "run_job", {"name": f"job{n}"}) for n in (77, 78)]
    steps: list[Step] = [
        user("Start both."),
        calls(*start),
        results(("j77", "started job bg-77"), ("j78", "started job bg-78")),
        calls(Call("k", "job_status", {"id": "bg-78"})),
        results(("k", "job bg-78 finished")),
        says("One goes on."),
    ]
    _, note = noted(wire, *steps, preset=preset)
    told = under(note, "Started and not seen to end")
    assert "bg-77" in told
    assert "bg-78" not in told


@wires
@presets
def test_SUM_23_the_folder_the_work_went_on_in_is_told(wire: str, preset: Any) -> None:
    steps: list[Step] = [
        user("From now on use /w/new."),
        calls(Call("c", "bash", {"command": "cd /w/new && make setup"})),
        results(("c", "set up")),
        says("Moved."),
    ]
    _, note = noted(wire, *steps, preset=preset)
    assert "working directory: /w/new" in under(note, "State")
    assert "From now on use /w/new." in under(note, "The user's words")
