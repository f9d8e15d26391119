"""The bundled session and its variants: the facts are there, hidden deep enough, and it reproduces."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest
import toktok

from trimtab import example
from trimtab.errors import ConfigError
from trimtab.example import record
from trimtab.transcript import JSON

SEEDS = range(21)
VARIANTS = range(1, 21)
NAMES = ["question", "bug", "number", "environment", "setting", "ticket"]

wires = pytest.mark.parametrize("wire", example.WIRES)
seeds = pytest.mark.parametrize("seed", SEEDS)


def texts(value: JSON) -> Iterator[str]:
    """Every string of a request, unescaped."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)


def read(request: bytes) -> str:
    return "\n".join(texts(json.loads(request)))


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def calls_and_results(message: JSON) -> tuple[list[str], list[str]]:
    """The ids a message calls with, and those it answers, on either wire."""
    if message["role"] == "tool":
        return [], [message["tool_call_id"]]
    parts = message["content"] if isinstance(message["content"], list) else []
    uses = [part["id"] for part in parts if part["type"] == "tool_use"]
    results = [part["tool_use_id"] for part in parts if part["type"] == "tool_result"]
    return uses + [call["id"] for call in message.get("tool_calls", [])], results


def test_running_the_script_reproduces_the_bundled_files(tmp_path: Path) -> None:
    record.main(tmp_path)
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {f"session.{wire}.json": example.session(wire) for wire in example.WIRES}


@wires
def test_every_fact_is_in_the_full_session(wire: str) -> None:
    text = read(example.session(wire))
    assert list(example.facts()) == NAMES
    assert [name for name, fact in example.facts().items() if fact not in text] == []


@wires
@seeds
def test_every_fact_is_known_after_five_results_and_stands_once(wire: str, seed: int) -> None:
    text = read(example.cut(5, record.build(wire, seed)))
    counted = {name: text.count(fact) for name, fact in record.facts(seed).items()}
    assert counted == dict.fromkeys(NAMES, 1)


@wires
def test_the_facts_of_the_settings_are_not_known_before(wire: str) -> None:
    text = read(example.cut(4, example.session(wire)))
    known = [name for name, fact in example.facts().items() if fact in text]
    assert known == ["question", "bug", "number", "environment"]


def test_the_fault_is_at_line_62() -> None:
    lines = record.files()[record.FAULTY].splitlines()
    assert lines[61].strip() == example.facts()["bug"]
    assert example.facts()["number"] == "    62\t    return amount"


@seeds
def test_the_number_names_the_line_of_the_fault_and_the_log_agrees(seed: int) -> None:
    tree, facts = record.files(seed), record.facts(seed)
    line = int(facts["number"].split("\t")[0])
    assert tree[record.FAULTY].splitlines()[line - 1].strip() == facts["bug"]
    assert f"{record.FAULTY}:{line} in " in tree["logs/billing.log"]
    assert f"`{record.FAULTY}`, line {line}, in " in record.script(seed).answer


@seeds
def test_places_in_the_log_hold_what_it_says(seed: int) -> None:
    tree = record.files(seed)
    path, line = re.findall(r"from (\S+):(\d+) in make_lines", tree["logs/billing.log"])[0]
    function = re.findall(r":\d+ in (\w+)\n", tree["logs/billing.log"])[0]
    assert f"{function}(exact, mode)" in tree[path].splitlines()[int(line) - 1]


@seeds
def test_the_fault_leaves_one_decimal(seed: int, tmp_path: Path) -> None:
    source = record.files(seed)[record.FAULTY]
    module = tmp_path / "rounding.py"
    module.write_text(source, encoding="utf-8")
    function = re.findall(r"def (\w+)\(", source.split(record.facts(seed)["bug"])[0])[-1]
    faulty = runpy.run_path(str(module))
    assert faulty[function](Decimal("14.8372")) == Decimal("14.8")
    assert faulty["round_invoice"]([Decimal("14.8372")]) == Decimal("14.84")


@seeds
def test_decisive_lines_stand_past_two_thousand_characters(seed: int) -> None:
    tree, facts = record.files(seed), record.facts(seed)
    assert len(tree) == 6
    decisive = {
        record.FAULTY: facts["bug"],
        "src/billing/invoice.py": "(exact, mode)",
        "src/billing/tax.py": facts["environment"],
        "config/settings.toml": facts["ticket"],
        "logs/billing.log": f"{record.FAULTY}:",
        "docs/operations.md": "Do not conclude",
    }
    assert {path: tree[path].index(line) > 2000 for path, line in decisive.items()} == dict.fromkeys(tree, True)
    assert tree["config/settings.toml"].index(facts["setting"]) > 2000
    assert all(4000 <= len(text) <= 9000 for text in tree.values())


@wires
@seeds
def test_every_call_is_answered_at_once_and_the_user_speaks_last(wire: str, seed: int) -> None:
    messages = json.loads(record.build(wire, seed))["messages"]
    ids = [calls_and_results(message) for message in messages]
    called = [call for calls, _ in ids for call in calls]
    assert len(set(called)) == len(called) == 6
    for (calls, _), (_, results) in zip(ids, [*ids[1:], ([], [])], strict=True):
        assert calls == results
    assert (messages[0]["role"], messages[-1]["role"]) == (
        "system" if wire == "openai_chat" else "user",
        "user",
    )


@wires
def test_the_request_is_whole_and_of_middle_size(wire: str) -> None:
    body = json.loads(example.session(wire))
    assert body["model"] == {"anthropic": "claude-sonnet-4-5", "openai_chat": "gpt-4o"}[wire]
    assert len(body["tools"]) == 3
    assert 9_000 <= sum(toktok.batch_count(list(texts(body)), "o200k_base", 1)) <= 16_000


@wires
def test_cut_keeps_the_beginning_and_ends_with_the_result(wire: str) -> None:
    whole = json.loads(example.session(wire))
    for count in range(1, 7):
        body = json.loads(example.cut(count, example.session(wire)))
        assert body["messages"] == whole["messages"][: len(body["messages"])]
        assert sum(len(calls_and_results(message)[1]) for message in body["messages"]) == count
        assert calls_and_results(body["messages"][-1])[1]
        assert {**body, "messages": 0} == {**whole, "messages": 0}


@pytest.mark.parametrize("count", [0, 7, -1])
def test_cut_outside_the_session_is_refused(count: int) -> None:
    with pytest.raises(ConfigError, match="has 6"):
        example.cut(count)


@pytest.mark.parametrize("ask", [example.session, record.build])
def test_an_unknown_wire_is_refused_with_the_known_ones(ask: Callable[[str], bytes]) -> None:
    with pytest.raises(ConfigError, match="'fax', expected one of: anthropic, openai_chat"):
        ask("fax")


@wires
def test_all_variants_differ(wire: str) -> None:
    assert len({record.build(wire, seed) for seed in SEEDS}) == len(SEEDS)
    assert len({tuple(record.facts(seed).values()) for seed in SEEDS}) == len(SEEDS)
    assert len({record.facts(seed)["number"] for seed in VARIANTS}) >= 10


def test_some_questions_share_words_with_the_fault_and_some_do_not() -> None:
    shared = [words(record.facts(seed)["question"]) & words(record.facts(seed)["bug"]) for seed in VARIANTS]
    assert any(shared)
    assert not all(shared)


def test_seed_0_is_the_bundled_one() -> None:
    assert record.facts() == example.facts()
    for path, text in record.files().items():
        assert text == example.read_text(f"repository/{path}")


def test_every_word_that_is_varied_stands_in_the_bundled_files() -> None:
    bundled = "\n".join(record.files().values())
    assert [word for word in example.read_toml("variants")["words"] if word not in bundled] == []


def test_variants_move_the_amounts_with_the_invoice() -> None:
    for seed in VARIANTS:
        number, shown, due = re.findall(
            r"invoice (\d+), contract \S+: printed total (\S+), sum in the ledger (\S+)",
            record.files(seed)["logs/billing.log"],
        )[0]
        assert {number, shown, due} <= set(re.findall(r"\d+(?:\.\d+)?", record.facts(seed)["question"]))
