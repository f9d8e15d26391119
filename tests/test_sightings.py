"""Where a text in a request comes from."""

from __future__ import annotations

import json

import pytest
from tests.noted import with_note

from trimtab import Compactor, ConfigError, Sight, where
from trimtab.testing import conversation, exchange, lines, memory_store

FILE = "".join(f"row_{n} = {n * 7919 % 1000}\n" for n in range(300))


def folded(fact: str = "", budget: int = 1_500) -> tuple[Compactor, object]:
    messages = [{"role": "user", "content": "Look at row_5."}, *exchange("anthropic", "f", "rows.toml", FILE)]
    for n in range(4):
        messages += exchange("anthropic", f"c{n}", f"{n}.py", lines(500, f"part {n}"))
    compactor = Compactor(store=memory_store(), budget=budget, facts=[fact] if fact else [])
    return compactor, compactor.compact(messages, at=1_000.0).payload


def test_a_text_as_it_was_given() -> None:
    compactor, sent = folded()
    (one,) = where("Look at", sent, compactor)
    assert (one.sight, one.message, one.original, one.part, one.role) == (Sight.GIVEN, 0, 0, 0, "user")
    assert (one.line, one.times, one.text, one.handle) == (1, 1, "Look at row_5.", "")


@pytest.mark.parametrize("number", [3, 137, 299])
def test_a_line_of_an_excerpt_has_its_true_number(number: int) -> None:
    line = f"row_{number} = {number * 7919 % 1000}"
    compactor, sent = folded(f"{line}\n"[:-1])
    (one,) = [one for one in where(line, sent, compactor) if one.message == 2]
    assert (one.sight, one.line, one.what) == (Sight.EXCERPT, number + 1, 'read {"path":"rows.toml"}')
    assert compactor.recall(one.handle, lines=str(one.line)).text.strip() == one.text == line


def test_what_only_a_stored_original_holds() -> None:
    compactor, sent = folded()
    (one,) = where("row_137 ", sent, compactor)
    assert (one.sight, one.message, one.original, one.line, one.at) == (Sight.STORED, 2, 2, 138, 1_000.0)
    assert compactor.recall(one.handle, lines="138").text.startswith("row_137 ")


def test_a_marker_is_trimtabs_own() -> None:
    compactor, sent = folded()
    found = where("trimtab recall", sent, compactor)
    assert {one.sight for one in found} == {Sight.MARKER}
    assert all(one.line == 0 and one.handle in one.text for one in found)


def test_patterns_and_how_often() -> None:
    compactor, sent = folded()
    assert where("re:part 3 line \\d+:", sent, compactor)[-1].times > 1
    with pytest.raises(ConfigError):
        where("re:(", sent)


def test_a_note_and_what_it_stands_for() -> None:
    payload = conversation(exchanges=4)
    compactor, result = with_note(payload)
    (note,) = where("Files were read", result.payload, compactor)
    assert (note.sight, note.message, note.line, note.original) == (Sight.NOTE, 1, 0, -1)
    (stored,) = where("part 1 line 3: ", result.payload, compactor)
    assert (stored.sight, stored.message, stored.original, stored.line) == (Sight.STORED, -1, 4, 4)
    assert stored.handle == note.handle
    (after,) = where("part 2 line 3: ", result.payload, compactor)
    assert (after.sight, after.message, after.original) == (Sight.GIVEN, 3, 6)


def test_a_text_in_arguments_reads_there_as_json() -> None:
    messages = [{"role": "user", "content": "Go."}, *exchange("openai_chat", "c", 'say \\"hi\\"', "ok")]
    (one,) = where('say "hi"', messages)
    assert (one.sight, one.message, one.role, one.line) == (Sight.GIVEN, 1, "assistant", 1)


def test_system_texts_and_times_that_the_caller_knows() -> None:
    payload = {"system": "Be brief about rows.", **conversation(exchanges=2)}
    (system,) = where("Be brief", payload)
    assert (system.sight, system.message, system.role) == (Sight.GIVEN, -1, "system")
    (one,) = where("part 1 line 3: ", payload, times=[1.0, 2.0, 3.0, 4.0, 5.0])
    assert one.at == 5.0
    (late,) = where("part 1 line 3: ", payload, times=[1.0])
    assert late.at is None


def test_bytes_and_a_text_that_is_nowhere() -> None:
    payload = json.dumps(conversation(exchanges=1)).encode()
    assert where("part 0 line 3: ", payload)
    assert not where("nowhere", payload)
    long = [{"role": "user", "content": "x" * 5_000 + " here " + "y" * 5_000}]
    (one,) = where("here", long)
    assert " here " in one.text
    assert len(one.text) < 400
