from __future__ import annotations

import json
from typing import Any

import pytest

from trimtab.files import touches_files
from trimtab.transcript import ToolCall


def call(name: str, /, **arguments: Any) -> ToolCall:
    return ToolCall("c1", name, json.dumps(arguments))


@pytest.mark.parametrize(
    "made",
    [
        None,
        call("Read", file_path="a.py"),
        call("str_replace_editor", command="view"),
        call("mcp__fs__readFile", name="a"),
        call("NotebookEdit"),
        call("get", path="a.json"),
        call("fetch", URI="file:///a"),
        call("bash", command="cat package.json"),
        call("bash", command="cd src && sed -n 1,20p a.py | nl"),
        call("bash", command="ls; git show HEAD:a.py"),
        call("shell", cmd=["bash", "-lc", "head -5 a.py"]),
        call("python", code="print(open('a.json').read())"),
        ToolCall("c1", "apply", "*** Begin"),
        ToolCall("c1", "apply", '"text"'),
        ToolCall("c1", "apply", '{"a": "\ud800"}'),
    ],
)
def test_what_reads_or_writes_a_file_is_known(made: ToolCall | None) -> None:
    assert touches_files(made)


@pytest.mark.parametrize(
    "made",
    [
        call("get_user_details", user_id="u1"),
        call("search_direct_flight", origin="ATL"),
        call("bash", command="npm test 2>&1 | tail -50"),
        call("bash", command="make && ./run --category head"),
        call("bash", command="curl -s https://example.org/a"),
        call("status"),
        ToolCall("c1", "status", ""),
    ],
)
def test_other_calls_touch_no_file(made: ToolCall) -> None:
    assert not touches_files(made)
