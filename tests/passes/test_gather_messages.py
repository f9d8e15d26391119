"""Runs of old messages become one note: verbatim lines, within the budget, nothing torn, nothing else touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.cases.transcripts import MARKER, Step, calls, log, request, results, says, user

import trimtab
from trimtab import BudgetError, Compactor
from trimtab.stubs import OTHERS
from trimtab.testing import memory_store

TASK, NOW = "Help me to plan the move of our office.", "What is still open?"
RULES = (
    "RULE: Never book on a Friday.",
    "Our budget is $9,000 in all.",
    "We decided to take the second floor.",
    "The landlord's number is KX-4471.",
)
FILLER = (
    "I walked past the building again this morning and it looked much as before.",
    "Somebody said the coffee machine is slow these days.",
    "It rained a good deal while we were looking at the rooms upstairs.",
    "A colleague wondered about the colour of the carpet in the hall.",
)

WIRES = ("anthropic", "openai_chat", "openai_responses", "gemini", "bedrock")
wires = pytest.mark.parametrize("wire", WIRES)


def chat(wire: str, texts: list[str]) -> dict[str, Any]:
    """A chat: the task, these texts by user and assistant in turn, the newest turn."""
    said = [("user", TASK), *((("assistant", "user")[n % 2], text) for n, text in enumerate(texts)), ("user", NOW)]
    match wire:
        case "gemini":
            roles = {"user": "user", "assistant": "model"}
            return {"contents": [{"role": roles[role], "parts": [{"text": text}]} for role, text in said]}
        case "bedrock":
            if said[-2][0] == "user":  # users and assistants take turns there
                said.insert(-1, ("assistant", "OK."))
            messages = [{"role": role, "content": [{"text": text}]} for role, text in said]
            return {"modelId": "anthropic.claude-sonnet-4-5", "messages": messages}
        case "openai_responses":
            return {"model": "gpt-4o", "input": [{"role": role, "content": text} for role, text in said]}
    return request(wire, *(user(text) if role == "user" else says(text) for role, text in said), tools=False)


def talk(rounds: int = 12) -> list[str]:
    """A rule in each third message of the user's, filler between."""
    texts = list[str]()
    for n in range(rounds):
        texts += ["Noted.", RULES[n // 3 % 4] if n % 3 == 0 else f"{FILLER[n % 4]} That was day {n}."]
    return texts


def total(payload: Any) -> int:
    report = Compactor(store=memory_store()).compact(payload).report
    return int(report.tokens_before * report.factor)


def compacted(payload: Any, share: float, **options: Any) -> trimtab.Result:
    """Compacted at its end only: what came before was sent without a budget."""
    budget, store = int(total(payload) * share), memory_store()
    Compactor(store=store, preset="prose").compact(payload)
    return Compactor(store=store, preset="prose", budget=budget, target=budget, **options).compact(payload)


def notes(payload: Any) -> list[list[str]]:
    """The lines of each note, its first line first."""
    found = list[list[str]]()

    def look(value: Any) -> None:
        if isinstance(value, str) and MARKER.match(value):
            found.append(value.split("\n"))
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            look(one)

    look(payload)
    return found


@wires
def test_a_chat_of_short_messages_becomes_one_note(wire: str) -> None:
    texts = talk()
    payload = chat(wire, texts)
    result = compacted(payload, 0.5)
    assert trimtab.validate(result.payload) == []
    (first, *lines), *more = notes(result.payload)
    assert not more
    assert MARKER.fullmatch(first)
    sent = json.dumps(result.payload, ensure_ascii=False)
    assert TASK in sent
    assert NOW in sent
    assert [rule for rule in RULES if rule not in lines] == []
    source = "\n".join(texts)
    assert all(line.removeprefix(OTHERS) in source for line in lines)
    assert result.report.tokens_after * result.report.factor <= int(total(payload) * 0.5)


def test_the_note_reads_like_this() -> None:
    """What is said for its own sake stays, word for word; thanks, repetition and what is replaced go."""
    texts = ["Noted.", RULES[0], "I will keep to that.", FILLER[0], "Noted.", RULES[3], "Noted.", FILLER[0]]
    texts += ["OK.", "The lease ends on 2027-03-31.", "OK.", "Correction: the lease ends on 2027-06-30."]
    sent = compacted(chat("openai_chat", [*texts, *texts[:8]]), 0.55).payload["messages"]
    assert [sent[0]["content"], sent[2]["content"]] == [TASK, NOW]
    (handle,) = MARKER.findall(sent[1]["content"])
    assert sent[1]["content"].split("\n") == [
        f"[trimtab: lines of 20 messages, » not the user's: trimtab recall {handle}]",
        "Correction: the lease ends on 2027-06-30.",
        "RULE: Never book on a Friday.",
        "» I will keep to that.",
        "The landlord's number is KX-4471.",
        "I walked past the building again this morning and it looked much as before.",
    ]


@wires
def test_what_a_later_statement_replaces_is_not_shown(wire: str) -> None:
    texts = [
        *talk(6),
        "Noted.",
        "The deadline is 2027-01-09.",
        *talk(6),
        "Noted.",
        "The deadline is 2027-02-11.",
        "OK.",
    ]
    (_, *lines), *_ = notes(compacted(chat(wire, texts), 0.6).payload)
    assert "The deadline is 2027-02-11." in lines
    assert "The deadline is 2027-01-09." not in lines


@wires
def test_the_messages_come_back_and_the_payload_is_undone(wire: str) -> None:
    payload = chat(wire, talk())
    budget = total(payload) // 2
    one = Compactor(store=memory_store(), preset="prose", budget=budget, target=budget)
    result = one.compact(payload)
    ((first, *_),) = notes(result.payload)
    assert FILLER[2] in one.recall(MARKER.findall(first)[0]).text
    assert one.undo(result.payload) == payload


@wires
def test_a_second_fold_keeps_what_the_first_note_kept(wire: str) -> None:
    """Given originals or its own output, the next note holds the rules again, and no first line of a note."""
    whole = talk(24)
    for feeds_back in (False, True):
        one = Compactor(store=memory_store(), preset="prose", budget=int(total(chat(wire, whole[:24])) * 0.8))
        sent = one.compact(chat(wire, whole[:24])).payload
        payload = chat(wire, whole)
        if feeds_back:
            key = next(key for key in ("messages", "contents", "input") if key in payload)
            payload = {**payload, key: [*sent[key][:-1], *payload[key][25:]]}
        result = one.compact(payload)
        kept = [lines for _, *lines in notes(result.payload)]
        assert {rule for lines in kept for rule in RULES if rule in lines} == set(RULES)
        assert not any(MARKER.search(line) for lines in kept for line in lines)
        assert trimtab.validate(result.payload) == []


def test_a_fact_of_the_callers_stays() -> None:
    result = compacted(chat("openai_chat", talk()), 0.5, facts=["carpet in the hall. That was day 7"])
    assert "carpet in the hall. That was day 7" in json.dumps(result.payload)


def test_a_pinned_message_stays_in_place() -> None:
    payload = chat("openai_chat", talk())
    pinned = payload["messages"][8]
    assert pinned in compacted(payload, 0.6, pins=[pinned["content"]]).payload["messages"]


def exchange(n: int, size: int) -> list[Step]:
    return [calls((f"c{n}", f"file{n}.py")), results((f"c{n}", log(size)))]


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_few_long_results_are_excerpted_in_place(wire: str) -> None:
    steps = [step for n in range(6) for step in exchange(n, 120)]
    payload = request(wire, user(TASK), *steps)
    one = Compactor(store=memory_store(), preset="prose", budget=total(payload) // 2)
    result = one.compact(payload)
    assert result.report.edits
    assert len(result.payload["messages"]) == len(payload["messages"])


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_many_short_results_go_into_a_note_and_the_newest_exchange_stays(wire: str) -> None:
    steps = [step for n in range(40) for step in exchange(n, 4)]
    payload = request(wire, user(TASK), *steps)
    result = compacted(payload, 0.3)
    assert trimtab.validate(result.payload) == []
    assert result.payload["messages"][-2:] == payload["messages"][-2:]
    assert len(notes(result.payload)) == 1
    assert any(line.startswith(OTHERS + "step 4: ") for line in notes(result.payload)[0])


sentences = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=120)
lines = st.lists(st.sampled_from([*RULES, *FILLER, "ok", "» quoted", ""]) | sentences, min_size=6, max_size=40)


@given(lines, st.sampled_from(WIRES), st.sampled_from([0.3, 0.5, 0.8]))
@settings(max_examples=30, deadline=None)
def test_whatever_is_said_the_output_is_valid_within_the_budget_and_undone(
    texts: list[str], wire: str, share: float
) -> None:
    payload = chat(wire, [text.strip() or "…" for text in texts])
    budget = int(total(payload) * share)
    one = Compactor(store=memory_store(), preset="prose", budget=budget)
    try:
        result = one.compact(payload)
    except BudgetError:
        return
    assert result.report.outcome != "failed", result.report.findings
    assert trimtab.validate(result.payload) == []
    assert result.report.tokens_after * result.report.factor <= budget
    assert one.compact(result.payload).payload is result.payload
    assert one.undo(result.payload) == payload
    source = json.dumps(payload, ensure_ascii=False)
    for _, *shown in notes(result.payload):
        assert all(json.dumps(line.removeprefix(OTHERS), ensure_ascii=False)[1:-1] in source for line in shown)


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_a_call_without_its_result_stays_and_parts_two_notes(wire: str) -> None:
    lost = calls(("lost", "a.py"))
    before, after = ([step for n in span for step in exchange(n, 4)] for span in (range(20), range(20, 40)))
    payload = request(wire, user(TASK), *before, lost, *after, user(NOW))
    result = compacted(payload, 0.35)
    made = [message for message in payload["messages"] if "lost" in json.dumps(message)]
    assert [message for message in result.payload["messages"] if "lost" in json.dumps(message)] == made
    assert sum("lines of" in first for first, *_ in notes(result.payload)) == 2


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_what_the_user_states_goes_before_what_tools_return(wire: str) -> None:
    rule, named = "All amounts are integers of cents, never floats.", [f"limit_{n}" for n in range(480)]
    told = ["".join(f"{name} = 40 # FAILED\n" for name in named[n : n + 8]) for n in range(0, 480, 8)]
    steps = [step for n in range(60) for step in (calls((f"c{n}", f"file{n}.py")), results((f"c{n}", told[n])))]
    asked = user(f"Look at {', '.join(named)}")
    payload = request(wire, user(TASK), *steps[:20], asked, user(rule), *steps[20:], user(NOW))
    assert rule in notes(compacted(payload, 0.15).payload)[0]


def test_a_fact_named_when_a_note_has_been_sent_back_is_no_failure() -> None:
    steps = [
        step
        for n in range(6)
        for step in (
            calls((f"a{n}", f"a{n}.py"), (f"b{n}", f"b{n}.py")),
            results((f"a{n}", log(60)), (f"b{n}", log(60))),
        )
    ]
    payload = request("anthropic", user(TASK), *steps)
    one = Compactor(store=memory_store(), preset="prose", budget=total(payload) // 10)
    result = one.compact(payload)
    assert notes(result.payload)
    assert one.compact(result.payload, facts=["step 30"]).report.outcome != "failed"
