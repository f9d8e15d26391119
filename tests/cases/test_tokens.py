"""Reported bugs about counting: what is counted, by what, and what follows from it."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.cases.transcripts import (
    Call,
    Image,
    Step,
    calls,
    compact,
    encoded,
    forms,
    handles,
    log,
    png,
    request,
    results,
    says,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.passes import FoldArguments, FoldResults, ShortenOutputs

NEWER: list[Step] = [calls(("new", "b")), results(("new", "ok"))]
OLD: dict[str, Any] = {"force": True, "target": 1, "protect_results": 0}


def counted(given: dict[str, Any], form: str = "dict", **options: Any) -> int:
    """Raw tokens of a request by a compactor that keeps nothing."""
    compactor = trimtab.Compactor(store=None)
    return compactor.compact(encoded(given) if form == "bytes" else given, **options).report.tokens_before


def history(exchanges: int, lines: int = 60) -> list[Step]:
    steps: list[Step] = [user("task")]
    for n in range(exchanges):
        steps += [calls((f"c{n}", f"{n}.py")), results((f"c{n}", log(lines, f"part {n}")))]
    return steps


def holding(wire: str, image: Image, where: str) -> dict[str, Any]:
    if where == "user":
        return request(wire, user(["look", image]))
    return request(wire, user("look"), calls(("c", "a")), results(("c", ["seen", image])))


@wires
@forms
@pytest.mark.parametrize("where", ["user", "result"])
def test_TOK_01_an_image_costs_the_same_however_long_its_base64(wire: str, form: str, where: str) -> None:
    small, large = (holding(wire, png(800, 600, size), where) for size in (1_000, 3_000_000))
    base = counted(request(wire, user("look")))
    assert counted(small, form) == counted(large, form)
    assert 85 < counted(large, form) - base < 2_000


@wires
@forms
def test_TOK_03_every_image_adds_the_same(wire: str, form: str) -> None:
    sizes = [counted(request(wire, user(["look", *[png()] * n])), form) for n in range(21)]
    steps = {after - before for before, after in itertools.pairwise(sizes)}
    assert len(steps) == 1
    assert steps.pop() > 85


@wires
@forms
def test_TOK_05_a_text_in_a_list_is_shortened_there(wire: str, form: str) -> None:
    steps: list[Step] = [user("task"), calls(("c", "a")), results(("c", [log(3_000)])), *NEWER]
    sent = compact(request(wire, *steps), form, budget=1_000)
    (item,) = texts(sent.payload)[0]
    assert item["type"] == "text"
    assert len(item["text"]) < 4_000
    assert handles(sent.payload)


@wires
@forms
def test_TOK_05_what_cannot_be_shortened_is_never_called_a_success(wire: str, form: str) -> None:
    with pytest.raises(trimtab.BudgetError, match=r"messages\[0\]"):
        compact(request(wire, user(["x" * 100_000])), form, budget=1_000)


SCRIPTS = [
    "这个文件里有一个错误需要修改",
    "請修正計算錯誤並說明原因",
    "テストが失敗したので直してください",
    "오류를 찾아서 고쳐 주세요",
]


@wires
@forms
@pytest.mark.parametrize("line", SCRIPTS, ids=ascii)
def test_TOK_06_a_budget_holds_for_any_script(wire: str, form: str, line: str) -> None:
    steps: list[Step] = [user("task")]
    for n in range(40):
        text = "".join(f"{line} {(n * 37 + k) * (k + 3) * 31 % 9973}\n" for k in range(1_000 // len(line)))
        steps += [calls((f"c{n}", "a")), results((f"c{n}", text))]
    sent = compact(request(wire, *steps), form, budget=10_000, target=8_000, model="gpt-4o")
    assert sent.result.changed
    assert 6_500 < counted(sent.payload) <= 10_000


@wires
@pytest.mark.parametrize("keep", [60, 400, 1_000])
def test_TOK_06_an_excerpt_of_any_script_holds_its_allowance(wire: str, keep: int) -> None:
    given = [
        f"{SCRIPTS[0]}\n" * 900,
        f"{SCRIPTS[3]} " * 900,
        "𠀀𠀁𠀂𠀃\n" * 900,
        log(900),
    ]
    names = [f"c{n}" for n in range(len(given))]
    steps: list[Step] = [
        user("task"),
        calls(*((one, "a") for one in names)),
        results(*zip(names, given, strict=True)),
        *NEWER,
    ]
    sent = compact(request(wire, *steps), passes=[ShortenOutputs(keep=keep)], **OLD)
    sizes = sent.compactor.counter.count(texts(sent.payload)[:-1])
    assert max(sizes) < 1.3 * keep + 60
    assert min(sizes) > 0.4 * keep


USAGES: dict[str, dict[str, Any]] = {
    "openai": {"prompt_tokens": 184_704, "prompt_tokens_details": {"cached_tokens": 183_936}},
    "anthropic": {"input_tokens": 768, "cache_read_input_tokens": 183_936, "cache_creation_input_tokens": 0},
}


@wires
def test_TOK_08_what_the_cache_held_is_counted_once(wire: str) -> None:
    factors = set()
    given = request(wire, user("x " * 150_000))
    for usage in USAGES.values():
        compactor = trimtab.Compactor(store="memory:", config={"window": 1_000_000})
        result = compactor.compact(given)
        compactor.observe(result, usage)
        factors.add(compactor.compact(given).report.factor)
        assert compactor.compact(given).report.factor == pytest.approx(184_704 / result.report.tokens_after)
    assert len(factors) == 1


def tell(wire: str, size: int) -> dict[str, Any]:
    return {"prompt_tokens": size} if wire == "openai_chat" else {"input_tokens": size}


@wires
@forms
def test_TOK_09_the_sizes_of_calls_are_not_added_up(wire: str, form: str) -> None:
    steps = history(1, 1_000)
    compactor = trimtab.Compactor(store="memory:", config={"window": 100_000})
    for n in range(10):
        steps += [says(f"answer {n}"), user(f"question {n}")]
        given = request(wire, *steps)
        payload = encoded(given) if form == "bytes" else given
        result = compactor.compact(payload)
        assert result.payload is payload
        compactor.observe(result, tell(wire, 15_000))


@wires
def test_TOK_10_a_sum_over_a_turn_is_not_believed(wire: str) -> None:
    given = request(wire, *history(10, 200))
    compactor = trimtab.Compactor(store="memory:", preset="triggers", config={"window": 300_000})
    before = compactor.compact(given).report.factor
    usage = {"input_tokens": 2_000, "output_tokens": 1_000, "cache_read_input_tokens": 1_800_000}
    compactor.observe(compactor.compact(given), usage)
    result = compactor.compact(
        {**given, "messages": [*given["messages"], *request(wire, user("go on"))["messages"]]}
    )
    assert result.report.factor == before
    assert not result.changed


@wires
@forms
@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": 0, "input_tokens": 0}], ids=str)
def test_TOK_11_without_usage_the_own_count_triggers(wire: str, form: str, usage: Any) -> None:
    given = request(wire, *history(30, 100))
    compactor = trimtab.Compactor(store="memory:", config={"window": 11_000})
    compactor.observe(compactor.compact(request(wire, user("task"))), usage)
    result = compactor.compact(encoded(given) if form == "bytes" else given, usage=usage)
    assert result.report.tokens_before > 3 * 10_000
    assert result.report.tokens_after < 11_000
    assert "window" in result.report.trigger


@wires
@forms
def test_TOK_13_system_and_tools_count(wire: str, form: str) -> None:
    system = "Follow the rules of the house. " * 500
    tool = request(wire, user("a"))["tools"][0]
    tools = [{**tool, "x_note": f"tool {n} " * 100} for n in range(30)]
    short = request(wire, user("a"), says("b"), user("c"), tools=False)
    whole = {**request(wire, user("a"), says("b"), user("c"), system=system), "tools": tools}
    named = {"model": short["model"], "max_tokens": 1_000}
    measure = trimtab.Compactor(store=None).counter.count
    expected = sum(measure([system, *(json.dumps(one) for one in tools)]))
    added = counted(whole, form) - counted(short, form)
    assert added == pytest.approx(expected, rel=0.1)
    apart = counted({**named, "messages": short["messages"]}, form, tools=tools, system=system)
    assert apart - counted(short, form) == pytest.approx(expected, rel=0.1)
    assert "of the window of 9,000" in compact(whole, form, window=10_000).result.report.trigger


@forms
@pytest.mark.parametrize("wire", ["anthropic", "openai_chat"])
def test_TOK_14_reasoning_that_is_sent_counts(wire: str, form: str) -> None:
    thought = "because it is so. " * 2_000
    plain, thinking = (request(wire, user("a"), calls(("c", "x"), thinking=one)) for one in ("", thought))
    (expected,) = trimtab.Compactor(store=None).counter.count([thought])
    assert counted(thinking, form) - counted(plain, form) == pytest.approx(expected, abs=20)


@settings(max_examples=25)
@given(
    sizes=st.lists(st.integers(4, 14), min_size=4, max_size=12),
    keep=st.integers(5, 60),
    wire=st.sampled_from(["anthropic", "openai_chat"]),
    form=st.sampled_from(["bytes", "dict"]),
)
def test_TOK_17_an_edit_saves_or_is_not_made(sizes: list[int], keep: int, wire: str, form: str) -> None:
    steps: list[Step] = [user("task")]
    for n, size in enumerate(sizes):
        steps += [calls(Call(f"c{n}", "write", {"text": log(size)})), results((f"c{n}", log(size, f"part {n}")))]
    given = request(wire, *steps, *NEWER)
    passes = [ShortenOutputs(keep=keep), FoldResults(), FoldArguments(longest=20)]
    sent = compact(given, form, budget=counted(given), passes=passes, **OLD)
    before, after = (trimtab.Compactor(store=None).counter.count(texts(one)) for one in (given, sent.payload))
    for one, other, was, now in zip(before, after, texts(given), texts(sent.payload), strict=True):
        assert now == was or other <= one - 8
    assert counted(sent.payload) == pytest.approx(sent.result.report.tokens_after, abs=len(sizes))
    assert all(edit.saved >= 8 for edit in sent.result.report.edits)


@wires
@forms
def test_TOK_18_the_output_reserve_is_taken_off_the_window(wire: str, form: str) -> None:
    given = request(wire, *history(34, 100), max_tokens=65_536)
    options: dict[str, Any] = {
        "window": 131_072,
        "window_share": 0.5,
        "model": "gpt-4o",
        "preset": "triggers",
    }
    sent = compact(given, form, **options)
    assert 32_768 < sent.result.report.tokens_before < 65_536
    assert sent.result.changed
    assert sent.result.report.window == 65_536
    small = compact({**given, "max_tokens": 1_000}, form, **options)
    assert not small.result.changed
