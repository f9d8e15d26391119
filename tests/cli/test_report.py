"""What the report says of facts, drawn and plain."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace
from rich.console import Console

from trimtab import Compactor, Replace, ToolCall, View
from trimtab.cli.report import drawn, edit_table
from trimtab.history import history
from trimtab.passes.fold_results import FoldResults
from trimtab.testing import Scripted, conversation, exchange, lines, memory_store

FACT = "deploy-key-KX4417"


def request() -> dict[str, object]:
    body = conversation(exchanges=6)
    text = f"{lines(800, 'head')}the key is {FACT}\n{lines(800, 'foot')}"
    body["messages"][1:1] = exchange("anthropic", "k", "keys.log", text)
    return body


def on_screen(thing: object) -> str:
    console = Console(width=110, no_color=True)
    with console.capture() as shown:
        console.print(thing)
    return shown.get()


def test_a_widened_edit_names_the_fact_in_full_in_compact_and_explain() -> None:
    compactor = Compactor(store=memory_store(), facts=[FACT], passes=[FoldResults()])
    result = compactor.compact(request(), force=True)
    (step,) = [step for step in history(compactor, request()) if step.edits]
    for shown in (on_screen(drawn(result.report)), on_screen(edit_table(step.edits))):
        (row,) = [row for row in shown.splitlines() if "widened to keep" in row]
        assert "KX4417" in row
        assert "messages[2] part 0" in row
    assert "widened to keep" in str(result.report)


def test_a_fact_brought_back_is_told_with_its_place() -> None:
    compactor = Compactor(store=memory_store(), passes=[FoldResults()])
    compactor.compact(request(), force=True)
    report = compactor.compact(request(), facts=[FACT]).report
    (row,) = [row for row in on_screen(drawn(report)).splitlines() if row.startswith("brings back")]
    assert "KX4417" in row
    assert "[facts: brings back" in str(report)


def test_a_refused_edit_says_which_fact_it_would_hide() -> None:
    body = request()
    messages = body["messages"]
    assert isinstance(messages, list)
    messages[1]["content"][0]["input"] = {"text": lines(900, "draft") + FACT}
    messages[2]["content"][0]["content"] = "ok"

    def propose(view: View) -> Iterator[Replace]:
        for at in view.open:
            part = view.part(at)
            if isinstance(part, ToolCall) and FACT in part.arguments:
                yield Replace(at, replace(part, arguments=f'{{"text": "{view.handle(at)}"}}'), "as asked")

    compactor = Compactor(store=memory_store(), facts=[FACT], passes=[Scripted(propose)])
    report = compactor.compact(body, force=True).report
    assert "it would hide the fact" in on_screen(drawn(report))
    assert "it would hide the fact" in str(report)
    assert any("it would hide the fact" in one.text for step in history(compactor, body) for one in step.refused)
