from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from trimtab.outcomes import failed, outcome, pruned

CASES: list[tuple[Any, str]] = [
    ({"row_count": 47, "rows": [1, 2, 3, 4]}, "returned 47 rows, rows: 4 items"),
    ({"id": "a-1", "body": "x"}, "id=a-1"),
    ({"success": True}, "succeeded"),
    ({"ok": False, "error": "quota"}, "error=quota, failed"),
    ({"error": None, "errors": [], "status": "done"}, "status=done"),
    ({"result": {"url": "https://a.b/c", "note": "n"}}, "result.url=https://a.b/c"),
    ({"message": "Sent", "messageId": 7}, "messageId=7, message=Sent"),
    ({"files": ["a.py", "b.py"]}, "files=a.py b.py"),
    ({"files": ["a.py"] * 9}, "files: 9 items"),
    ({"labels": ["x"] * 5, "sha": "9fceb02"}, "sha=9fceb02, labels: 5 items"),
    ({"colour": "red", "x": 1}, "25 characters in 2 fields"),
    ([1, 2, 3], "3 items"),
    ([], "0 items"),
]


@pytest.mark.parametrize(("value", "said"), CASES, ids=lambda case: str(case)[:40])
def test_the_key_fact_of_a_result(value: Any, said: str) -> None:
    assert outcome(json.dumps(value)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Deleted 3 files.", '"Deleted 3 files."'),
        ("\nstarted\nworking\nexit code 0\n", '3 lines, "started", to "exit code 0"'),
        ("Done\nsee (https://a.b/c) there\nok", '3 lines, "Done", to "ok", https://a.b/c)'),
        ("{not json", '"{not json"'),
        ("", "0 characters"),
        ("\ud800", '"\ud800"'),
    ],
)
def test_the_key_fact_of_a_text(text: str, said: str) -> None:
    assert outcome(text) == said


plain = st.none() | st.booleans() | st.floats() | st.text()
keys = st.text() | st.sampled_from(["id", "error", "count"])


@given(st.recursive(plain, lambda inner: st.lists(inner) | st.dictionaries(keys, inner)))
def test_a_line_is_short_and_one_line_whatever_a_result_holds(value: Any) -> None:
    line = pruned("tool", json.dumps(value), "t:0123456789abcdef")
    assert len(line) < 1_200
    assert "\n" not in line
    assert line.endswith("; trimtab recall t:0123456789abcdef]")


@pytest.mark.parametrize("text", ["Traceback (most recent\n", " ERROR: x", '{"error": "x"}', '{"success": false}'])
def test_a_failure_is_told_from_the_result(text: str) -> None:
    assert failed(text)


@pytest.mark.parametrize("text", ["errors: none", "0 errors", '{"error": null}', '["error"]', ""])
def test_what_only_speaks_of_errors_is_none(text: str) -> None:
    assert not failed(text)
