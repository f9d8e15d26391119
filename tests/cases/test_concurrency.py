"""Reported bugs about what happens at the same time: nothing is lost, doubled or mixed up."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from itertools import count
from threading import Barrier, BrokenBarrierError, Event
from time import sleep
from typing import Any

import pytest
from tests.cases.transcripts import (
    Step,
    broken,
    calls,
    encoded,
    forms,
    handles,
    log,
    request,
    results,
    says,
    strings,
    user,
    wires,
)

import trimtab
from trimtab.edits import Ask, Replace
from trimtab.passes import FoldResults, View
from trimtab.presets.summarization import Summarization
from trimtab.testing import Scripted, memory_store, note_of
from trimtab.transcript import ToolResult

FOLD: dict[str, Any] = {"protect_results": 0, "window": 2_500}
SUMS_UP = Summarization(tokens=900, keep=2)


def work(exchanges: int = 8) -> list[Step]:
    return [
        step
        for number in range(exchanges)
        for step in (calls((f"c{number}", f"{number}.py")), results((f"c{number}", log(40, f"part {number}"))))
    ]


def made(wire: str) -> dict[str, Any]:
    return request(wire, user("Mend it."), *work(), says("done"), user("and now?"), system="Be brief.")


@wires
@pytest.mark.parametrize("form", ["dict", "list"])
def test_CONC_01_what_is_appended_meanwhile_is_not_lost(wire: str, form: str) -> None:
    """The caller's list grows in the middle of the fold: what was read is answered, the rest is there next."""
    given = made(wire)
    late = request(wire, says("ok"), user("late"))["messages"]
    messages = given["messages"]
    before = deepcopy(messages)
    payload = messages if form == "list" else given

    def propose(view: View) -> Any:
        if late and len(messages) == len(before):
            messages.extend(late)
        for at in view.open:
            part = view.original(at)
            if isinstance(part, ToolResult):
                yield Replace(at, ToolResult(part.call_id, f"cut, {view.handle(at)}"), "as asked")

    compactor = trimtab.Compactor(store="memory:", passes=[Scripted(propose)], config=FOLD, model="gpt-4o")
    first = compactor.compact(payload)
    sent = first.payload if form == "list" else first.payload["messages"]
    assert first.changed
    assert messages == [*before, *late]
    assert sent[len(before) :] in ([], late)
    assert compactor.undo(first.payload) in (
        [before, messages] if form == "list" else [{**given, "messages": before}, given]
    )
    second = compactor.compact(payload)
    after = second.payload if form == "list" else second.payload["messages"]
    assert after == [*sent[: len(before)], *late]


@wires
@forms
@pytest.mark.parametrize("stores", ["one compactor", "one store"])
def test_CONC_02_calls_at_once_agree_and_leave_one_note(wire: str, form: str, stores: str) -> None:
    """Each thread's model writes another note, all at the same time: one is on record and everybody sends it."""
    together, store, numbers = Barrier(5, timeout=2), memory_store(), count()

    def write(ask: Ask) -> str:
        with suppress(BrokenBarrierError):  # fewer than five may be asked
            together.wait()
        return note_of(f"Looked{' again' * next(numbers)}.")

    given = made(wire)
    payload = encoded(given) if form == "bytes" else given
    one = [
        trimtab.Compactor(store=store, preset=SUMS_UP, config={}, writer=write)
        for _ in range(1 if stores == "one compactor" else 5)
    ]
    with ThreadPoolExecutor(5) as pool:
        found = list(pool.map(lambda n: one[n % len(one)].compact(payload), range(5)))
    assert {result.report.outcome for result in found} <= {"applied", "standing"}
    assert all(result.payload == found[0].payload for result in found)
    notes = [text for text in strings(opened(found[0].payload)) if "Looked" in text]
    assert len(notes) == 1
    cuts = [cut for entry in one[0].explain(payload) for cut in entry.cuts]
    assert [cut.text for cut in cuts] == notes


@wires
@forms
@pytest.mark.parametrize("fails", [False, True])
def test_CONC_02_one_compactor_asks_the_model_once_however_many_call(wire: str, form: str, fails: bool) -> None:
    """A call that waits finds the note on record, or that there is none: the next request asks again."""
    asked = list[Ask]()

    def write(ask: Ask) -> str:
        asked.append(ask)
        sleep(0.1)
        if fails and len(asked) == 1:
            raise OSError("no route")
        return note_of("Read all of it.")

    given = made(wire)
    payload = encoded(given) if form == "bytes" else given
    one = trimtab.Compactor(store="memory:", preset=SUMS_UP, config={}, writer=write)
    with ThreadPoolExecutor(5) as pool:
        found = list(pool.map(lambda _: one.compact(payload), range(5)))
    assert len(asked) == 1
    assert all(result.payload == found[0].payload for result in found)
    assert ("Read all of it." in str(found[0].payload)) is not fails


def test_CONC_02_other_conversations_do_not_wait() -> None:
    free, busy = Event(), Event()

    def write(ask: Ask) -> str:
        if "first task" in ask.prompt:
            busy.set()
            assert free.wait(30)
        return note_of("Read.")

    one = trimtab.Compactor(store="memory:", preset=SUMS_UP, config={}, writer=write)
    slow, quick = (made("openai_chat") for _ in range(2))
    slow["messages"][0] = {"role": "user", "content": "first task"}
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(one.compact, slow)
        assert busy.wait(30)
        assert one.compact(quick).changed
        free.set()
        assert waiting.result().changed


def opened(payload: Any) -> Any:
    return json.loads(payload) if isinstance(payload, bytes) else payload


@wires
@forms
def test_CONC_05_a_cancelled_call_leaves_everything_as_it_was(wire: str, form: str) -> None:
    """Cancelled while the model writes: the caller's request is untouched, and the next call goes through."""
    asked, free = Event(), Event()

    def write(ask: Ask) -> str:
        asked.set()
        assert free.wait(30)
        return note_of("written")

    given = made(wire)
    kept, payload = deepcopy(given), encoded(given) if form == "bytes" else given
    compactor = trimtab.Compactor(store="memory:", preset=SUMS_UP, config={}, writer=write)

    async def cancelled() -> None:
        call = asyncio.create_task(compactor.acompact(payload))
        assert await asyncio.to_thread(asked.wait, 30)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert given == kept
        other = await compactor.acompact(request(wire, user("another session")))
        assert other.report.outcome == "nothing"
        free.set()
        result = await compactor.acompact(payload)
        assert result.report.outcome in ("applied", "standing")
        assert broken(opened(result.payload)) == set()
        assert opened(compactor.undo(result.payload)) == kept

    asyncio.run(cancelled())
    assert given == kept


@wires
@forms
def test_CONC_07_what_was_awaited_is_done_and_on_record(wire: str, form: str) -> None:
    """The answer is the finished request; what nobody awaited has not begun."""
    given = made(wire)
    payload = encoded(given) if form == "bytes" else given
    compactor = trimtab.Compactor(store="memory:", passes=[FoldResults()], config=FOLD)

    async def awaited() -> trimtab.Result:
        idle = compactor.acompact(payload)
        await asyncio.sleep(0)
        assert compactor.explain(payload) == []
        idle.close()
        return await compactor.acompact(payload)

    result = asyncio.run(awaited())
    assert result.report.outcome == "applied"
    recorded = [record.handle for entry in compactor.explain(payload) for record in entry.records]
    assert set(recorded) == set(handles(opened(result.payload)))
    assert compactor.compact(payload).payload == result.payload


@wires
@forms
def test_DEDUP_10_conversations_with_one_system_prompt_do_not_share_state(wire: str, form: str) -> None:
    """Two users, the same system prompt, tools, first call and ids; interleaved they get what they get alone."""
    sessions = [
        request(
            wire,
            user(f"Mend it, {who}."),
            *work(),
            says(f"done, {who}"),
            user("next"),
            system="Be brief.",
        )
        for who in ("Ann", "Bob")
    ]
    alone = [steps(trimtab.Compactor(store="memory:", config=FOLD), one, form) for one in sessions]
    shared = trimtab.Compactor(store="memory:", config=FOLD)
    ends = ends_of(sessions[0])
    mixed: list[list[Any]] = [[], []]
    for end in ends:
        for number, one in enumerate(sessions):
            mixed[number].append(sent(shared, one, end, form))
    assert mixed == alone
    ours, theirs = (set(handles(found[-1])) for found in mixed)
    assert ours
    assert not ours & theirs
    for number, who in enumerate(("Ann", "Bob")):
        said = [text for text in strings(mixed[number][-1]) if text.startswith("Mend it")]
        assert said == [f"Mend it, {who}."]
        for handle in ours if number else theirs:
            with pytest.raises(trimtab.HandleError):
                shared.recall(handle, payload=sessions[number])


def ends_of(given: dict[str, Any]) -> list[int]:
    messages = given["messages"]
    return [n for n in range(1, len(messages) + 1) if n == len(messages) or messages[n]["role"] == "assistant"]


def sent(compactor: trimtab.Compactor, given: dict[str, Any], end: int, form: str) -> Any:
    payload = {**given, "messages": given["messages"][:end]}
    return opened(compactor.compact(encoded(payload) if form == "bytes" else payload).payload)


def steps(compactor: trimtab.Compactor, given: dict[str, Any], form: str) -> list[Any]:
    return [sent(compactor, given, end, form) for end in ends_of(given)]
