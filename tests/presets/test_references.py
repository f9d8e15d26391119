"""Rules per tool name, behind a threshold (Build an AI Agent, 6.2.4)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cases.transcripts import Call, calls, log, request, results, says, user, wires

from trimtab import Compactor, ConfigError
from trimtab.edits import Ask
from trimtab.passes.refer import Refer
from trimtab.presets import preset
from trimtab.presets.references import References
from trimtab.testing import memory_store, note_of

NEWEST = (calls(("new", "b.py")), results(("new", "ok")))


def report_then_search(wire: str) -> dict[str, Any]:
    """The document's session: a report is saved, then a search is made."""
    return request(
        wire,
        user("Write a report, then look for rounding."),
        calls(Call("c1", "create_file", {"path": "report.md", "content": log(400, "report"), "mode": "w"})),
        results(("c1", "created report.md")),
        calls(Call("c2", "search_web", {"query": "bankers rounding"})),
        results(("c2", log(400, "hit"))),
        calls(Call("c3", "read_file", {"path": "src/tax.py"})),
        results(("c3", log(400, "code"))),
        *NEWEST,
    )


@wires
def test_a_report_followed_by_a_search_leaves_a_file_and_a_query(wire: str) -> None:
    payload = report_then_search(wire)
    compactor = Compactor(preset=References(tokens=2_000), store=memory_store())
    result = compactor.compact(payload)
    sent = str(result.payload)
    assert "Content saved." in sent
    assert "bankers rounding, processed" in sent
    assert "Content of src/tax.py" in sent
    assert "report.md" in sent
    assert "created report.md" in sent
    assert "step" not in sent
    assert [edit.reason for edit in result.report.edits] == [
        "rule for create_file",
        "rule for search_web",
        "rule for read_file",
    ]
    assert compactor.recall(result.report.edits[1].handle).text == log(400, "hit")
    assert compactor.undo(result.payload) == payload


@wires
def test_below_the_threshold_nothing_is_changed(wire: str) -> None:
    payload = report_then_search(wire)
    result = Compactor(preset=References(tokens=100_000), store=memory_store()).compact(payload)
    assert result.payload is payload


@wires
def test_where_nothing_is_gained_nothing_is_changed(wire: str) -> None:
    payload = request(wire, user("Go."), calls(Call("c", "read", {"path": "a"})), results(("c", "x = 1")), *NEWEST)
    assert Compactor(preset=References(), store=memory_store()).compact(payload, force=True).payload is payload


@pytest.mark.parametrize("argument", ["path", "file_path", "filePath", "target_file"])
def test_names_that_mean_the_same_fill_a_template(argument: str) -> None:
    call = Call("c", "Read", {argument: "src/tax.py"})
    payload = request("anthropic", user("Go."), calls(call), results(("c", log(90))), *NEWEST)
    result = Compactor(preset=References(), store=memory_store()).compact(payload, force=True)
    assert "Content of src/tax.py." in str(result.payload)


def test_of_a_failed_call_everything_stays() -> None:
    call = Call("c", "write_file", {"path": "a", "content": log(90)})
    payload = request("anthropic", user("Go."), calls(call), results(("c", log(90, "error"))), *NEWEST)
    payload["messages"][2]["content"][0]["is_error"] = True
    assert Compactor(preset=References(), store=memory_store()).compact(payload, force=True).payload is payload


def asked(tokens: int, writer: Any) -> tuple[list[Ask], Any]:
    heard: list[Ask] = []
    payload = report_then_search("anthropic")
    payload["messages"][5:5] = [
        {"role": "assistant", "content": log(300, "thought")},
        {"role": "user", "content": "Go on."},
    ]

    def write(ask: Ask) -> str:
        heard.append(ask)
        return str(writer)

    made = References(tokens=tokens, keep=3)
    return heard, Compactor(preset=made, store=memory_store(), writer=write).compact(payload, force=True)


def test_only_what_is_still_too_large_is_summarized() -> None:
    heard, result = asked(9_000, note_of("The report is in report.md."))
    assert heard == []
    assert "thought 7:" in str(result.payload)
    heard, result = asked(1_500, note_of("The report is in report.md."))
    assert len(heard) == 1
    assert heard[0].prompt.partition("\n")[2].startswith("CALL create_file")
    assert str(result.payload).count("thought ") < 120
    assert "The report is in report.md." in str(result.payload)
    assert result.payload["messages"][0]["content"] == "Write a report, then look for rounding."


def test_rules_come_from_the_config() -> None:
    rules = {"results": {"query_*": "Rows of {table}."}, "arguments": {"send": {"body": "Sent."}}}
    config = {"preset": "references", "presets": {"references": rules}}
    call = Call("c", "query_db", {"table": "invoices"})
    payload = request("openai_chat", user("Go."), calls(call), results(("c", log(90))), *NEWEST)
    result = Compactor(store=memory_store(), config=config).compact(payload, force=True)
    assert "[Rows of invoices. trimtab recall" in str(result.payload)


def test_a_template_that_cannot_be_read_is_told() -> None:
    with pytest.raises(ConfigError, match=r"presets\.references"):
        preset("references", {"results": {"read": "Content of {path"}})
    with pytest.raises(ValueError, match="expected"):
        Refer(results={"read": "Content of {path"})


def test_a_template_evaluates_nothing_and_an_argument_stays_short() -> None:
    rules = {"*": "{path.__class__} {path!r} {0}{path:{width}}"}
    call = Call("c", "peek", {"path": "{query}\n" * 300, "width": 9})
    payload = request("anthropic", user("Go."), calls(call), results(("c", log(400))), *NEWEST)
    result = Compactor(preset=References(results=rules), store=memory_store()).compact(payload, force=True)
    (edit,) = result.report.edits
    shown = next(b["content"] for b in result.payload["messages"][2]["content"])
    assert shown.startswith("[unknown {query} {query} ")
    assert len(shown) < 600
    assert edit.saved > 0


def test_what_is_said_before_and_after_a_reference_stays() -> None:
    payload = report_then_search("anthropic")
    payload["messages"].insert(3, {"role": "user", "content": "And be brief."})
    payload["messages"].insert(3, says("Done so far.")._asdict())
    result = Compactor(preset=References(), store=memory_store()).compact(payload, force=True)
    assert result.payload["messages"][3:5] == payload["messages"][3:5]
