from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from benchmarks import four_places as bench
from tests.cases.transcripts import (
    Call,
    Sent,
    calls,
    encoded,
    log,
    made_calls,
    request,
    results,
    texts,
    user,
    wires,
)

import trimtab
from trimtab.errors import ConfigError
from trimtab.presets import preset
from trimtab.stores import open_store

MADE = json.dumps({"id": 4711, "success": True, "body": log(30)})
SCHEMA = {
    "type": "object",
    "description": "All that is needed.",
    "properties": {"branch_name": {"type": "string", "description": "Must be a valid git ref string."}},
    "required": ["branch_name"],
}


def session(wire: str, *asked: tuple[str, Any]) -> dict[str, Any]:
    steps = [
        step
        for n, (tool, text) in enumerate(asked)
        for step in (calls(Call(f"c{n}", tool, {"q": str(n)})), results((f"c{n}", text)))
    ]
    tool = {"name": "create_branch", "description": "Make a branch.", "input_schema": SCHEMA}
    given = request(wire, user("Mend it."), *steps)
    function = {"name": "create_branch", "description": "Make a branch.", "parameters": SCHEMA}
    given["tools"] = [tool if wire == "anthropic" else {"type": "function", "function": function}]
    return given


def compactor(**settings: Any) -> trimtab.Compactor:
    return trimtab.Compactor(
        preset="four-places", store=open_store("memory:"), config={"presets": {"four-places": settings}}
    )


def send(given: dict[str, Any], **settings: Any) -> Sent:
    made = compactor(**settings)
    result = made.compact(encoded(given))
    assert {one.rule for one in result.report.refused} <= set()
    assert made.undo(result.payload) == encoded(given)
    return Sent(json.loads(result.payload), result, made)


def calls_of(wire: str, *asked: tuple[str, Any], **settings: Any) -> Iterator[dict[str, Any]]:
    """The payloads of a session that grows by one exchange a call."""
    made = compactor(**settings)
    for count in range(1, len(asked) + 1):
        yield json.loads(made.compact(encoded(session(wire, *asked[:count]))).payload)


def test_the_settings_have_the_names_and_defaults_of_the_document() -> None:
    found = preset("four-places")
    wanted = {
        "enabled": True,
        "keep_last_results": 3,
        "max_result_chars": 5000,
        "head_chars": 1500,
        "tail_chars": 1500,
        "max_total_tool_chars": 400000,
        "prune_error_results": True,
        "use_meaningful_summaries": True,
    }
    assert {name: getattr(found, name) for name in wanted} == wanted
    with pytest.raises(ConfigError, match="keep_results"):
        preset("four-places", {"keep_results": 3})
    with pytest.raises(ConfigError, match="schemas"):
        preset("four-places", {"schemas": "all"})


@wires
def test_pass_1_descriptions_of_parameters_go_that_of_the_tool_stays(wire: str) -> None:
    [tool] = send(session(wire, ("create_branch", "ok"))).payload["tools"]
    told = tool if wire == "anthropic" else tool["function"]
    assert told["description"] == "Make a branch."
    assert told["input_schema" if wire == "anthropic" else "parameters"] == {
        "type": "object",
        "properties": {"branch_name": {"type": "string"}},
        "required": ["branch_name"],
    }
    kept = send(session(wire, ("create_branch", "ok")), schemas="off").payload["tools"]
    assert kept == session(wire)["tools"]


@wires
def test_pass_1_the_array_is_the_same_on_every_call(wire: str) -> None:
    sent = list(calls_of(wire, *[("create_branch", MADE)] * 6))
    assert len({json.dumps(one["tools"]) for one in sent}) == 1


@wires
def test_pass_3a_base64_goes_from_every_result(wire: str) -> None:
    blob = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400).decode()
    texted = json.dumps({"screenshot": blob, "title": "Home", "data": base64.b64encode(log(90).encode()).decode()})
    [newest] = texts(send(session(wire, ("browser_click", texted))).payload)
    shown = json.loads(newest)
    assert shown["title"] == "Home"
    assert "bytes cut" in shown["screenshot"]
    assert "bytes cut" in shown["data"]


@wires
def test_pass_3b_and_3c_the_last_three_stay_and_older_ones_go_by_the_kind_of_their_tool(wire: str) -> None:
    long = log(400)
    asked = [
        ("create_issue", MADE),
        ("internal_query_sales", long),
        ("create_issue", MADE),
        *[("read_file", long)] * 3,
    ]
    *_, last = calls_of(wire, *asked)
    first, data, third, *newest = texts(last)
    assert first.startswith("[pruned: create_issue: succeeded, id=4711; trimtab recall t:")
    assert third.startswith("[pruned: create_issue: succeeded, id=4711; trimtab recall t:")
    assert (data[:1500], data[-1500:]) == (long[:1500], long[-1500:])
    assert newest == [long] * 3
    assert [one.name for one in made_calls(last)] == [name for name, _ in asked]


@wires
def test_pass_3b_the_last_three_are_counted_as_they_are_however_small_and_of_however_many_texts(wire: str) -> None:
    """A short result is one of the three, and so is one of two texts; results of one call each."""
    long = log(400)
    for last in (["ok", "ok", "ok"], ["ok", long, "ok"], [[long, long], "ok", long]):
        asked: list[tuple[str, Any]] = [("read_file", text) for text in (long, long, *last)]
        *_, sent = calls_of(wire, *asked)
        *old, _, _, _ = shown = texts(sent)
        assert shown[2:] == texts(session(wire, *asked))[2:]
        assert len(old) == 2
        assert all("characters trimmed" in one for one in old)


@wires
def test_pruning_can_be_switched_off(wire: str) -> None:
    asked = [("create_issue", MADE)] * 6
    assert texts(send(session(wire, *asked), enabled=False).payload) == [MADE] * 6


@wires
def test_the_second_pass_holds_the_cap_over_a_whole_session(wire: str) -> None:
    asked = [("read_file", log(150)[:size]) for size in [4_800] * 6 + [1_600] * 6 + [4_800] * 3]
    for sent in calls_of(wire, *asked, max_total_tool_chars=30_000):
        assert sum(map(len, texts(sent))) <= 30_000


@wires
def test_a_budget_of_the_caller_is_met(wire: str) -> None:
    given = session(wire, *[("read_file", log(150)[:4800])] * 6)
    made = trimtab.Compactor(preset="four-places", store=open_store("memory:"), budget=3_000)
    assert made.compact(encoded(given)).report.tokens_after <= 3_000


def test_a_session_like_the_document_s_shrinks_in_all_places_and_comes_back_by_recall() -> None:
    rows = [(given, sent, back) for _, given, sent, back in bench.run()]
    before, after = sum(given.tokens for given, _, _ in rows), sum(sent.tokens for _, sent, _ in rows)
    assert 50_000 < before < 65_000
    assert after < before / 3
    schemas, files, given_back, said = rows
    assert schemas[1].tokens < 5_000
    assert not schemas[1].facts  # which is what the document's first pass costs
    assert files[1].tokens < 2_000
    assert "exportctl revert --to 41" in files[1].facts
    assert said[0] == said[1]
    for given, sent, back in (files, given_back):
        assert given.facts - sent.facts
        assert all(fact in back for fact in given.facts - sent.facts)


def test_files_that_the_user_attaches_are_previews() -> None:
    told, _ = bench.files(Random(1))
    text = "".join(f'<file name="{name}">\n{one}</file>\n' for name, one in told.items()) + bench.QUESTION
    [message] = send(request("anthropic", user(text))).messages
    assert len(message["content"]) < 6_000
    assert "exportctl revert --to 41" in message["content"]
    kept = send(request("anthropic", user(text)), full_context_threshold=100_000).messages
    assert kept == request("anthropic", user(text))["messages"]
