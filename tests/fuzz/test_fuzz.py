"""Twenty seconds of fuzzing, always from the same inputs where CI runs it, and tests of what does it."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from pathlib import Path
from random import Random

import pytest
from tests.fuzz import driver, properties
from tests.fuzz.mutations import CHANGES, RAW, mutated
from tests.fuzz.seeds import BUILDERS, FILES, request

import trimtab
from trimtab import sessions
from trimtab.composition import composition
from trimtab.sessions.base import Session
from trimtab.sessions.claude_code import CLAUDE_CODE

SECONDS = 20
pytestmark = pytest.mark.skipif(not hasattr(signal, "alarm"), reason="no alarm signal here")


def test_twenty_seconds_without_a_finding(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("CRITICAL", logger="trimtab")
    first = 0 if os.environ.get("CI") else time.time_ns()
    count, found = driver.fuzz(SECONDS, first)
    paths = [driver.kept(one) for one in found]
    assert not found, "\n".join(f"{path}: {one.told}" for path, one in zip(paths, found, strict=True))
    assert count


def test_every_reader_has_a_seed_for_which_all_holds() -> None:
    assert {sessions.reader_of(file) for file in FILES} == set(sessions.READERS)
    for file in FILES:
        properties.hold(file)


def test_builders_make_requests_of_every_wire_that_are_valid() -> None:
    built = [request(Random(number)) for number in range(40)]
    valid = [one for one in built if trimtab.validate(one) == []]
    assert len(valid) > len(built) / 2
    assert len({composition(one).wire for one in valid}) == len(BUILDERS)


def test_the_same_number_makes_the_same_input_and_others_make_others() -> None:
    made = [mutated(Random(number)) for number in range(60)]
    assert made == [mutated(Random(number)) for number in range(60)]
    assert len(set(made)) == len(made)
    assert sum(trimtab_reads(one) for one in made) in range(5, 56)


def trimtab_reads(data: bytes) -> bool:
    try:
        trimtab.Compactor(store=None, config={}).compact(data)
    except trimtab.WireError:
        return False
    return True


def test_every_change_changes_and_every_raw_value_comes_up() -> None:
    for change in CHANGES:
        assert any(change(file, Random(number)) != file for file in FILES for number in range(5))
    made = b"".join(CHANGES[0](b'{"a": "b"}', Random(number)) for number in range(2000))
    assert [raw for raw in RAW if raw not in made] == []


def broken_at(data: bytes) -> None:
    assert b"user" not in data, "no users"


def test_a_finding_is_told_once_made_small_and_kept_by_its_digest(tmp_path: Path) -> None:
    count, found = driver.fuzz(1, 0, broken_at)
    assert [one.data for one in found] == [b"user"]
    assert "no users" in found[0].told
    assert count > 1
    path = driver.kept(found[0], tmp_path / "found")
    assert path.name == hashlib.sha256(b"user").hexdigest()[:16]
    assert path.read_bytes() == b"user"


def test_a_hang_is_a_finding() -> None:
    def endless(data: bytes) -> None:
        while True:
            try:
                time.sleep(0.01)
            except Exception:  # as a fallback would
                continue

    found = driver.tried(b"x", endless, limit=1)
    assert found is not None
    assert found.sign == "HangError"


def lost(data: bytes) -> None:
    """A reader that drops a damaged line in silence."""
    found = [
        Session(format=one.format, name=one.name, wire=one.wire, messages=one.messages, calls=one.calls)
        for one in CLAUDE_CODE.read(data)
    ]
    properties.told_of_damage(CLAUDE_CODE, data, found)


def test_a_loss_in_silence_is_a_finding() -> None:
    file = FILES[0]
    assert driver.tried(file, lost) is None
    damaged = file.replace(b'"type"', b'"type', 1)
    assert driver.tried(damaged, lost) is not None
    assert driver.tried(damaged) is None


def test_an_inner_failure_behind_the_fallback_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ValueError("inner")

    data = json.dumps([{"role": "user", "content": "hi"}]).encode()
    assert driver.tried(data) is None
    monkeypatch.setattr("trimtab.engine.Engine.run", fails)
    found = driver.tried(data)
    assert found is not None
    assert "inner" in found.told


def test_an_original_that_does_not_come_back_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    data = request(Random(3))
    assert driver.tried(data) is None
    monkeypatch.setattr("trimtab.compactor.undo", lambda request, *_: request.body.payload)
    found = [one for number in range(6) if (one := driver.tried(request(Random(number))))]
    assert {one.sign.split()[0] for one in found} == {"AssertionError"}
