"""Reported bugs about the provider's prompt cache: what was sent once goes out again byte for byte."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cases.transcripts import (
    Step,
    broken,
    calls,
    compact,
    encoded,
    forms,
    log,
    request,
    results,
    says,
    strings,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.presets.clear_tool_uses import ClearToolUses
from trimtab.presets.four_places import FourPlaces
from trimtab.presets.observation_masking import ObservationMasking
from trimtab.testing import memory_store

MARK = {"cache_control": {"type": "ephemeral"}}


def rounds(count: int, lines: int = 40) -> list[Step]:
    return [
        step
        for n in range(count)
        for step in (calls((f"c{n}", f"src/{n}.py")), results((f"c{n}", log(lines, f"part {n}"))))
    ]


def marks(payload: dict[str, Any]) -> list[str]:
    """Where cache marks stand: the way to each of them."""
    return [where for where, value in _places(payload, "") if value == MARK["cache_control"]]


def _places(value: Any, where: str) -> list[tuple[str, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [(where, value)] if where.endswith("cache_control") else []
    return [*found, *(one for key, inner in items for one in _places(inner, f"{where}/{key}"))]


@wires
def test_CACHE_01_over_thirty_turns_the_sent_prefix_breaks_seldom_and_each_break_is_told(wire: str) -> None:
    compactor = trimtab.Compactor(store=memory_store(), config={"window": 9_000})
    sent: list[Any] = []
    breaks = 0
    for n in range(1, 31):
        result = compactor.compact(request(wire, user("task"), *rounds(n, 30)))
        now = result.payload["messages"]
        first = result.report.first_changed
        stays = len(sent) if first is None else first
        assert now[:stays] == sent[:stays]
        breaks += first is not None
        sent = now
    assert 1 <= breaks <= 8


@wires
@forms
def test_CACHE_02_nothing_is_cleared_until_enough_comes_free_and_then_all_at_once(wire: str, form: str) -> None:
    few = request(wire, user("task"), *rounds(4, 30))
    many = request(wire, user("task"), *rounds(20, 30))
    clears = ClearToolUses(trigger=500, keep=3, clear_at_least=5_000)
    sent = compact(few, form, preset=clears)
    assert sent.payload == few
    done = compact(many, form, preset=clears)
    kept = ["is set" in text for text in texts(done.payload)]
    assert kept == sorted(kept)
    assert 3 <= sum(kept) < 12


def test_CACHE_03_schemas_are_compacted_alike_whatever_is_talked_about() -> None:
    schema = {"type": "object", "properties": {}}
    tools = [{"name": f"tool_{n}", "description": f"Does {n}. " * 20, "input_schema": schema} for n in range(10)]
    compactor = trimtab.Compactor(preset=FourPlaces(), store=memory_store())
    heads = set()
    for about in ("read the file a.py", "write a mail to Bob", "tool_7 please"):
        given = {**request("anthropic", user(about)), "tools": tools}
        heads.add(json.dumps(compactor.compact(given).payload["tools"]))
    assert len(heads) == 1


@wires
def test_CACHE_05_the_recall_tool_is_constant_text_and_changes_no_message(wire: str) -> None:
    compactor = trimtab.Compactor(store=memory_store(), config={"window": 6_000})
    definitions, sent = set[str](), list[Any]()
    for n in range(1, 6):
        given = request(wire, user("task"), *rounds(n, 30))
        given["tools"].append(dict(trimtab.recall_tool(wire).definition))
        result = compactor.compact(given)
        definitions.add(json.dumps(result.payload["tools"]))
        assert result.payload["messages"][: len(sent)] == sent
        sent = result.payload["messages"]
    assert len(definitions) == 1


def test_CACHE_06_a_message_of_thinking_alone_stays_between_its_users() -> None:
    thought = {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}]}
    given = request("anthropic", user("one"), thought, user("two"), *rounds(12), says("ok"), user("three"))
    sent = compact(given, force=True, window=3_000)
    assert sent.result.changed
    assert sent.messages[:3] == given["messages"][:3]
    assert [one["role"] for one in sent.messages] == [one["role"] for one in given["messages"]]


@forms
def test_CACHE_07_the_clients_marks_stay_where_they_stand(form: str) -> None:
    given = request("anthropic", user("task"), *rounds(12), says("ok"), user("more"))
    given["system"] = [{"type": "text", "text": "Be brief.", **MARK}]
    given["messages"][6]["content"][0].update(MARK)
    sent = compact(given, form, force=True)
    assert sent.result.changed
    assert marks(sent.payload) == marks(given)


def test_CACHE_09_no_mark_comes_to_stand_on_thinking() -> None:
    given = request("anthropic", user("task"), *rounds(12), says("ok"), user("more"))
    given["messages"][2]["content"][0].update(MARK)
    given["messages"][1]["content"].insert(0, {"type": "thinking", "thinking": "hm", "signature": "c2ln"})
    sent = compact(given, force=True)
    assert sent.result.changed
    thinking = [b for m in sent.messages for b in m["content"] if isinstance(b, dict) and b["type"] == "thinking"]
    assert thinking == [given["messages"][1]["content"][0]]
    assert marks(sent.payload) == marks(given)


@forms
def test_CACHE_10_a_marked_block_never_becomes_blank(form: str) -> None:
    given = request("anthropic", user("task"), *rounds(12), says("ok"), user("more"))
    for n in (2, 4, 6):
        given["messages"][n]["content"][0].update(MARK)
    sent = compact(given, form, preset=ObservationMasking(keep=1))
    assert all(text.strip() for text in strings(sent.payload["messages"]))
    assert broken(sent.payload) <= broken(given)


def test_CACHE_11_four_marks_of_the_client_are_all_there_are() -> None:
    given = request("anthropic", user("task"), *rounds(12), says("ok"), user("more"))
    given["system"] = [{"type": "text", "text": "Be brief.", **MARK}, {"type": "text", "text": "Be kind.", **MARK}]
    given["tools"][0].update(MARK)
    given["messages"][8]["content"][0].update(MARK)
    sent = compact(given, force=True)
    assert sent.result.changed
    assert marks(sent.payload) == marks(given)
    assert len(marks(sent.payload)) == 4


ODD = (
    b'{ "model":"gpt-4o",\t"messages" : [ {"role":"user", "content":"a<b&c \\u00e9 \xc3\xa9"} ,\n'
    b'{"content":null,"role":"assistant","x":1.0,"y":1e3,"z":12345678901234567890,"x":2,'
    b'"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]},'
    b'{"role":"tool","tool_call_id":"c1","content":RESULT},{"role":"assistant","content":"ok"},'
    b'{"role":"user","content":"go on"}],"b":1,"a":2}'
)


def test_CACHE_12_an_unchanged_body_goes_out_byte_for_byte() -> None:
    body = ODD.replace(b"RESULT", b'"short"')
    result = trimtab.Compactor(store=memory_store()).compact(body)
    assert hashlib.sha256(result.payload).digest() == hashlib.sha256(body).digest()


def test_CACHE_12_beside_an_edit_every_byte_stays() -> None:
    body = ODD.replace(b"RESULT", json.dumps(log(300)).encode())
    result = trimtab.Compactor(store=memory_store(), budget=1_500).compact(body)
    assert result.changed
    before, after = ODD.split(b"RESULT")
    assert result.payload.startswith(before)
    assert result.payload.endswith(after)


SCRIPT = """
import sys, trimtab
result = trimtab.Compactor(store=sys.argv[1], config={"window": 6_000}).compact(sys.stdin.buffer.read())
assert result.changed
sys.stdout.buffer.write(result.payload)
"""


@wires
@pytest.mark.parametrize("shared", [True, False])
def test_CACHE_14_other_processes_send_the_same_bytes(wire: str, shared: bool, tmp_path: Path) -> None:
    body = encoded(request(wire, user("task"), *rounds(20, 30)))
    sent = set()
    for number in range(2):
        store = tmp_path / ("one.db" if shared else f"{number}.db")
        environment = {**os.environ, "PYTHONHASHSEED": str(number)}
        command = [sys.executable, "-c", SCRIPT, str(store)]
        sent.add(subprocess.run(command, input=body, env=environment, capture_output=True, check=True).stdout)
    assert len(sent) == 1
