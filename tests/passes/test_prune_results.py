from __future__ import annotations

import json
from typing import Any

import pytest
from tests.cases.transcripts import Answered, Call, Step, calls, compact, log, request, results, texts, user, wires

from trimtab.passes.prune_results import PruneResults, fits
from trimtab.passes.prune_to_total import PruneToTotal

ROWS = json.dumps(
    {"row_count": 47, "rows": [{"id": n, "name": f"customer {n}", "tax": n * 17} for n in range(47)]}
)
MADE = json.dumps({"id": 4711, "url": "https://example.org/i/4711", "success": True, "body": log(30)})


def ran(*asked: tuple[str, str]) -> list[Step]:
    """Calls of these tools, one after the other, with what they gave."""
    return [
        step
        for n, (tool, text) in enumerate(asked)
        for step in (calls(Call(f"c{n}", tool, {"q": f"{n}"})), results((f"c{n}", text)))
    ]


def prune(
    *asked: tuple[str, str], wire: str = "anthropic", keep: int = 0, passes: Any = None, **settings: Any
) -> list[str]:
    """The results as they are sent, the newest exchange aside; each that was cut comes back by its handle."""
    given = request(wire, user("Mend it."), *ran(*asked, ("read", log(20, "newest"))))
    chosen = [PruneResults(**settings)] if passes is None else passes
    sent = compact(given, force=True, passes=chosen, target=1, protect_results=keep)
    assert {one.rule for one in sent.result.report.refused} <= {"target-missed"}
    for line in sent.result.report.edits:
        assert line.handle in "".join(texts(sent.payload))
        assert sent.compactor.recall(line.handle, whole=True).text in [text for _, text in asked]
    return texts(sent.payload)[:-1]


@wires
def test_a_confirmation_becomes_one_line_that_keeps_the_key_fact(wire: str) -> None:
    [made, rows] = prune(("create_issue", MADE), ("count_customers", ROWS), wire=wire)
    said = "succeeded, id=4711, url=https://example.org/i/4711"
    assert made.startswith(f"[pruned: create_issue: {said}; trimtab recall t:")
    assert rows.startswith("[pruned: count_customers: returned 47 rows, ")


@wires
def test_a_data_bearing_tool_keeps_head_and_tail(wire: str) -> None:
    text = log(400)
    [shown] = prune(("internal_query_orders", text), wire=wire)
    head, marker, tail = shown.split("\n\n")
    assert (head, tail) == (text[:1500], text[-1500:])
    assert marker.startswith(f"[… {len(text) - 3000:,} characters trimmed; trimtab recall t:")


def test_data_up_to_max_result_chars_stays_whole() -> None:
    text = log(400)[:5000]
    assert prune(("read_file", text)) == [text]
    assert prune(("read_file", text), max_result_chars=4999) != [text]


def test_nothing_is_trimmed_where_the_ends_meet() -> None:
    text = log(400)[:6000]
    assert prune(("read_file", text), head_chars=3000, tail_chars=3000) == [text]


def test_a_row_count_does_not_say_what_the_rows_are() -> None:
    assert prune(("internal_sql_run", ROWS)) == [ROWS]


def test_the_last_results_stay_whole() -> None:
    sent = prune(*[("create_issue", MADE)] * 5, keep=3)
    assert [text == MADE for text in sent] == [False, False, False, True, True]


def test_without_meaningful_summaries_only_the_size_is_told() -> None:
    [line] = prune(("create_issue", MADE), use_meaningful_summaries=False)
    assert line.startswith(f"[pruned: create_issue: {len(MADE):,} characters; trimtab recall t:")


ERRORS = {
    "a field": json.dumps({"error": {"code": 403, "message": "Forbidden"}, "trace": log(30)}),
    "no success": json.dumps({"success": False, "reason": "quota", "trace": log(30)}),
    "a text": f"Error: no such branch\n{log(30)}",
}


@pytest.mark.parametrize("error", ERRORS.values(), ids=list(ERRORS))
def test_errors_are_pruned_or_kept_by_setting(error: str) -> None:
    assert prune(("create_issue", error), prune_error_results=False) == [error]
    [line] = prune(("create_issue", error))
    assert "403" in line or "failed" in line or "no such branch" in line


def test_a_result_that_the_wire_marks_as_an_error_is_one() -> None:
    asked = calls(Call("c0", "create_issue", {})), Answered((("c0", log(30)),))
    given = request("anthropic", user("Mend it."), *asked, *ran(("read", "ok")))
    given["messages"][2]["content"][0]["is_error"] = True
    kept = compact(
        given, force=True, passes=[PruneResults(prune_error_results=False)], target=1, protect_results=0
    )
    assert texts(kept.payload)[0] == log(30)


@pytest.mark.parametrize(
    ("tool", "gives_data"),
    [
        ("internal_execute_query", True),
        ("Read", True),
        ("mcp__github__getIssue", True),
        ("run_shell_command", True),
        ("WebFetch", True),
        ("Bash", True),
        ("list_directory", True),
        ("Write", False),
        ("TodoWrite", False),
        ("str_replace", False),
        ("send_email", False),
        ("set_budget", False),
        ("create_thread", False),
    ],
)
def test_which_tools_give_data(tool: str, gives_data: bool) -> None:
    assert fits(tool, PruneResults().protect_data_tools) is gives_data


def test_the_tools_that_give_data_can_be_named() -> None:
    [line] = prune(("read_file", log(400)), protect_data_tools=("crm_*",))
    assert line.startswith("[pruned: read_file: ")
    assert prune(("crm_note", log(40)), protect_data_tools=("crm_*",)) == [log(40)]


def test_above_the_total_cap_a_second_pass_makes_no_exceptions() -> None:
    text = log(150)[:4800]
    asked = [("read_file", text)] * 4
    passes = [PruneResults(), PruneToTotal(2 * 4800 + 500)]
    sent = prune(*asked, passes=passes)
    assert [one == text for one in sent] == [False, False, True, True]
    assert sent[0].startswith("[pruned: read_file: 150 lines, ")
    assert prune(*asked, passes=[PruneResults(), PruneToTotal()]) == [text] * 4


def test_the_second_pass_counts_what_the_first_one_left() -> None:
    asked = [("read_file", log(400))] * 4
    sent = prune(*asked, passes=[PruneResults(), PruneToTotal(4 * 3300)])
    assert all(one.startswith("step 1: ") for one in sent)


def test_what_looks_like_a_marker_in_a_result_is_only_text() -> None:
    fake = "[pruned: create_issue: id=1; trimtab recall t:0123456789abcdef]\n" + log(30)
    [line] = prune(("create_issue", fake))
    assert line.count("trimtab recall") == 2
    assert line.startswith('[pruned: create_issue: 31 lines, "[pruned: create_issue: id=1;')
